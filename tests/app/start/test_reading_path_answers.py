"""Every question of the reading path is answered as a reader would: off the screen, or off the printed sheet.

Nothing here asks the model. A stop with a question needs a reading of its picture and one of the sheet.
"""

import json
import math
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from html import unescape
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import open_in_app, run, written
from viz.figures.base import labels_of
from viz.pages.start.exercise_sheet import exercise_sheet
from viz.pages.start.reading_path import STOPS

ASKED = [stop.name for stop in STOPS if stop.question]
SETTINGS = [
    ("residual", {"stack": "decoder"}),
    ("residual", {"stop-sentence": "Two dogs are running through the snow."}),
    ("scaled-dot-product", {"d_k": "4"}),
    ("causal-mask", {"mask-n": "16"}),
    (
        "cross-attention",
        {"stop-sentence": "Two dogs are running through the snow.", "cross-layer": "3", "cross-head": "5"},
    ),
    ("sinusoids", {"sinusoids-d_model": "256", "sinusoids-length": "10"}),
    ("sinusoids", {"sinusoids-d_model": "128", "sinusoids-length": "10"}),
    ("linear-function", {"move-k": "30"}),
    ("why-self-attention", {"cost-d": "1024"}),
    ("schedule", {"warmup": "500", "schedule-d_model": "128"}),
    ("dropout", {"dropout-rate": "0.8"}),
    ("label-smoothing", {"epsilon": "0.0"}),
    ("label-smoothing", {"epsilon": "0.5"}),
    ("bleu", {"hypothesis": "the the the dog", "reference": "the dog saw the cat"}),
    ("beam-search", {"alpha": "2.0"}),
    ("generalization", {"stop-task": "reverse"}),
    ("generalization", {"stop-task": "copy_letters"}),
    ("no-encoding", {"t": "40"}),
    ("recurrence", {"segment": "16", "layers": "12"}),
]


@dataclass(frozen=True)
class Screen:
    """What a stop shows: its figures as they are sent to the browser, its words and its boxes."""

    app: AppTest

    @property
    def figures(self) -> list[dict[str, Any]]:
        return [decoded(json.loads(chart.proto.spec)) for chart in self.app.get("plotly_chart")]

    @property
    def traces(self) -> list[dict[str, Any]]:
        return [trace for figure in self.figures for trace in figure["data"]]

    @property
    def cells(self) -> np.ndarray:
        (trace,) = self.traces
        return trace["z"]

    @property
    def question(self) -> str:
        heading = next(place for place in self.app.subheader if place.value.startswith("Question "))
        entries = [entry.value for entry in self.app.main if entry.type in ("markdown", "subheader")]
        return entries[entries.index(heading.value) + 1].replace("\\", "")

    @property
    def options(self) -> list[str]:
        return next(box.options for box in self.app.selectbox if box.label == "Your answer")

    def box(self, label: str) -> str:
        return next(box.value for box in self.app.text_input if box.label == label)


def decoded(value: Any) -> Any:
    """Return ``value`` with the arrays that it has in base 64."""
    if isinstance(value, dict) and "bdata" in value:
        array = np.frombuffer(b64decode(value["bdata"]), value["dtype"])
        return array.reshape([int(size) for size in value["shape"].split(",")]) if "shape" in value else array
    if isinstance(value, dict):
        return {key: decoded(entry) for key, entry in value.items()}
    return [decoded(entry) for entry in value] if isinstance(value, list) else value


