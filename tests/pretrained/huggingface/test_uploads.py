"""What somebody sends as a model: it is one, or nothing of it is written and nothing runs."""

import io
import json
import math
import stat
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import checked_folder
from pretrained.huggingface.loading import load
from pretrained.huggingface.recording import record
from pretrained.huggingface.uploads import MAX_FILES, SentFile, is_whole, unpack
from tests.fixtures.foreign_models import TEXT, random_model, small_tokenizer
from viz.base.words import page_text

MOST_BYTES = 10**7
WORDS = page_text("base/given_models")
Files = Mapping[str, bytes]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Return the files of a small model."""
    folder = tmp_path_factory.mktemp("model")
    random_model("GPT-2", head="LMHead").save_pretrained(folder)
    small_tokenizer().save_pretrained(folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def sent(files: Files) -> list[SentFile]:
    return [SentFile(name, len(content), io.BytesIO(content)) for name, content in files.items()]


def zipped(files: Files, folder: str = "") -> bytes:
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"{folder}{name}", content)
    return packed.getvalue()


def archive(content: bytes) -> list[SentFile]:
    return sent({"model.zip": content})


@pytest.mark.parametrize("kind", ["files", "zip", "folder"])
def test_a_model_is_read_whichever_way_it_is_sent(files: Files, kind: str, tmp_path: Path) -> None:
    others = {"README.md": b"# It", ".gitattributes": b""}
    ways = {"files": sent(files | others), "zip": archive(zipped(files | others))}
    ways["folder"] = archive(zipped(files | others | {"onnx/config.json": b"{}"}, "gpt2/"))
    unpack(ways[kind], tmp_path / "sent", MOST_BYTES)
    assert {path.name for path in (tmp_path / "sent").iterdir()} == {*files}
    model, tokenizer = load(checked_folder(tmp_path, "sent", MOST_BYTES), MOST_BYTES)
    assert record(model, tokenizer, TEXT)[0].blocks[0].layers


def link(files: Files) -> bytes:
    entry = ZipInfo("tokenizer.json")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    packed = io.BytesIO(zipped({name: content for name, content in files.items() if name != "tokenizer.json"}))
    with ZipFile(packed, "a") as whole:
        whole.writestr(entry, "/etc/passwd")
    return packed.getvalue()


def lying_size(files: Files) -> bytes:
    """Return an archive whose directory says that a file of a megabyte has a hundred bytes."""
    content = zipped(files | {"vocab.txt": b"a b c d" * 150_000})
    return content.replace(struct.pack("<I", 1_050_000), struct.pack("<I", 100))


def long_directory(_: Files) -> bytes:
    entry = b"PK\1\2" + bytes(42)
    entries = entry * 10_000
    return entries + b"PK\5\6" + struct.pack("<4H2IH", 0, 0, 10_000, 10_000, len(entries), 0, 0)


def hidden_directory(files: Files) -> bytes:
    """Return an archive with a long directory and the locator of a larger record that is not there."""
    content = long_directory(files)
    locator = b"PK\6\7" + struct.pack("<IQI", 0, 0, 1)
    return content[:-22] + bytes(56) + locator + content[-22:]


def packed_otherwise(files: Files) -> bytes:
    """Return an archive in which a few bytes are a megabyte, by a method that unpacks without a limit."""
    packed = io.BytesIO(zipped({name: content for name, content in files.items() if name != "vocab.txt"}))
    with ZipFile(packed, "a", ZIP_BZIP2) as whole:
        whole.writestr("vocab.txt", bytes(900_000))
    return packed.getvalue()


def header(described: Mapping[str, object]) -> bytes:
    text = json.dumps(described).encode()
    return len(text).to_bytes(8, "little") + text


LIST = json.dumps({"weight_map": {"a": f"{'../' * 20}etc/passwd"}}).encode()
NAMES_CODE = b'{"auto_map": {"AutoModel": "a.B"}}'


def bomb(files: Files) -> bytes:
    return zipped(files | {"vocab.txt": bytes(5 * 10**6)})


HOSTILE: dict[str, tuple[Callable[[Files], list[SentFile]], str]] = {
    "zip bomb": (lambda files: archive(bomb(files)), "unpacks to far more"),
    "too large by what it says": (lambda files: archive(zipped(files | {"vocab.txt": bytes(10**8)})), "0.1 GB for its"),
    "larger than it says": (lambda files: archive(lying_size(files)), "cannot be read"),
    "symbolic link": (lambda files: archive(link(files)), "holds a link"),
    "path upwards": (lambda files: archive(zipped(files | {"../../evil.json": b"{}"})), "leads out of its folder"),
    "absolute path": (lambda files: archive(zipped(files | {"/etc/evil.json": b"{}"})), "leads out of its folder"),
    "path of Windows": (lambda files: archive(zipped(files | {"C:\\evil.json": b"{}"})), "leads out of its folder"),
    "loose path upwards": (lambda files: sent(files | {"../evil.json": b"{}"}), "leads out of its folder"),
    "pickle": (lambda files: archive(zipped(files | {"pytorch_model.bin": b"cos\nsystem\n"})), "pickled"),
    "pickle alone": (
        lambda files: sent({"config.json": files["config.json"], "a.pt": b"", "vocab.txt": b""}),
        "pickled",
    ),
    "code": (lambda files: archive(zipped(files | {"modeling_evil.py": b"1/0"}, "m/")), "modeling_evil.py is code"),
    "code named": (
        lambda files: sent(files | {"config.json": NAMES_CODE}),
        "never run here",
    ),
    "huge header": (
        lambda files: sent(files | {"model.safetensors": (10**9).to_bytes(8, "little") + bytes(99)}),
        "no file of safetensors",
    ),
    "header of no tensors": (
        lambda files: sent(files | {"model.safetensors": header({"a": 1})}),
        "no file of safetensors",
    ),
    "deep header": (
        lambda files: sent(files | {"model.safetensors": (10**5).to_bytes(8, "little") + b"[" * 10**5}),
        "no file of safetensors",
    ),
    "wrong JSON": (lambda files: archive(zipped(files | {"config.json": b"{"})), "config.json of this model cannot"),
    "deep JSON": (lambda files: sent(files | {"config.json": b"[" * 10**5}), "config.json of this model cannot"),
    "name with markup": (lambda files: sent(files | {"<img src=x>.json": b"{}"}), "signs that no file"),
    "name with a newline": (lambda files: archive(zipped(files | {"a\n# b.json": b"{}"})), "signs that no file"),
    "too many files": (
        lambda files: archive(zipped(files | {f"{n}.json": b"" for n in range(MAX_FILES)})),
        f"may have {MAX_FILES} files",
    ),
    "long directory": (lambda files: archive(long_directory(files)), f"may have {MAX_FILES} files"),
    "hidden directory": (lambda files: archive(hidden_directory(files)), f"may have {MAX_FILES} files"),
    "packed otherwise": (lambda files: archive(packed_otherwise(files)), "cannot be read"),
    "name in no Unicode": (
        lambda files: archive(zipped(files | {"\u00e9.json": b"{}"}).replace("\u00e9".encode(), b"\xff\xff")),
        "cannot be read",
    ),
    "endless shape": (
        lambda files: sent(
            files | {"model.safetensors": header({"a": {"data_offsets": [0, 0], "dtype": "F32", "shape": [math.inf]}})}
        ),
        "no file of safetensors",
    ),
    "one name twice": (lambda files: sent(files | {"CONFIG.json": b"{}"}), "the same name"),
    "damaged archive": (lambda files: archive(zipped(files)[:-200]), "cannot be read"),
    "no archive": (lambda _: archive(b"no archive"), "cannot be read"),
    "list that leads out": (
        lambda files: sent(files | {"model.safetensors.index.json": LIST}),
        "leads out",
    ),
    "tokenizer that leads out": (
        lambda files: sent(files | {"tokenizer_config.json": b'{"vocab_file": "/etc/passwd"}'}),
        "leads out",
    ),
    "no configuration": (lambda _: archive(zipped({"a/vocab.txt": b""})), "no config.json"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_hostile_is_one_sentence_and_nothing_of_it_is_left(files: Files, kind: str, tmp_path: Path) -> None:
    make, said = HOSTILE[kind]
    (tmp_path / "inner").mkdir()
    with pytest.raises(ForeignModelError) as error:
        unpack(make(files), tmp_path / "inner" / "sent", MOST_BYTES)
    assert said in WORDS[f"problem {error.value.key}"].format(**error.value.values)
    assert not [*(tmp_path / "inner").iterdir()]
    assert [path.name for path in tmp_path.iterdir()] == ["inner"]


def test_it_is_known_what_is_still_missing() -> None:
    assert is_whole(["m.zip"])
    assert is_whole(["config.json", "model.safetensors", "tokenizer.json"])
    assert not is_whole(["config.json", "model.safetensors"])
    assert not is_whole([])
