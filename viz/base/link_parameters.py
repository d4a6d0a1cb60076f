"""State of a page or a view: a frozen dataclass whose fields define how a link writes each value.

    @dataclass(frozen=True)
    class Sampling:
        temperature: float = in_link(Number("temperature", 0.8, 0.1, 2.0, 0.1))
        seed: int = in_link(Number("seed", 1, 0, 1_000_000))

One codec is made of these fields: :func:`read_link` and :func:`link_of` for links, :func:`read_fields` for what a
browser sends. A parameter's key is also the key of the widget that sets it.
"""

import dataclasses
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from viz.base.markdown import safe_as_code
from viz.base.words import between, listed, page_text

TEXT = page_text("base/link_parameters")

Value = TypeVar("Value")

# More would fill a phone's screen; then so many of the first ones stand for them, and the last one.
_MOST_LISTED, _LISTED_FIRST = 8, 3
# Half of a surrogate pair, which a link makes three characters of that stand for what cannot be read.
_UNREADABLE = re.compile("[\ud800-\udfff\N{REPLACEMENT CHARACTER}]+")


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
        """The values that a link may carry, as text."""


@dataclass(frozen=True)
class Number(LinkParameter[Any]):
    """A number in a range, both ends included; whole where its default is."""

    low: float
    high: float
    step: float = 1

    def read(self, text: str) -> Any:
        """Return the number that ``text`` writes.

        Raises:
            ValueError: ``text`` is no number, or lies outside the range.
        """
        # Python also takes digits of other scripts and underscores, which the browser's number box does not.
        value = type(self.default)(text) if text.isascii() and "_" not in text else math.nan
        # The ends are finite; no conversion, since an integer of 400 digits is no float.
        if not self.low <= value <= self.high:
            raise ValueError(text)
        return value

    def write(self, value: Any) -> str:
        """Return ``value`` in twelve digits at most."""
        return f"{value:.12g}"

    @property
    def allowed(self) -> str:
        """The range, as text."""
        return between(f"{self.low:,.10g}", f"{self.high:,.10g}")