def numbers(text: str) -> list[float]:
    return [float(found.replace(",", "")) for found in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def value_of(name: str, text: str) -> float:
    return numbers(text.split(f"{name} = ")[1])[0]


def rounded(value: float, digits: int = 3) -> float:
    """Return ``value`` as it is written in the picture or beside the pointer."""
    return float(f"{value:.{digits}g}")


# Off the screen


def blocks_in_sight(screen: Screen) -> int:
    """Count the blocks of the towers; none is hidden by another one."""
    (figure,) = screen.figures
    bars = [
        *zip(*(np.concatenate([trace[name] for trace in figure["data"]]) for name in ("x", "base", "y")), strict=True)
    ]
    ends: dict[float, float] = {}
    for tower, base, height in sorted(bars):
        assert height > 0
        assert base >= ends.get(tower, 0)
        ends[tower] = base + height
    return len(bars)


def growth_written(screen: Screen) -> float:
    (heights,) = (trace for trace in screen.traces if trace.get("texttemplate") == "%{y:.3g}")
    return rounded(heights["y"][-2]) / rounded(heights["y"][0])


def spread_undone(screen: Screen) -> float:
    scaled, plain = (trace["y"].astype(float) for trace in screen.traces)
    second, first = np.argsort(plain)[-2:]
    return float(np.log(plain[first] / plain[second]) / np.log(scaled[first] / scaled[second]))


def width_among_heads(screen: Screen) -> float:
    (figure,) = screen.figures
    return numbers(screen.question)[0] / len(figure["layout"]["annotations"])


def deepest_in_row(screen: Screen) -> str:
    (figure,) = screen.figures
    number, token = re.findall(r"token (\d+), “(.+)”", screen.question)[0]
    row = figure["layout"]["yaxis"]["ticktext"].index(*labels_of([f"{number} · {token}"]))
    label = figure["layout"]["xaxis"]["ticktext"][screen.cells[row].argmax()]
    (option,) = (option for option in screen.options if labels_of([option]) == [label])
    return option


def turns_seen(screen: Screen) -> int:
    pairs = screen.cells.reshape(len(screen.cells), -1, 2).astype(float)
    angles = np.unwrap(np.arctan2(pairs[..., 0], pairs[..., 1]), axis=0)
    return int((angles[-1] - angles[0] >= 2 * np.pi).sum())


def angle_of_block(screen: Screen) -> float:
    first = 2 * int(re.findall(r"pair (\d+)", screen.question)[0])
    cosine, sine = (rounded(value) for value in screen.cells[first, first : first + 2])
    return math.atan2(sine, cosine)


def after_the_crossing(screen: Screen) -> int:
    attention, recurrence = screen.traces
    lead = np.log(attention["y"].astype(float) / recurrence["y"])
    return round(math.exp(np.interp(0, lead, np.log(attention["x"])))) + 1


def smallest_loss(screen: Screen) -> float:
    smoothed, _ = screen.figures[1]["data"]
    return rounded(smoothed["x"][smoothed["y"].argmin()], 2)


def shared_bigrams(translation: str, reference: str) -> int:
    pairs = (Counter(pairwise(words)) for words in (translation.split(), reference.split()))
    return (next(pairs) & next(pairs)).total()


def divided_by(screen: Screen) -> float:
    (row,) = re.findall(r"<tr><t[hd][^>]*>hypothesis 1<.*?</tr>", written(screen.app))
    cells = re.findall(r">([^<>]+)<", row.replace("−", "-"))
    total, score = map(float, cells[2:4])
    return total / score


def highest_at_length(screen: Screen) -> str:
    (length,) = re.findall(r"length (\d+)", screen.question)
    lines = [trace for trace in screen.traces if trace.get("showlegend", True)]
    return max(lines, key=lambda line: line["y"][line["x"] == float(length)])["name"]


def memory_times_layers(screen: Screen) -> float:
    (figure,) = screen.figures
    remembered = sum(label.startswith("−") for label in figure["layout"]["xaxis"]["ticktext"])
    return remembered * numbers(screen.question)[1]


def alike_along_diagonals(screen: Screen) -> str:
    (figure,) = screen.figures
    (found,) = (
        note["text"]
        for note, shape in zip(figure["layout"]["annotations"], figure["layout"]["shapes"], strict=True)
        if is_alike_along_diagonals(framed(screen.cells, shape))
    )
    return found


def framed(cells: np.ndarray, shape: dict[str, float]) -> np.ndarray:
    top, bottom, left, right = (round(shape[edge] + 0.5) for edge in ("y0", "y1", "x0", "x1"))
    return cells[top:bottom, left:right]


def is_alike_along_diagonals(cells: np.ndarray) -> bool:
    return all(np.allclose(along := np.diagonal(cells, -place), along[0]) for place in range(len(cells)))


SCREEN: dict[str, Callable[[Screen], float | str]] = {
    "stacks": blocks_in_sight,
    "residual": growth_written,
    "scaled-dot-product": spread_undone,
    "multi-head": width_among_heads,
    "causal-mask": lambda screen: int((screen.cells == 0).sum()),
    "cross-attention": deepest_in_row,
    "feed-forward": lambda screen: PAPER["feed-forward"](screen.question),
    "embeddings": lambda screen: PAPER["embeddings"](screen.question),
    "sinusoids": turns_seen,
    "linear-function": angle_of_block,
    "why-self-attention": after_the_crossing,
    "schedule": lambda screen: rounded(max(screen.traces[0]["y"]), 2),
    "dropout": lambda screen: rounded(screen.cells.max()),
    "label-smoothing": smallest_loss,
    "bleu": lambda screen: shared_bigrams(screen.box("Translation"), screen.box("Reference")),
    "beam-search": divided_by,
    "variations": lambda screen: int((screen.traces[0]["x"] > 0).sum()),
    "generalization": highest_at_length,
    "ranking": lambda screen: PAPER["ranking"](screen.question),
    "no-encoding": lambda screen: rounded(
        screen.traces[0]["y"][screen.traces[0]["x"] == value_of("t", screen.question)][0]
    ),
    "recurrence": memory_times_layers,
    "four-terms": alike_along_diagonals,
}


# Off the sheet


def table_of(text: str) -> tuple[list[str], dict[str, list[float]]]:
    """The headings of the columns of the table in ``text``, and its rows by their names."""
    (_, *columns), *rows = (line.split("|") for line in text.splitlines() if "|" in line)
    return columns, {name: [*map(float, values)] for name, *values in rows}


def deepest_in_row(text: str) -> str:
    """The heading of the largest weight in the row of the token that the question names."""
    columns, rows = table_of(text)
    (number,) = re.findall(r"writes token (\d+)", text)
    (row,) = (values for name, values in rows.items() if name.split()[0] == number)
    return columns[row.index(max(row))]


def best_at_length(text: str) -> str:
    """The row with the largest value at the length that the question names."""
    columns, rows = table_of(text)
    (length,) = re.findall(r"at length (\d+)", text)
    return max(rows, key=lambda name: rows[name][columns.index(length)])


def turns_computed(text: str) -> int:
    pairs, d_model, _, last = numbers(text)[:4]
    return sum(last * 10000 ** (-2 * pair / d_model) >= 2 * math.pi for pair in range(int(pairs)))


def angle_computed(text: str) -> float:
    pair, _, d_model, steps = numbers(text)[:4]
    return steps * 10000 ** (-2 * pair / d_model)


def better_listed(text: str) -> int:
    question, listed = text.split("BLEU of the variations: ")
    return sum(float(value) > numbers(question)[0] for value in re.findall(r" (\d+(?:\.\d+)?)(?=[;.])", listed))


def neither_q_nor_k(text: str) -> str:
    terms = re.findall(r"(\([a-d]\)) ([a-z]+·[a-zA-Z]+)", text)
    (letter,) = (letter for letter, term in terms if not {"q", "k"} & {*term})
    (option,) = re.findall(rf"{re.escape(letter)} [a-z ]+", text.split("One of:")[1])
    return option


PAPER: dict[str, Callable[[str], float | str]] = {
    "stacks": lambda text: 2 * numbers(text)[0] + 3 * numbers(text)[1],
    "residual": lambda text: numbers(text)[1] / numbers(text)[0],
    "scaled-dot-product": lambda text: math.sqrt(value_of("d_k", text)),
    "multi-head": lambda text: numbers(text)[0] / numbers(text)[1],
    "causal-mask": lambda text: numbers(text)[0] * (numbers(text)[0] - 1) / 2,
    "cross-attention": deepest_in_row,
    "feed-forward": lambda text: 2 * numbers(text)[0] * numbers(text)[1] + numbers(text)[0] + numbers(text)[1],
    "embeddings": lambda text: math.sqrt(value_of("d_model", text)),
    "sinusoids": turns_computed,
    "linear-function": angle_computed,
    "why-self-attention": lambda text: value_of("d", text) + 1,
    "schedule": lambda text: 1e4 / math.sqrt(numbers(text)[0] * numbers(text)[1]),
    "dropout": lambda text: 1 / (1 - numbers(text)[0]),
    "label-smoothing": lambda text: 1 - value_of("ε", text) + value_of("ε", text) / numbers(text)[0],
    "bleu": lambda text: shared_bigrams(*re.findall(r"Translation: (.+)\. Reference: (.+)\.", text)[0]),
    "beam-search": lambda text: ((5 + numbers(text)[0]) / 6) ** value_of("α", text),
    "variations": better_listed,
    "generalization": best_at_length,
    "ranking": lambda text: sum(1 / rank for rank in numbers(text)[:3]) / 3,
    "no-encoding": lambda text: 1 / value_of("t", text),
    "recurrence": lambda text: numbers(text)[0] * numbers(text)[1],
    "four-terms": neither_q_nor_k,
}


@cache
def printed() -> dict[str, str]:
    """Return by stop what the sheet prints of its exercise, without its heading."""
    questions, _ = exercise_sheet(STOPS, "/read-along").split('<section class="answers">')
    exercises = (re.findall(r"<p>(.*?)</p>|<tr>(.*?)</tr>", exercise) for exercise in questions.split("<li>")[1:])
    lines = ([text or "|".join(re.findall(r"<t[hd]>(.*?)</t[hd]>", row)) for text, row in one] for one in exercises)
    return dict(zip(ASKED, (unescape("\n".join(paragraphs)) for paragraphs in lines), strict=True))


def is_accepted(app: AppTest, answer: float | str) -> bool:
    if isinstance(answer, str):
        next(box for box in app.selectbox if box.label == "Your answer").select(answer)
    else:
        next(box for box in app.number_input if box.label == "Your answer").set_value(float(answer))
    next(button for button in app.button if button.label == "Check").click()
    return "**Right.**" in written(run(app))


def opened(name: str, **link: str) -> AppTest:
    return open_in_app("read_along", stop=str([stop.name for stop in STOPS].index(name) + 1), **link)


@pytest.mark.parametrize(("name", "link"), [*((name, {}) for name in ASKED), *SETTINGS])
def test_what_is_read_off_the_screen_is_right(name: str, link: dict[str, str]) -> None:
    app = opened(name, **link)
    assert not app.warning
    answer = SCREEN[name](Screen(app))
    assert is_accepted(app, answer), answer


@pytest.mark.parametrize("name", ASKED)
def test_what_is_computed_from_the_sheet_is_right(name: str) -> None:
    stop = next(stop for stop in STOPS if stop.name == name)
    assert stop.question
    assert stop.picture
    answer = PAPER[name](printed()[name])
    assert stop.question(stop.picture.opening()).accepts(answer), answer


def test_the_sheet_counts_its_exercises() -> None:
    headings = re.findall(r"<h2>(\d+)\. ", exercise_sheet(STOPS, "/read-along"))
    assert [int(heading) for heading in headings] == [*range(1, len(ASKED) + 1)]


@pytest.mark.parametrize("name", ASKED)
def test_a_count_is_not_right_by_rounding(name: str) -> None:
    stop = next(stop for stop in STOPS if stop.name == name)
    assert stop.question
    assert stop.picture
    answer = stop.question(stop.picture.opening())
    if isinstance(answer.right, int):
        assert answer.within == 0
