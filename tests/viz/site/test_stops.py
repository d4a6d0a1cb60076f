"""What a stop of the site shows by the values of its controls is put together from what differs."""

import json
from itertools import product
from typing import Any

import pytest

from tests.node import run_module
from viz.base.languages import LANGUAGES
from viz.pages.start.reading_path import STOPS
from viz.site.changes import changes, shared
from viz.site.parts import PAGES
from viz.site.stops import labs_path, reading_path, view_files

CHANGED = """
import { changed } from "./viz/site/browser/changes.js";
import { readFileSync } from "node:fs";
const made = ([before, ...all]) => all.reduce((one, changes) => changed(one, changes), before);
console.log(JSON.stringify(JSON.parse(readFileSync(0)).map(made)));
"""
OBJECTS: list[dict[str, Any]] = [
    {},
    {"a": 1, "b": [1, 2], "c": {"d": None, "e": "text"}},
    {"a": None, "b": [1, 3], "c": {"d": 0}},
    {"a": 1, "b": [], "c": {"d": {"deep": [1]}, "e": "other"}},
    {"data": [{"x": [1], "y": {"dtype": "f4", "bdata": "AA"}}, {"x": [2]}], "a": {}},
    {"data": [{"x": [1], "y": {"dtype": "f4", "bdata": "AB"}}, {"x": [2], "z": 1}], "a": {"d": False}},
    {"data": [{"x": [1]}]},
]


def put_in(asked: list[list[Any]]) -> list[Any]:
    """Return what the browser makes of the first of each list with the others."""
    made: list[Any] = json.loads(run_module(CHANGED, given=json.dumps(asked).encode()))
    return made


def without_null(value: Any) -> Any:
    """Return ``value`` without keys that are null: what is no longer there is null."""
    if isinstance(value, list):
        return [*map(without_null, value)]
    if not isinstance(value, dict):
        return value
    return {key: without_null(one) for key, one in value.items() if one is not None}


@pytest.fixture(scope="module")
def views() -> dict[str, Any]:
    """The files of what stops show, by name."""
    return {name: json.loads(content) for name, content in view_files(PAGES).items()}


def test_the_browser_makes_of_one_object_the_other() -> None:
    pairs = [*product(OBJECTS, OBJECTS)]
    made = put_in([[before, changes(before, after)] for before, after in pairs])
    for (before, after), one in zip(pairs, made, strict=True):
        assert without_null(one) == without_null(after), (before, after)


def test_what_all_have_and_what_each_has_beside_it_is_all() -> None:
    alike = shared(OBJECTS[1:4])
    assert shared([OBJECTS[1]]) == OBJECTS[1]
    assert put_in([[alike, changes(alike, one)] for one in OBJECTS[1:4]]) == OBJECTS[1:4]


def test_equal_objects_differ_in_nothing() -> None:
    assert all(changes(one, one) == {} for one in OBJECTS)


def test_a_file_has_every_combination_of_values_in_every_language(views: dict[str, Any]) -> None:
    stops = reading_path(PAGES)["stops"]
    for number, stop in enumerate(stops, start=1):
        name = f"read-along-{number}.json"
        assert (name in views) == bool(stop["controls"])
        if name not in views:
            continue
        keys = {" ".join(values) for values in product(*(one["values"] for one in stop["controls"]))}
        opened = " ".join(one["opens_at"] for one in stop["controls"])
        assert views[name].keys() == {"all", *LANGUAGES}
        for language in LANGUAGES:
            changed = {key for part in ("all", language) for key, view in views[name][part].items() if view}
            assert changed >= keys - {opened}, name
            assert opened not in changed


def test_what_is_set_is_what_is_asked_about(views: dict[str, Any]) -> None:
    (number,) = (place for place, stop in enumerate(STOPS, start=1) if stop.name == "causal-mask")
    stop, file = reading_path(PAGES)["stops"][number - 1], views[f"read-along-{number}.json"]
    (view,) = put_in([[stop, file["all"]["4"], file["en"]["4"]]])
    assert (stop["answer"]["right"], view["answer"]["right"]) == (28, 6)
    assert "4 × 4" in view["html"]["question"]
    assert view["html"]["words"] == stop["html"]["words"]
    (before,), (after,) = stop["charts"], view["charts"]
    assert before["figures"]["light"]["data"] != after["figures"]["light"]["data"]
    assert before["alt"] != after["alt"]


def test_each_mistake_that_is_to_be_expected_has_its_own_words() -> None:
    asked = [stop for stop in labs_path(PAGES)["stops"] if stop["answer"] and stop["answer"]["mistakes"]]
    assert asked
    for stop in asked:
        places = range(len(stop["answer"]["mistakes"]))
        words = {stop["html"][name] for name in ("wrong once", *(f"mistake {place}" for place in places))}
        assert len(words) == len(places) + 1


def test_all_of_them_are_small(views: dict[str, Any]) -> None:
    assert sum(len(json.dumps(file)) for file in views.values()) < 3_000_000
