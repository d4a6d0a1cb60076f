"""The state of a page: a frozen dataclass whose fields say how each value is written in a link.

    @dataclass(frozen=True)
    class Sampling:
        temperature: float = in_link(Number("temperature", 0.8, 0.1, 2.0, 0.1))
        seed: int = in_link(Number("seed", 1, 0, 1_000_000))

One codec, made of these fields, reads the state from a link (:func:`read_link`), writes it into one (:func:`link_of`),
names the widgets (a parameter's key is the widget's) and keeps it in the session (:func:`kept`, :func:`keep`).
"""

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import streamlit as st

from viz.base.markdown import safe_as_code
from viz.shell.link import write_link

Value = TypeVar("Value")


class PageState(Protocol):
    """Any dataclass whose fields are made by :func:`in_link`."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


State = TypeVar("State", bound=PageState)


@dataclass(frozen=True)
class LinkParameter(ABC, Generic[Value]):
    """One value of a page's state: ``key`` is its name in the link and the key of its widget."""

    key: str
    default: Value

    @abstractmethod
    def read(self, text: str) -> Value:
        """Return the value that ``text`` stands for; raises ValueError where it stands for none."""

    @abstractmethod
    def write(self, value: Value) -> str:
        """Return ``value`` as a link carries it."""

    @property
    @abstractmethod
    def allowed(self) -> str:
        """What a link may carry, as text."""


@dataclass(frozen=True)
class Number(LinkParameter[Any]):
    """A number in a range, both ends included; whole where its default is."""

    low: float
    high: float
    step: float = 1

    def read(self, text: str) -> Any:
        """Return the number that ``text`` writes; raises ValueError where that is none or lies outside of the range."""
        value = type(self.default)(text)
        if not (math.isfinite(value) and self.low <= value <= self.high):
            raise ValueError(text)
        return value

    def write(self, value: Any) -> str:
        """Return ``value`` in ten digits at most."""
        return f"{value:.10g}"

    @property
    def allowed(self) -> str:
        """The range, as text."""
        return f"{self.low:,.10g} – {self.high:,.10g}"


@dataclass(frozen=True)
class Choice(LinkParameter[str]):
    """One of a few texts: labels, as a widget writes them into the link, or names."""

    options: tuple[str, ...]
    summary: str = ""

    def read(self, text: str) -> str:
        """Return ``text``; raises ValueError where it is none of the options."""
        if text not in self.options:
            raise ValueError(text)
        return text

    def write(self, value: str) -> str:
        """Return ``value`` as it is."""
        return value

    @property
    def allowed(self) -> str:
        """All options, as text, or the summary of many."""
        return self.summary or ", ".join(self.options)


def choice_of(key: str, options: Iterable[str]) -> Choice:
    """Return the choice between ``options``, with the first as its default."""
    known = tuple(options)
    return Choice(key, next(iter(known), ""), known)


@dataclass(frozen=True)
class BadLink:
    """What a link carries under ``key`` and is not ``allowed``; ``given`` is short, and safe as code in Markdown."""

    key: str
    given: str
    allowed: str


def in_link(parameter: LinkParameter[Value]) -> Any:
    """Return a dataclass field that ``parameter`` reads from a link and writes into it."""
    return dataclasses.field(default=parameter.default, metadata={"parameter": parameter})


def parameters_of(state: PageState | type[PageState]) -> dict[str, LinkParameter[Any]]:
    """Return the parameter of each field of a state, by the field's name."""
    return {field.name: field.metadata["parameter"] for field in dataclasses.fields(state)}


def bad_links(parameters: Iterable[LinkParameter[Any]], link: Mapping[str, str] | None = None) -> list[BadLink]:
    """Return what ``link``, by default the page's own, carries against ``parameters``.

    Ask before the widgets are drawn: they drop such values.
    """
    given = st.query_params.to_dict() if link is None else link
    return [
        BadLink(parameter.key, safe_as_code(given[parameter.key]), parameter.allowed)
        for parameter in parameters
        if parameter.key in given and not _is_readable(parameter, given[parameter.key])
    ]


def linked_value(parameter: LinkParameter[Value]) -> Value:
    """Return what the page's link says of ``parameter``; its default where that is nothing, or cannot be read."""
    text = st.query_params.get(parameter.key)
    return parameter.default if text is None or not _is_readable(parameter, text) else parameter.read(text)


def read_link(state: type[State], link: Mapping[str, str]) -> tuple[State, list[BadLink]]:
    """Return the state that ``link`` describes, and what it carries that cannot be read: that is as by default."""
    parameters = parameters_of(state)
    values = {
        name: parameter.read(link[parameter.key])
        for name, parameter in parameters.items()
        if parameter.key in link and _is_readable(parameter, link[parameter.key])
    }
    return state(**values), bad_links(parameters.values(), link)


def link_of(state: PageState) -> dict[str, str | None]:
    """Return what a link carries for ``state``, by the parameters' keys: None for what is as by default."""
    values = {parameter: getattr(state, name) for name, parameter in parameters_of(state).items()}
    return {
        parameter.key: None if value == parameter.default else parameter.write(value)
        for parameter, value in values.items()
    }


def query_of(state: PageState) -> dict[str, str]:
    """Return what a link to another page carries for ``state``."""
    return {key: text for key, text in link_of(state).items() if text is not None}


def kept(state: type[State]) -> State | None:
    """Return the state of that kind that the session holds; None before :func:`keep`."""
    return st.session_state.get(_entry(state))


def keep(state: PageState) -> None:
    """Have the session and the page's link hold ``state``."""
    st.session_state[_entry(type(state))] = state
    write_link(link_of(state))


def _entry(state: type[PageState]) -> str:
    return f"{state.__module__}.{state.__qualname__}"


def _is_readable(parameter: LinkParameter[Any], text: str) -> bool:
    try:
        parameter.read(text)
    except ValueError:
        return False
    return True