def id_of(value: object) -> str:
    """Return the id of ``value`` in a link: a name of the code unchanged, a truth value in lower case."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def number_from_one(index: int) -> str:
    """Return what a link carries for the thing at ``index``, where people count from 1."""
    return str(index + 1)


@dataclass(frozen=True)
class Choice(LinkParameter[Value]):
    """One of a few values; a link carries the id of one, which is the same in every language.

    Attributes:
        options: the values.
        summary: what a link may carry, as text, where a list of ids would say too little.
        labels: what the values are called on the screen; their ids without it.
        id: returns the id of a value.
    """

    options: tuple[Value, ...]
    summary: str = ""
    labels: Mapping[Value, str] | None = field(default=None, hash=False)
    id: Callable[[Value], str] = field(default=id_of, hash=False)

    def read(self, text: str) -> Value:
        """Return the value of the id ``text``; raises ValueError where there is none."""
        for option in self.options:
            if self.write(option) == text:
                return option
        raise ValueError(text)

    def write(self, value: Value) -> str:
        """Return the id of ``value``."""
        return self.id(value)

    def label(self, value: Value) -> str:
        """Return what ``value`` is called on the screen."""
        return self.write(value) if self.labels is None else self.labels[value]

    @property
    def allowed(self) -> str:
        """All ids as text, shortened to the first and last ones or a summary where there are many.

        Without the empty id, which text cannot show.
        """
        if self.summary:
            return self.summary
        ids = [*filter(None, map(self.write, self.options))]
        if not ids:
            return TEXT["nothing"]
        if len(ids) > _MOST_LISTED:
            ids[_LISTED_FIRST:-1] = ["…"]
        return listed(ids)


def choice_of(key: str, options: Iterable[str]) -> Choice[str]:
    """Return the choice between ``options``, with the first as its default."""
    known = tuple(options)
    return Choice(key, next(iter(known), ""), known)


def labelled(key: str, labels: Mapping[Value, str], default: Value | None = None) -> Choice[Value]:
    """Return the choice between values that have ``labels``; without a ``default`` the first value is it."""
    options = tuple(labels)
    return Choice(key, options[0] if default is None else default, options, labels=labels)


def counted(key: str, count: int, default: int = 0) -> Choice[int]:
    """Return the choice of one of ``count`` things: from 0 in the code, from 1 in links and on the screen."""
    return Choice(key, default, tuple(range(count)), id=number_from_one)


def switch(key: str, default: bool) -> Choice[bool]:
    """Return what a link carries for a toggle."""
    return Choice(key, default, (False, True))


class Verbatim(LinkParameter[str]):
    """A text that a link carries as it is, where it :meth:`is_allowed`."""

    @abstractmethod
    def is_allowed(self, text: str) -> bool:
        """Whether ``text`` is a value."""

    def read(self, text: str) -> str:
        """Return ``text``; raises ValueError where it is no value."""
        if not self.is_allowed(text):
            raise ValueError(text)
        return text

    def write(self, value: str) -> str:
        """Return ``value`` as it is."""
        return value


@dataclass(frozen=True)
class Text(Verbatim):
    """A text of at most ``max_characters``."""

    max_characters: int

    def is_allowed(self, text: str) -> bool:
        """Whether ``text`` is short enough."""
        return len(text) <= self.max_characters

    @property
    def allowed(self) -> str:
        """The allowed number of characters, in words."""
        return TEXT["characters"].format(most=self.max_characters)


@dataclass(frozen=True)
class Lines(Text):
    """A text of any number of lines: of one that is longer than ``max_characters`` the beginning is read."""

    def is_allowed(self, text: str) -> bool:
        """Whether it is a text."""
        return isinstance(text, str)

    def read(self, text: str) -> str:
        """Return what is read of ``text``, the same whether it was typed, pasted or linked.

        Its lines end as in a browser's box, and one character stands for all in a row that cannot be read.
        """
        lines = re.sub("\r\n?", "\n", text)
        return _UNREADABLE.sub("\N{REPLACEMENT CHARACTER}", lines)[: self.max_characters]


def such_as(example: str) -> str:
    """Return what a link may carry, as text, where an example says more than a rule."""
    return TEXT["such as"].format(example=example)


@dataclass(frozen=True)
class BadLink:
    """A link's value under ``key`` that is not ``allowed``; ``text`` is short, and safe as Markdown code.

    ``allowed`` stands in a sentence: it does not end in a full stop, whatever its last label does.
    """

    key: str
    text: str
    allowed: str


def in_link(parameter: LinkParameter[Value]) -> Any:
    """Return a dataclass field that ``parameter`` reads from a link and writes into it."""
    return field(default=parameter.default, metadata={"parameter": parameter})


def parameters_of(state: PageState | type[PageState]) -> dict[str, LinkParameter[Any]]:
    """Return the parameter of each field of a state, by the field's name."""
    return {field.name: field.metadata["parameter"] for field in dataclasses.fields(state)}


def bad_links(parameters: Iterable[LinkParameter[Any]], link: Mapping[str, str]) -> list[BadLink]:
    """Return what ``link`` carries against ``parameters``."""
    return [
        BadLink(parameter.key, safe_as_code(link[parameter.key]), parameter.allowed.removesuffix("."))
        for parameter in parameters
        if parameter.key in link and not is_readable(parameter, link[parameter.key])
    ]


def read_link(state: type[State], link: Mapping[str, str]) -> tuple[State, list[BadLink]]:
    """Return the state that ``link`` describes, and its unreadable values, which take their defaults."""
    parameters = parameters_of(state)
    values = {
        name: parameter.read(link[parameter.key])
        for name, parameter in parameters.items()
        if parameter.key in link and is_readable(parameter, link[parameter.key])
    }
    return state(**values), bad_links(parameters.values(), link)


def read_fields(state: type[State], values: Mapping[str, Any]) -> State | None:
    """Return the state from the field values that a browser sends; None where a link could not hold one."""
    try:
        link = {
            parameter.key: parameter.write(values[name])
            for name, parameter in parameters_of(state).items()
            if values.get(name) is not None
        }
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None
    if not all(isinstance(text, str) for text in link.values()):
        return None
    read, bad = read_link(state, link)
    return None if bad else read


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


def is_value(parameter: LinkParameter[Any], value: Any) -> bool:
    """Whether ``value`` is one that ``parameter`` may have."""
    try:
        return value == parameter.default or is_readable(parameter, parameter.write(value))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return False


def is_readable(parameter: LinkParameter[Any], text: str) -> bool:
    """Whether ``parameter`` has a value that ``text`` stands for."""
    try:
        parameter.read(text)
    except ValueError:
        return False
    return True
