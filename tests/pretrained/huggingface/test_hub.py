"""Models that are fetched by their names, from a hub of the test's own."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import model_names
from pretrained.huggingface.hub import fetch

NAME, MOST = "some-lab/tiny.bert", 1_000
CONFIG, WEIGHTS = b'{"model_type": "bert"}', b"w" * 600


@dataclass
class Hub:
    """What the hub has of the one model, what it was asked for, and where it is."""

    files: dict[str, bytes] = field(default_factory=lambda: {"config.json": CONFIG, "model.safetensors": WEIGHTS})
    sizes: dict[str, int] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    endpoint: str = ""

    def answer(self, path: str) -> bytes | None:
        self.asked.append(path)
        if path == f"/api/models/{NAME}?blobs=true":
            return json.dumps({"siblings": [self.listed(name) for name in self.files]}).encode()
        return self.files.get(path.removeprefix(f"/{NAME}/resolve/main/"))

    def listed(self, name: str) -> dict[str, object]:
        size = self.sizes.get(name, len(self.files[name]))
        return {"rfilename": name, "size": size, "lfs": {"sha256": self.digests.get(name)}}


@pytest.fixture
def hub() -> Iterator[Hub]:
    found = Hub()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = found.answer(self.path)
            self.send_response(404 if content is None else 200)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        found.endpoint = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield found
        server.shutdown()
        thread.join()


def get(root: Path, hub: Hub, name: str = NAME, most_bytes: int = MOST) -> str:
    return fetch(root, name, most_bytes=most_bytes, endpoint=hub.endpoint)


def refused(root: Path, hub: Hub, name: str = NAME) -> str:
    with pytest.raises(ForeignModelError) as error:
        get(root, hub, name)
    # Nothing of it is left.
    assert not [path for path in root.rglob("*") if path.is_file()]
    return error.value.key


def test_a_model_is_fetched_with_its_tokenizer_and_nothing_else(tmp_path: Path, hub: Hub) -> None:
    unwanted = ("README.md", "run.py", "pytorch_model.bin", "onnx/model.onnx", "onnx/config.json", "../x.json")
    hub.files |= {"tokenizer.json": b"{}", "vocab.txt": b"a"} | dict.fromkeys(unwanted, b"x")
    hub.digests = {"model.safetensors": sha256(WEIGHTS).hexdigest()}
    ticks: list[tuple[int, int]] = []
    name = fetch(tmp_path, NAME, most_bytes=MOST, endpoint=hub.endpoint, tick=lambda done, of: ticks.append((done, of)))
    assert model_names(tmp_path) == (name,) == (f"hub/{NAME}",)
    found = {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
    wanted = ("config.json", "model.safetensors", "tokenizer.json", "vocab.txt")
    assert found == {file: hub.files[file] for file in wanted}
    total = sum(map(len, found.values()))
    assert ticks[-1] == (total, total)
    assert not [path for path in hub.asked if path.rpartition("/")[2] in {"README.md", "run.py", "pytorch_model.bin"}]


def test_a_model_too_large_is_refused_before_its_weights_are_asked_for(tmp_path: Path, hub: Hub) -> None:
    hub.sizes = {"model.safetensors": MOST + 1}
    assert refused(tmp_path, hub) == "too large"
    assert len(hub.asked) == 1


def test_more_than_was_said_is_not_taken(tmp_path: Path, hub: Hub) -> None:
    hub.sizes = {"model.safetensors": 10}
    assert refused(tmp_path, hub) == "damaged on hub"


def test_what_is_not_what_was_said_is_refused(tmp_path: Path, hub: Hub) -> None:
    hub.digests = {"model.safetensors": "0" * 64}
    assert refused(tmp_path, hub) == "damaged on hub"


def test_pickled_weights_and_code_are_refused(tmp_path: Path, hub: Hub) -> None:
    hub.files = {"config.json": b'{"auto_map": {}}', "model.safetensors": WEIGHTS}
    assert refused(tmp_path, hub) == "remote code"
    hub.files = {"config.json": CONFIG, "pytorch_model.bin": WEIGHTS}
    assert refused(tmp_path, hub) == "pickled"


@pytest.mark.parametrize("name", ["", "bert", "a/b/c", "../x", "a/..", "a b/c", "a/b?x", "https://e.example/a"])
def test_what_is_no_name_is_never_asked_for(tmp_path: Path, hub: Hub, name: str) -> None:
    assert refused(tmp_path, hub, name) == "no hub name"
    assert not hub.asked


def test_a_name_that_is_not_there_and_a_hub_that_is_not_there_are_told_apart(tmp_path: Path, hub: Hub) -> None:
    assert refused(tmp_path, hub, "some/other") == "not on hub"
    hub.endpoint = "http://127.0.0.1:9"
    assert refused(tmp_path, hub) == "no hub"


def test_a_visitor_who_leaves_leaves_nothing(tmp_path: Path, hub: Hub) -> None:
    def leave(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(tmp_path, NAME, most_bytes=MOST, endpoint=hub.endpoint, tick=leave)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_the_oldest_make_room(tmp_path: Path, hub: Hub) -> None:
    for number in range(7):
        folder = tmp_path / "hub" / "lab" / f"m{number}"
        folder.mkdir(parents=True)
        (folder / "config.json").write_bytes(CONFIG)
        (folder / "model.safetensors").write_bytes(WEIGHTS)
    (tmp_path / "hub" / "lab" / ".DS_Store").write_bytes(b"of a file manager")
    get(tmp_path, hub)
    kept = model_names(tmp_path)
    assert f"hub/{NAME}" in kept
    assert len(kept) <= 6
