"""Your model, and a view that was made in Python, in a real Chromium without a network."""

import shutil
import time
from collections.abc import Callable
from getpass import getuser
from pathlib import Path
from tempfile import gettempdir
from urllib.parse import urlsplit

import numpy as np
import psutil
import torch
from playwright.sync_api import Page, expect
from transformers import GPT2Config, GPT2LMHeadModel

from tests.fixtures.foreign_models import SMALL, random_model, small_tokenizer
from tests.fixtures.system import wait_until
from viz.base.attention_files import kinds_as_npz, kinds_of_file
from viz.base.attention_maps import AttentionKind, TokenRow
from viz.notebook import explore

MOST_ACTS, MOST_SECONDS = 5, 90
MOST_KEPT = 50 * 10**6
HOSTILE = ("</script><script>window.ran = 1</script>", "<img src=x onerror='window.ran = 1'>", "cat", "sat")


def maps() -> np.ndarray:
    drawn = np.random.default_rng(0).random((2, 3, 4, 4), dtype=np.float32)
    return drawn / drawn.sum(axis=-1, keepdims=True)


def test_a_file_is_opened_and_the_link_keeps_what_is_looked_at(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/your-model?open=file")
    # The first page of a server loads PyTorch.
    expect(page.locator(".explorer .tile").first).to_be_visible(timeout=90_000)
    view = explore(maps(), HOSTILE)
    page.locator("input[type=file]").set_input_files({"name": "a.npz", "mimeType": "", "buffer": view.to_npz()})
    expect(page.locator(".explorer .tile")).to_have_count(6)
    page.get_by_role("button", name="Layer 2, head 3", exact=True).click()
    expect(page.locator(".views > .matrix figcaption")).to_have_text("Self-attention · Layer 2, head 3")
    page.wait_for_function("location.search.includes('heads=2.3')")
    assert page.evaluate("window.ran") is None
    assert page.errors == []


def test_a_layer_is_called_by_its_number_in_the_model(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/your-model?open=file")
    expect(page.locator(".explorer .tile").first).to_be_visible(timeout=90_000)
    row = TokenRow(("the", "cat", "sat", "."))
    content = kinds_as_npz([AttentionKind("decoder", maps(), row, row, layer_numbers=(4, 12))])
    page.locator("input[type=file]").set_input_files({"name": "a.npz", "mimeType": "", "buffer": content})
    expect(page.locator(".explorer .tile")).to_have_count(6)
    page.get_by_role("button", name="Layer 5, head 3", exact=True).click()
    expect(page.locator(".views > .matrix figcaption")).to_have_text("Self-attention · Layer 5, head 3")
    expect(page.get_by_role("button", name="Every head of layer 13;")).to_have_text("13")
    page.wait_for_function("location.search.includes('own-heads=5.3') && !location.search.includes('&heads=')")
    assert page.errors == []


def test_a_file_of_more_than_two_megabytes_is_opened(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/your-model?open=file")
    expect(page.locator(".explorer .tile").first).to_be_visible(timeout=90_000)
    drawn = np.random.default_rng(0).random((3, 5, 300, 300), dtype=np.float32)
    content = explore(drawn / drawn.sum(axis=-1, keepdims=True), [f"t{token}" for token in range(300)]).to_npz()
    assert len(content) > 3 * 10**6
    page.locator("input[type=file]").set_input_files({"name": "a.npz", "mimeType": "", "buffer": content})
    expect(page.locator(".explorer .tile")).to_have_count(15)
    assert page.errors == []


def test_a_large_recording_is_reduced_and_a_head_comes_whole_when_it_is_chosen(page: Page, app_url: str) -> None:
    n = 850
    # Each token looks at the one before it; in head 2 of layer 1 at the token 100 before it.
    weights = np.zeros((2, 3, n, n), np.float32)
    weights[:, :, np.arange(n), np.maximum(np.arange(n) - 1, 0)] = 1
    weights[0, 1] = np.roll(weights[0, 1], -99, axis=1)
    page.goto(f"{app_url}/your-model?open=file")
    expect(page.locator(".explorer .tile").first).to_be_visible(timeout=90_000)
    content = explore(weights, [f"t{token}" for token in range(n)]).to_npz()
    page.locator("input[type=file]").set_input_files({"name": "a.npz", "mimeType": "", "buffer": content})
    expect(page.locator(".explorer .tile")).to_have_count(6)
    tile = page.get_by_role("button", name="Layer 1, head 2", exact=True)
    tile.hover()
    expect(page.locator(".readout").first).to_contain_text("Reduced")
    tile.click()
    page.mouse.move(5, 5)
    expect(page.locator(".row-view.reduced")).to_have_count(0)
    page.locator(".overview select").select_option("distance")
    expect(page.locator(".tile .caption").last).to_contain_text("1.2")
    with page.expect_download() as download:
        page.locator(".picture-menu summary").click()
        page.locator("[data-save=csv]").click()
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert len(lines) == n + 1
    assert lines[501].split(",")[1:].index("1") == weights[0, 1, 500].argmax()
    assert page.errors == []


def model_processes() -> list[int]:
    """Return the processes that models run in, by their ids."""
    return [
        process.pid
        for process in psutil.process_iter(["cmdline", "cwd", "status"])
        if "pretrained.huggingface" in (process.info["cmdline"] or [])
        and process.info["cwd"] == str(Path.cwd())
        and process.info["status"] != psutil.STATUS_ZOMBIE
    ]


def test_a_head_is_switched_off_in_the_model_that_is_loaded(page: Page, app_url: str, models_folder: Path) -> None:
    random_model("BERT", head="ForMaskedLM").save_pretrained(models_folder / "bert")
    small_tokenizer().save_pretrained(models_folder / "bert")
    page.goto(f"{app_url}/your-model?open=folder&own-text=the+%5BMASK%5D+sat")
    expect(page.locator(".explorer .tile").first).to_be_visible(timeout=90_000)
    page.get_by_role("button", name="Read the text").click()
    # Transformers is imported, and the model loaded.
    expect(page.get_by_text("All heads on, mask at token 3")).to_be_visible(timeout=90_000)
    loaded = model_processes()
    assert len(loaded) == 1
    page.get_by_role("button", name="Layer 1, head 2", exact=True).click()
    page.wait_for_function("location.search.includes('heads=1.2')")
    page.get_by_role("button", name="Switch off the chosen heads").click()
    expect(page.get_by_text("Without 1.2, mask at token 3")).to_be_visible()
    page.wait_for_function("location.search.includes('own-off=1.2')")
    assert model_processes() == loaded
    assert page.errors == []


def test_a_model_is_sent_and_read_in_five_acts_and_nobody_else_sees_it(
    open_page: Callable[..., Page], app_url: str, tmp_path: Path
) -> None:
    folder = tmp_path / "gpt2"
    model = GPT2LMHeadModel(GPT2Config(**SMALL, n_embd=256, n_layer=4, n_head=4))
    # More than a server without models takes of one file.
    model.transformer.wte = torch.nn.Embedding(40_000, 256)
    model.lm_head = torch.nn.Linear(256, 40_000, bias=False)
    model.config.vocab_size = 40_000
    model.save_pretrained(folder)
    small_tokenizer().save_pretrained(folder)
    assert (folder / "model.safetensors").stat().st_size > 40 * 10**6
    archive = shutil.make_archive(str(folder), "zip", folder)
    page, other = open_page(), open_page()
    other.goto(f"{app_url}/your-model?open=folder&from=upload&model=gpt2")
    expect(other.get_by_text("Send a model, and it opens here")).to_be_visible(timeout=90_000)
    page.goto(app_url)
    own = page.get_by_role("link", name="Your model", exact=True)
    expect(own).to_be_visible(timeout=90_000)
    # Until then the page that the visitor starts from loads a translator.
    done = {"name": "data-test-script-state", "value": "notRunning", "timeout": 90_000}
    expect(page.get_by_test_id("stApp")).to_have_attribute(**done)
    server, loaded = server_at(app_url), model_processes()
    before, began = server.memory_info().rss, time.monotonic()
    acts: list[Callable[[], object]] = [
        own.click,
        page.get_by_role("radio", name="Model", exact=True).click,
        page.get_by_role("radio", name="Upload", exact=True).click,
        lambda: page.locator("input[type=file]").set_input_files(archive),
    ]
    assert len(acts) <= MOST_ACTS
    for act in acts:
        act()
    # Loading Transformers takes most of the time.
    expect(page.get_by_text("All heads on, next token")).to_be_visible(timeout=90_000)
    expect(page.locator(".explorer .tile")).to_have_count(16)
    assert time.monotonic() - began < MOST_SECONDS
    expect(page.get_by_text("for you alone")).to_be_visible()
    other.reload()
    expect(other.get_by_text("Send a model, and it opens here")).to_be_visible(timeout=30_000)
    folders = Path(gettempdir(), f"attention-uploads-{getuser()}")
    assert [*folders.glob("*/*/gpt2/config.json")]
    assert len(model_processes()) > len(loaded)
    page.close()
    wait_until(lambda: not [*folders.glob("*/*/gpt2/config.json")], most=30, pause=0.2)
    wait_until(lambda: len(model_processes()) <= len(loaded), most=30, pause=0.2)
    wait_until(lambda: server.memory_info().rss <= before + MOST_KEPT, most=30, pause=0.2)
    assert other.errors == []


def server_at(address: str) -> psutil.Process:
    """Return the process that answers at ``address``, on this machine."""
    port = urlsplit(address).port
    (pid,) = {
        one.pid
        for one in psutil.net_connections("tcp")
        if one.status == psutil.CONN_LISTEN and one.laddr.port == port and one.pid
    }
    return psutil.Process(pid)


def test_a_view_in_a_notebook_s_frame_shows_runs_and_saves_itself_alone(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    page = open_page()
    frame = f"<!doctype html><meta charset=utf-8><body>{explore(maps(), HOSTILE)._repr_html_()}"
    page.route("**/notebook.html", lambda route: route.fulfill(body=frame, content_type="text/html"))
    page.goto("http://127.0.0.1:9/notebook.html")
    inside = page.frame_locator("iframe")
    expect(inside.locator(".tile")).to_have_count(6)
    expect(inside.locator(".views > .matrix .labels").first).to_contain_text("cat")
    inside.locator(".picture-menu summary").click()
    with page.expect_download() as download:
        inside.locator("[data-save=npz]").click()
    download.value.save_as(tmp_path / "saved.npz")
    (saved,) = kinds_of_file("saved.npz", (tmp_path / "saved.npz").read_bytes())
    np.testing.assert_array_equal(saved.weights, maps())
    assert saved.queries.labels == HOSTILE
    assert page.frames[1].evaluate("[window.ran, window.origin]") == [None, "null"]
    assert page.evaluate("window.ran") is None
    assert page.errors == []
