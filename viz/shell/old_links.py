"""Old links: words of a language as ids of values, and old names of parameters as new ones."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_suffix(".toml")


def renewed(link: Mapping[str, Iterable[str]], page: str = "") -> dict[str, list[str]]:
    """Return ``link``, all values of each parameter, with the id of what each old value was called.

    Parameters have the names that they now have on ``page``, the stem of its file; without it those that they had. A
    parameter that the link also has by its new name goes before.
    """
    values = {name: [_renewed(name, value) for value in values] for name, values in link.items()}
    names = _new_names(page, values)
    return {names[name]: values[name] for name in values if name in names} | {
        name: values[name] for name in values if name not in names
    }


def old_names(page: str) -> dict[str, str]:
    """Return the old name of each parameter of ``page``, the stem of its file, that had one."""
    of_page = (names for place, names in _names().items() if place.partition("?")[0] == page)
    return {new: old for names in of_page for old, new in names.items()}


def _new_names(page: str, link: Mapping[str, list[str]]) -> dict[str, str]:
    """Return the new name of each parameter of ``page``, as it is opened by ``link``, that has one."""
    names: dict[str, str] = {}
    for place, of_place in _names().items():
        stem, _, view = place.partition("?")
        name, _, value = view.partition("=")
        if stem == page and (not view or link.get(name, [])[-1:] == [value]):
            names |= of_place
    return names


def _renewed(name: str, value: str) -> str:
    for parameters, ids in _ids():
        if parameters.fullmatch(name) and value in ids:
            return ids[value]
    for parameters, form, template in _forms():
        match = form.fullmatch(value)
        if match and parameters.fullmatch(name):
            return match.expand(template)
    return value


@cache
def _names() -> Mapping[str, Mapping[str, str]]:
    """Return the new names of parameters by their old ones, for each page or view of a page."""
    names: Mapping[str, Mapping[str, str]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))["names"]
    return names


@cache
def _ids() -> tuple[tuple[re.Pattern[str], Mapping[str, str]], ...]:
    """Return for each group of parameters the id of each old value."""
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))["labels"]
    return tuple(
        (re.compile(parameters), {label: name for name, labels in table.items() for label in labels})
        for parameters, table in tables.items()
    )


@cache
def _forms() -> tuple[tuple[re.Pattern[str], re.Pattern[str], str], ...]:
    """Return for groups of parameters the form of old values, and what the id is made of."""
    forms = tomllib.loads(_FILE.read_text(encoding="utf-8"))["forms"]
    return tuple((re.compile(form["parameters"]), re.compile(form["old"]), form["id"]) for form in forms)
