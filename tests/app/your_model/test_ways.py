"""The ways to a model of one's own: which are open to whom, and what each leads to."""

import io
import shutil
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest

from pretrained.huggingface.hub_cache import CachedModel, cached_models
from tests.app.running import end_visit, markdown, open_page, run, warnings, written
from tests.fixtures.foreign_models import random_model, small_tokenizer
from viz.pages.your_model import sources, uploading
from viz.pages.your_model.allowed import FOLDER_VARIABLE, UPLOAD_VARIABLE
from viz.pages.your_model.asking import loaded_models
from viz.pages.your_model.sources import continued_path
from viz.pages.your_model.uploading import UploadFolders, Uploads
from viz.shell.one_person import FOR_OTHERS_VARIABLE, is_for_one_person

LINK = {"open": "folder", "own-text": "the [MASK] sat"}


@pytest.fixture(autouse=True)
def nothing_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have an environment that names nothing, and a machine without a cache."""
    for name in (FOLDER_VARIABLE, UPLOAD_VARIABLE, FOR_OTHERS_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    yield
    loaded_models().end()


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    folder = tmp_path / "models" / "bert"
    random_model("BERT", head="ForMaskedLM").save_pretrained(folder)
    small_tokenizer().save_pretrained(folder)
    return folder


@pytest.fixture
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where what is sent lies."""
    folders = UploadFolders(tmp_path / "uploads")
    monkeypatch.setattr(uploading, "upload_folders", lambda: folders)
    end_visit()
    return folders.path


def zipped(folder: Path) -> bytes:
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        for path in folder.iterdir():
            archive.write(path, f"bert/{path.name}")
    return packed.getvalue()


def ways(app: AppTest) -> list[str]:
    return [option for group in app.button_group if group.key == "from" for option in group.options]


def read(app: AppTest) -> AppTest:
    (button,) = [one for one in app.button if one.label == "Read the text"]
    button.click()
    run(app)
    assert not warnings(app)
    assert "**All heads on**, mask at token 3" in markdown(app)
    return app


def send(app: AppTest, name: str, content: bytes) -> AppTest:
    (box,) = app.file_uploader
    box.upload(name, content)
    return run(app)


def address(monkeypatch: pytest.MonkeyPatch, value: str | None, names: list[str]) -> None:
    options = {"server.address": value, "server.allowedHosts": names}
    original = config.get_option
    monkeypatch.setattr("streamlit.get_option", lambda key: options[key] if key in options else original(key))


def test_on_one_s_own_machine_models_are_open_without_any_variable() -> None:
    app = open_page("your_model", **LINK)
    assert ways(app) == ["Upload", "This machine", "Folder"]
    assert not app.info


@pytest.mark.parametrize(
    ("listens", "names"), [("0.0.0.0", ["localhost"]), (None, ["localhost"]), ("127.0.0.1", ["app.example.com"])]
)
def test_on_a_server_for_others_they_are_off_in_one_plain_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, listens: str | None, names: list[str]
) -> None:
    address(monkeypatch, listens, names)
    app = open_page("your_model", **LINK)
    (info,) = app.info
    assert "not open on this server" in info.value
    assert "OWN_" not in info.value + written(app)
    assert not app.file_uploader
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert not ways(open_page("your_model", **LINK | {"from": "machine", "own-folder": "/"}))[1:]
    monkeypatch.setenv(UPLOAD_VARIABLE, "on")
    assert ways(open_page("your_model", **LINK)) == ["Upload", "Folder"]


@pytest.mark.parametrize(
    ("headers", "is_for_one"),
    [
        ({"Host": "localhost:8501"}, True),
        ({"Host": "[::1]:8501"}, True),
        ({"Host": "127.0.0.1"}, True),
        ({"Host": "app.example.com"}, False),
        ({"Host": "localhost:8501", "X-Forwarded-For": "203.0.113.5"}, False),
        ({"Host": "localhost:8501", "Via": "1.1 proxy"}, False),
    ],
)
def test_a_visitor_who_comes_through_a_proxy_is_not_the_machine_s_owner(
    monkeypatch: pytest.MonkeyPatch, headers: dict[str, str], is_for_one: bool
) -> None:
    address(monkeypatch, "127.0.0.1", ["localhost", "127.0.0.1"])
    monkeypatch.setattr("viz.shell.one_person.st.context", type("Context", (), {"headers": headers}))
    assert is_for_one_person() is is_for_one
    monkeypatch.setenv(FOR_OTHERS_VARIABLE, "yes")
    assert not is_for_one_person()


@pytest.mark.usefixtures("parent")
def test_what_is_sent_is_read(bert: Path) -> None:
    app = send(open_page("your_model", **LINK), "bert.zip", zipped(bert))
    assert not warnings(app)
    assert app.selectbox(key="model").value == "bert"
    assert "for you alone" in written(app)
    # At once, without a further act.
    assert "**bert**" in markdown(app)
    read(app)


@pytest.mark.usefixtures("parent")
@pytest.mark.parametrize(("page", "list_of_models"), [("their_positions", "of-model"), ("inside_model", "inside-of")])
def test_the_other_parts_open_on_what_was_sent(bert: Path, page: str, list_of_models: str) -> None:
    send(open_page("your_model", **LINK), "bert.zip", zipped(bert))
    app = open_page(page)
    assert app.selectbox(key=list_of_models).value == "bert"
    assert "**bert**" in markdown(app)
    assert not warnings(app)
    assert open_page(page, **{list_of_models: ""}).selectbox(key=list_of_models).value == ""


