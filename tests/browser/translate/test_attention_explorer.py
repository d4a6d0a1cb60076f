"""The attention explorer alone on a page, in a real Chromium: it shows what was recorded, and runs nothing."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.translate import explorer_app as given
from tests.browser.translate.explorer_page import (
    KINDS,
    NEAR,
    address,
    by_words,
    caption,
    cells,
    choose,
    click_cell,
    point_at_row,
    rgb,
    show,
    shown_row,
    shown_rows,
    tile,
    visit,
    wait_for_address,
)
from tests.browser.waiting import at_rest
from viz.base.colours import PALETTES


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_every_number_equals_the_recorded_one(page: Page, kind: str) -> None:
    show(page, kind=kind, heads="2.3")
    weights = KINDS[kind].weights[1, 2]
    np.testing.assert_allclose(shown_rows(page, len(weights)), weights, atol=NEAR)
    expect(caption(page)).to_have_text(f"{kind.capitalize()} · Layer 2, head 3")
    assert page.errors == []


def test_all_kinds_stand_around_each_other_in_one_matrix(page: Page) -> None:
    show(page, kind="all", heads="1.4")
    encoder, decoder, cross = (KINDS[name].weights[0, 3] for name in ("encoder", "decoder", "cross"))
    whole = np.block([[encoder, np.zeros((len(encoder), decoder.shape[1]))], [cross, decoder]])
    np.testing.assert_allclose(shown_rows(page, len(whole)), whole, atol=NEAR)


@pytest.mark.parametrize("combine", ["mean", "max"])
def test_several_heads_are_combined(page: Page, combine: str) -> None:
    show(page, kind="cross", heads="1.1")
    tile(page, 3, 8).click(modifiers=["Control"])
    choose(page, combine.capitalize())
    pair = np.stack([KINDS["cross"].weights[0, 0], KINDS["cross"].weights[2, 7]])
    np.testing.assert_allclose(shown_rows(page, pair.shape[1]), getattr(pair, combine)(axis=0), atol=NEAR)
    tile(page, 3, 8).dblclick()
    expect(caption(page)).to_have_text("Cross · Layer 3, head 8")


def test_a_kind_of_fewer_layers_shows_a_head_that_it_has(page: Page) -> None:
    show(page, case="uneven", kind="encoder", heads="6.2")
    choose(page, "Cross")
    expect(caption(page)).to_have_text("Cross · Layer 3, head 1")
    expect(page.locator(".tile[aria-pressed=true]")).to_have_count(1)
    page.wait_for_function("JSON.stringify(window.told.commit?.heads) === '[[2,0]]'")


def test_a_bar_chooses_a_whole_layer_or_head_number(page: Page) -> None:
    show(page, kind="cross")
    page.get_by_role("button", name="Every head of layer 2").click()
    expect(page.locator(".tile[aria-pressed=true]")).to_have_count(8)
    page.get_by_role("button", name="Head 5 of every layer").click(modifiers=["Shift"])
    expect(page.locator(".tile[aria-pressed=true]")).to_have_count(10)
    weights = np.concatenate([KINDS["cross"].weights[1], KINDS["cross"].weights[[0, 2], 4]])
    np.testing.assert_allclose(shown_rows(page, weights.shape[1]), weights.mean(axis=0), atol=NEAR)


def test_special_tokens_are_hidden_and_rows_add_up_to_one_again(page: Page) -> None:
    show(page, kind="encoder", heads="1.1")
    page.get_by_role("button", name="More").click()
    choose(page, "No special tokens")
    inner = KINDS["encoder"].weights[0, 0][1:-1, 1:-1]
    np.testing.assert_allclose(shown_rows(page, len(inner)), inner, atol=NEAR)
    choose(page, "Rows add up to 1")
    sums = inner.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(shown_rows(page, len(inner)), inner / sums, atol=0.02)
    np.testing.assert_allclose(shown_rows(page, len(inner)).sum(axis=1), 1, atol=1e-5)


def test_a_link_may_pin_a_cell_of_a_token_that_it_hides(page: Page) -> None:
    show(page, kind="encoder", pins="3.1", hide="1")
    expect(page.get_by_label("No special tokens")).to_be_checked()
    expect(page.locator(".views > .matrix .readout")).to_have_text(re.compile(r"animal.*: \d\.\d{3,6}$"))
    assert page.errors == []


def test_a_pinned_row_is_exact_also_by_words(page: Page, explorer_url: str) -> None:
    visit(page, explorer_url, kind="cross", heads="2.5")
    kind = KINDS["cross"]
    weights = kind.weights[1, 4]
    click_cell(page, 5, 2, weights.shape)
    expect(page.locator(".bars th.pinned")).to_have_attribute("data-exact", "true")
    assert shown_row(page, 0).astype(np.float32).tolist() == weights[5].tolist()
    choose(page, "Words")
    expect(page.locator(".bars th.pinned")).to_have_attribute("title", "Straße · in full precision")
    words = by_words(weights, kind.queries.words, kind.keys.words)
    np.testing.assert_allclose(shown_row(page, 0), words[4], atol=1e-6)
    page.keyboard.press("Escape")
    expect(page.locator(".bars th.pinned")).to_have_count(0)


def test_what_is_chosen_is_in_the_url_and_opens_again(page: Page, explorer_url: str) -> None:
    visit(page, explorer_url)
    choose(page, "Cross")
    tile(page, 2, 3).click()
    shape = KINDS["cross"].weights.shape[2:]
    click_cell(page, 1, 2, shape)
    click_cell(page, 4, 0, shape)
    wait_for_address(page, "pins=2.3-5.1")
    assert "kind=cross" in address(page)
    assert "heads=2.3" in address(page)
    page.reload()
    expect(caption(page)).to_have_text("Cross · Layer 2, head 3")
    expect(page.locator(".views > .matrix .pin")).to_have_count(2)
    expect(page.locator(".bars th.pinned")).to_have_count(2)


def test_fast_choices_are_never_taken_back_by_an_answer_to_an_earlier_one(page: Page, explorer_url: str) -> None:
    with page.expect_websocket() as socket:
        visit(page, explorer_url, kind="cross")
    for heads in ((1, 2, 3), (4,), (5, 6), (7,)):
        # The next choice comes while the answer to these is under way.
        with socket.value.expect_event("framesent"):
            for head in heads:
                tile(page, 1, head).click()
    tile(page, 1, 8).click()
    wait_for_address(page, "heads=1.8")
    at_rest(page)
    expect(caption(page)).to_have_text("Cross · Layer 1, head 8")
    assert page.locator(".tile[aria-pressed=true]").count() == 1


def test_another_recording_takes_the_place_of_the_first_without_its_pins(page: Page, explorer_url: str) -> None:
    visit(page, explorer_url, kind="cross", heads="2.3", pins="9.2", step="9")
    page.get_by_text("Another sentence").click()
    expect(page.locator(".left .label:not(.here)")).to_have_text(["Hal", "·lo", "!", "⟨end⟩"])
    expect(caption(page)).to_have_text("Cross · Layer 2, head 3")
    expect(page.locator(".views > .matrix .pin")).to_have_count(0)
    np.testing.assert_allclose(shown_rows(page, 4), given.short()[0].weights[1, 2], atol=NEAR)
    tile(page, 1, 1).click()
    wait_for_address(page, "kind=cross")
    page.wait_for_function("!/pins|step|heads/.test(location.search)")
    assert page.errors == []


def test_a_view_that_the_page_asks_for_is_shown_and_can_be_left_again(page: Page, explorer_url: str) -> None:
    visit(page, explorer_url, kind="cross")
    tile(page, 1, 2).click()
    wait_for_address(page, "heads=1.2")
    page.get_by_role("button", name="The third head of the third layer").click()
    expect(caption(page)).to_have_text("Cross · Layer 3, head 3")
    wait_for_address(page, "heads=3.3")
    tile(page, 1, 2).click()
    wait_for_address(page, "heads=1.2")
    at_rest(page)
    expect(caption(page)).to_have_text("Cross · Layer 1, head 2")


def test_looking_around_sends_nothing_and_waits_for_nothing(page: Page, explorer_url: str) -> None:
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    visit(page, explorer_url, case="128")
    at_rest(page)
    sent.clear()
    for row in range(0, 128, 16):
        point_at_row(page, row, 128)
    page.get_by_role("button", name="Larger cells").click()
    tile(page, 2, 2).hover()
    at_rest(page)
    assert sent == []
    # A choice is told to the page, but what it changes is there before anything is sent.
    now = "tile => { tile.click(); return tile.getRootNode().querySelector('.matrix figcaption').textContent }"
    assert tile(page, 3, 3).evaluate(now) == "Encoder · Layer 3, head 3"
    assert sent == []


def test_the_page_scrolls_with_the_pointer_on_the_matrix(open_page: Callable[..., Page], explorer_url: str) -> None:
    page = visit(open_page(viewport={"width": 1440, "height": 400}), explorer_url)
    cells(page).hover()
    place = "document.querySelector('[data-testid=stMain]').scrollTop"
    before = page.evaluate(place)
    page.mouse.wheel(0, 100 if before == 0 else -100)
    page.wait_for_function(f"before => {place} !== before", arg=before)


def test_a_pinch_over_the_matrix_is_followed_up_to_the_largest_cell(page: Page) -> None:
    show(page, kind="cross")
    pinch = """(cells, { deltaY, times }) => {
      const wheel = () => new WheelEvent("wheel", { deltaY, ctrlKey: true, bubbles: true, cancelable: true });
      const isTaken = Array.from({ length: times }, () => !cells.dispatchEvent(wheel())).at(-1);
      return [cells.querySelector("canvas").offsetWidth, isTaken];
    }"""
    before = cells(page).locator("canvas").evaluate("canvas => canvas.offsetWidth")
    width, is_taken = cells(page).evaluate(pinch, {"deltaY": -3, "times": 10})
    assert is_taken
    assert before < width < 2 * before
    largest = 32 * len(KINDS["cross"].keys.labels)
    assert cells(page).evaluate(pinch, {"deltaY": -100, "times": 9}) == [largest, False]


def test_hover_lights_all_views_within_a_frame(page: Page) -> None:
    show(page, case="128")
    at_rest(page)
    measure = """cells => {
      const box = cells.getBoundingClientRect();
      const times = Array.from({ length: 60 }, (_, index) => {
        const at = { clientX: box.left + (index * 37) % box.width, clientY: box.top + (index * 53) % box.height };
        const start = performance.now();
        cells.dispatchEvent(new PointerEvent("pointermove", { ...at, bubbles: true, pointerType: "mouse" }));
        return performance.now() - start;
      });
      return times.sort((a, b) => a - b)[30];
    }"""
    assert cells(page).evaluate(measure) <= 16
    assert page.locator(".stage.focused").count() == 1
    assert page.locator(".views > .matrix .band:not([hidden])").count() == 2
    assert page.locator(".bars tr.here").count() <= 1


def test_what_marks_a_row_a_column_and_a_cell_is_told_from_every_colour_of_the_data(
    open_page: Callable[..., Page],
) -> None:
    for theme in ("light", "dark"):
        page = show(open_page(color_scheme=theme), theme=theme, kind="cross", heads="2.5", pins="3.4")
        point_at_row(page, 2, len(KINDS["cross"].queries.labels))
        marks = page.locator(".views > .matrix").locator(".band:not([hidden]), .frame:not([hidden]), .pin")
        expect(marks).to_have_count(4)
        ink, surface = rgb(PALETTES[theme].ink), rgb(PALETTES[theme].surface)
        # Ink beside surface: whatever colour is under them, one of the two stands out.
        for mark in marks.all():
            expect(mark).to_have_css("border-top-color", ink)
            expect(mark).to_have_css("box-shadow", re.compile(re.escape(surface)))


def test_a_threshold_hides_cells_and_keeps_numbers(page: Page) -> None:
    show(page, kind="encoder", heads="1.1")
    page.get_by_role("button", name="More").click()
    slider = page.get_by_role("slider", name="Hide below")
    drawn = """canvas => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, index) => index % 4 === 3 && value).length;
    }"""
    canvas = page.locator(".views > .matrix canvas")
    before = canvas.evaluate(drawn)
    slider.fill("0.3")
    weights = KINDS["encoder"].weights[0, 0]
    assert before == weights.size
    assert canvas.evaluate(drawn) == (np.rint(weights * 255) / 255 >= 0.3).sum()
    np.testing.assert_allclose(shown_rows(page, len(weights)), weights, atol=NEAR)


@pytest.mark.parametrize(("name", "sign"), [("entropy", 1), ("distance", 1), ("diagonal", -1), ("pointed", -1)])
def test_heads_are_sorted_by_a_measure_that_is_shown(page: Page, name: str, sign: int) -> None:
    show(page, kind="decoder", sort=name)
    weights = KINDS["decoder"].weights.astype(np.float64)
    away = np.abs(np.arange(weights.shape[2])[:, None] - np.arange(weights.shape[3]))
    logarithms = np.log2(weights, where=weights > 0, out=np.zeros_like(weights))
    expected = {
        "entropy": -(weights * logarithms).sum(axis=-1),
        "distance": (weights * away).sum(axis=-1),
        "diagonal": (weights * (away <= 1)).sum(axis=-1),
        "pointed": weights.max(axis=-1),
    }[name].mean(axis=-1)
    captions = page.locator(".tile .caption").all_text_contents()
    assert len(captions) == expected.size
    values = [float(text.split(" · ")[1]) for text in captions]
    assert [sign * value for value in values] == sorted(sign * value for value in values)
    for text, value in zip(captions, values, strict=True):
        layer, head = (int(number) - 1 for number in text.split(" · ")[0].split("."))
        assert value == pytest.approx(expected[layer, head], abs=0.05)


def test_heads_are_sorted_by_how_well_they_align_where_that_was_measured(page: Page, explorer_url: str) -> None:
    visit(page, explorer_url, kind="cross")
    order = page.get_by_role("combobox", name="Order")
    order.select_option(label="By alignment")
    wait_for_address(page, "sort=alignment")
    rates = KINDS["cross"].alignment
    assert rates is not None
    captions = page.locator(".tile .caption").all_text_contents()
    expected = sorted((rate, f"{layer + 1}.{head + 1}") for (layer, head), rate in np.ndenumerate(rates))
    assert captions == [f"{name} · {rate:.2f}" for rate, name in expected]
    choose(page, "Encoder")
    expect(order).to_have_value("layer")
    assert "By alignment" not in order.locator("option").all_text_contents()


def test_writing_is_stepped_through(page: Page) -> None:
    show(page, kind="cross")
    step = page.get_by_role("slider", name="Written", exact=True)
    step.fill("5")
    expect(page.locator(".steps output")).to_have_text("6 of 17: ße")
    expect(page.locator(".alternatives li")).to_have_text(["ße50%", "·ße40%", "<b>10%"])
    expect(page.locator(".alternatives .written")).to_have_text("·ße40%")
    expect(page.locator(".views > .matrix .lit")).to_have_count(1)
    beyond = """canvas => {
      const { data } = canvas.getContext("2d").getImageData(0, 6, canvas.width, canvas.height - 6);
      return data.some((value, index) => index % 4 === 3 && value);
    }"""
    assert not page.locator(".views > .matrix canvas").evaluate(beyond)
    for tokens in (".views > .matrix .left .label:visible", ".lines .queries .label:visible"):
        expect(page.locator(tokens)).to_have_count(6)
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".steps output")).not_to_have_text("6 of 17: ße")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Show all").click()
    expect(page.locator(".views > .matrix .lit")).to_have_count(0)
    expect(page.locator(".views > .matrix .left .label:visible")).to_have_count(17)


def test_two_heads_are_compared(page: Page) -> None:
    show(page, kind="cross", heads="1.1")
    page.get_by_role("button", name="More").click()
    page.get_by_role("combobox", name="Side by side", exact=True).select_option("heads")
    expect(page.locator(".comparison")).to_contain_text("Choose a second head")
    tile(page, 2, 6).click(modifiers=["Control"])
    expect(page.locator(".comparison figcaption:visible")).to_have_text(
        ["Layer 1, head 1", "Layer 2, head 6", "First minus second"]
    )
    difference = page.locator(".comparison .cells").nth(2)
    box = difference.bounding_box()
    assert box
    first, second = KINDS["cross"].weights[0, 0], KINDS["cross"].weights[1, 5]
    rows, columns = first.shape
    difference.hover(position={"x": 3.5 * box["width"] / columns, "y": 4.5 * box["height"] / rows})
    numbers = (
        page.locator(".comparison .readout").inner_text().split(": ")[1].replace("difference ", "").replace("−", "-")
    )
    shown = [float(part) for part in numbers.replace(" and", ",").split(", ")]
    assert shown == pytest.approx([first[4, 3], second[4, 3], first[4, 3] - second[4, 3]], abs=2 * NEAR + 0.0005)


def test_two_recordings_are_compared(page: Page) -> None:
    show(page, case="other", kind="cross", compare="recordings")
    expect(page.locator(".comparison figcaption:visible")).to_have_text(
        ["This one · Layer 1, head 1", "Other one · Layer 1, head 1"]
    )
    expect(page.locator(".comparison")).to_contain_text("Their tokens are not the same")
    matrices = page.locator(".comparison .matrix:visible")
    second, readout = matrices.nth(1), page.locator(".comparison .readout")
    second.locator(".cells").click(position={"x": 3, "y": 3})
    weight = given.short()[0].weights[0, 0, 0, 0]
    expect(readout).to_contain_text("\u2068Hal\u2069")
    assert float(readout.inner_text().split(": ")[1]) == pytest.approx(weight, abs=NEAR + 0.0005)
    # A pin is a place in the first one, whose tokens are others.
    expect(page.locator(".comparison .pin")).to_have_count(0)
    matrices.nth(0).locator(".cells").click(position={"x": 3, "y": 3})
    expect(matrices.nth(0).locator(".pin")).to_have_count(1)
    expect(second.locator(".pin, .frame:visible")).to_have_count(0)
    page.get_by_text("As a table").click()
    expect(page.locator(".table caption")).to_have_text(["This one · Layer 1, head 1", "Other one · Layer 1, head 1"])
    assert page.errors == []


def test_a_recording_without_the_chosen_head_is_not_shown_as_zeros(page: Page) -> None:
    show(page, case="uneven", kind="encoder", compare="recordings", heads="6.2")
    captions = page.locator(".comparison figcaption:visible")
    expect(captions).to_have_text(["This one · Layer 6, head 2"])
    expect(page.locator(".comparison")).to_contain_text("Not every chosen head is in both recordings")
    tile(page, 3, 2).click()
    expect(captions).to_have_text(["This one · Layer 3, head 2", "Other one · Layer 3, head 2", "First minus second"])
    assert page.errors == []


def test_what_stands_beside_the_matrix_runs_nothing(page: Page, explorer_url: str) -> None:
    visit(page, explorer_url, case="beside")
    expect(page.locator(".aside p:not(.other-heads)")).to_have_css("color", "rgb(1, 2, 3)")
    page.get_by_role("heading", name="Beside").click()
    assert page.locator(".aside").locator("img, script").count() == 0
    assert page.evaluate("window.ran") is None
    assert page.errors == []
