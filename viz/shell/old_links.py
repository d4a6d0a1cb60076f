"""Old links, which have words of a language as values: every page reads them as if they had ids."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_suffix(".toml")


def renewed(link: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return ``link``, all values of each parameter, with the id of what each old value was called."""
    return {name: [_renewed(name, value) for value in values] for name, values in link.items()}


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