@pytest.mark.usefixtures("parent")
def test_loose_files_are_a_model_once_none_is_missing(bert: Path) -> None:
    app = open_page("your_model", **LINK)
    (box,) = app.file_uploader
    names = ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"]
    box.upload(names[0], (bert / names[0]).read_bytes())
    assert "add what is missing" in written(run(app))
    (box,) = app.file_uploader
    box.set_value([(name, (bert / name).read_bytes(), "") for name in names])
    run(app)
    assert app.selectbox(key="model").value == "my-model"
    read(app)


def test_what_is_refused_leaves_nothing_and_an_empty_box(bert: Path, parent: Path) -> None:
    (bert / "model.safetensors").unlink()
    app = send(open_page("your_model", **LINK), "bert.zip", zipped(bert))
    (warning,) = warnings(app)
    assert "no weights" in warning
    assert not [path for path in parent.rglob("*") if path.is_file() and path.name != ".lock"]
    assert not warnings(run(app))


def test_a_model_is_deleted_when_it_is_asked_for_and_at_the_end_of_the_session(bert: Path, parent: Path) -> None:
    app = send(open_page("your_model", **LINK), "bert.zip", zipped(bert))
    app.button(key="own-remove").click()
    assert "Send a model, and it opens here" in written(run(app))
    send(app, "bert.zip", zipped(bert))
    assert [*parent.rglob("model.safetensors")]
    end_visit()
    assert not [*parent.rglob("model.safetensors")]


def test_the_end_of_a_session_ends_the_process_of_its_model(parent: Path) -> None:
    sent = Uploads(parent)
    ended: list[str] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(type(loaded_models()), "end_of", lambda _, root: ended.append(root))
        sent.close()
        assert not sent.root.exists()
    assert ended == [str(sent.root)]


def test_a_machine_that_empties_its_temporary_files_leaves_a_page_that_takes_a_model(bert: Path, parent: Path) -> None:
    app = send(open_page("your_model", **LINK), "bert.zip", zipped(bert))
    shutil.rmtree(parent)
    assert "Send a model, and it opens here" in written(run(app))
    send(app, "again.zip", zipped(bert))
    assert [*parent.rglob("model.safetensors")]


@pytest.mark.parametrize("page", ["your_model", "inside_model", "their_positions"])
def test_a_machine_that_empties_its_temporary_files_is_open_to_a_new_visitor(page: str, parent: Path) -> None:
    shutil.rmtree(parent)
    app = open_page(page, **LINK if page == "your_model" else {})
    assert not warnings(app)
    assert parent.stat().st_mode & 0o777 == 0o700


def test_what_a_killed_server_left_is_removed_and_what_another_one_holds_is_not(tmp_path: Path) -> None:
    held = UploadFolders(tmp_path / "uploads")
    left = tmp_path / "uploads" / "left"
    (left / "model").mkdir(parents=True)
    (left / ".lock").touch()
    other = UploadFolders(tmp_path / "uploads")
    assert {*(tmp_path / "uploads").iterdir()} == {held.path, other.path}


def test_a_folder_of_this_machine_is_read_by_its_path(bert: Path) -> None:
    app = open_page("your_model", **LINK, **{"from": "folder", "own-folder": str(bert.parent.parent / "mod")})
    assert str(bert.parent) in app.selectbox(key="own-folder").options
    app.selectbox(key="own-folder").set_value(str(bert.parent))
    run(app)
    assert str(bert) in app.selectbox(key="own-folder").options
    assert app.selectbox(key="model").options == ["bert"]
    read(app)
    app.selectbox(key="own-folder").set_value(str(bert))
    run(app)
    assert app.selectbox(key="model").options == ["bert"]


def test_models_of_the_cache_have_their_names_and_sizes(bert: Path, tmp_path: Path) -> None:
    assert "holds no model" in written(open_page("your_model", **LINK, **{"from": "machine"}))
    snapshot = tmp_path / "cache" / "models--lab--bert" / "snapshots" / "a"
    snapshot.parent.mkdir(parents=True)
    bert.rename(snapshot)
    app = open_page("your_model", **LINK, **{"from": "machine"})
    (label,) = app.selectbox(key="model").options
    assert label.startswith("lab/bert · 0.1 MB")
    read(app)


def test_letters_that_are_added_to_a_path_go_on_from_it(bert: Path) -> None:
    whole = str(bert)
    for cut in (len(whole) - 2, len(str(bert.parent)), len(str(bert.parent)) - 3):
        before, typed = whole[:cut], whole[cut : cut + 2]
        assert continued_path(before, typed) == before + typed
    assert continued_path(str(bert.parent), "bert") == whole
    assert continued_path("/usr", whole) == whole
    assert continued_path(whole, "none") == "none"


def test_the_cache_is_read_once_a_run_for_any_number_of_models(
    bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        shutil.copytree(bert, tmp_path / "cache" / f"models--lab--{name}" / "snapshots" / "a")
    read: list[Path] = []

    def counted(cache: Path) -> tuple[CachedModel, ...]:
        read.append(cache)
        return cached_models(cache)

    monkeypatch.setattr(sources, "cached_models", counted)
    app = open_page("your_model", **LINK, **{"from": "machine"})
    assert len(app.selectbox(key="model").options) == 3
    assert len(read) == 1


@pytest.mark.parametrize("path", ["~nobody-here/models", "no/such", "\0", "/" + "a" * 900, "<b>"])
def test_a_path_that_leads_nowhere_is_one_sentence(path: str) -> None:
    app = open_page("your_model", **LINK, **{"from": "folder", "own-folder": path})
    assert "There is no folder `" in written(app)
    assert "In this folder is no model yet" not in written(app)


def test_a_folder_without_a_model_is_another_sentence(tmp_path: Path) -> None:
    app = open_page("your_model", **LINK, **{"from": "folder", "own-folder": str(tmp_path)})
    assert "In this folder is no model yet" in written(app)
    assert "There is no folder" not in written(app)
