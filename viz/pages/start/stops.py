"""Parts of a stop of the reading path; its words are a section of ``words/en/stops.md``."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from viz.base.link_parameters import Choice, LinkParameter, Number
from viz.base.words import PageText, page_text, sections_of
from viz.figures.chart import Chart

Paper = Literal["vaswani", "kazemnejad", "dai"]
ControlKind = Literal["slider", "row", "list", "number", "text", "sentence"]
TEXT = page_text("pages/start/stops")
_PART = re.compile(r"^### ", re.MULTILINE)
_ROW = re.compile(r"^\| *([^|]+?) *\| *([^|]+?) *\| *([^|]+?) *\|$", re.MULTILINE)


@dataclass(frozen=True)
class Numbers:
    """The numbers of a picture for print: a heading for each column, and named rows."""

    columns: tuple[str, ...]
    rows: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True)
class Answer:
    """The right answer to a question as it stands.

    Attributes:
        right: one of the ``options``, or a number where there are none.
        values: what the words of the question, its hint and its reason are filled in with.
        options: what may be answered.
        within: by what share of itself a number may be missed.
        numbers: those of the picture, where the answer is read off it.
        mistakes: wrong answers that are to be expected; for each the words say what led to it.
    """

    right: float | str
    values: Mapping[str, object] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    within: float = 0.0
    numbers: Numbers | None = None
    mistakes: tuple[float | str, ...] = ()

    def accepts(self, response: float | str) -> bool:
        """Whether ``response`` is right."""
        return self._is_near(self.right, response)

    def mistake(self, response: float | str) -> int | None:
        """Return the place of ``response`` among the expected mistakes; None where it is none of them."""
        return next((place for place, one in enumerate(self.mistakes) if self._is_near(one, response)), None)

    def _is_near(self, value: float | str, response: float | str) -> bool:
        if isinstance(response, str) or isinstance(value, str):
            return response == value
        return abs(response - value) <= self.within * abs(value) + 1e-9


@dataclass(frozen=True)
class Attempt:
    """The last answer to a question, whether it was right, and how many were wrong before it or with it.

    It is kept with the words of the question and what was right: other settings make another question of it, also
    where no word says so.
    """

    question: str
    right: float | str
    answer: float | str | None
    is_right: bool
    n_wrong: int


@dataclass(frozen=True)
class PictureContent:
    """Content of a picture.

    Attributes:
        charts: from top to bottom.
        note: a caption; Markdown.
        words: what they show, Markdown.
        table: their numbers, HTML.
    """

    charts: tuple[Chart, ...]
    note: str = ""
    words: str = ""
    table: str = ""


@dataclass(frozen=True)
class PictureControl:
    """A control for one parameter of a picture.

    Attributes:
        name: of the part, a field of what is set.
        parameter: how a link carries it, with its values and its default.
        label: what it is called.
        kind: how it is drawn.
    """

    name: str
    parameter: LinkParameter[Any]
    label: str
    kind: ControlKind = "slider"

    @property
    def values(self) -> tuple[Any, ...]:
        """All values that it can have, in order; none where it takes any text."""
        match self.parameter:
            case Choice(options=options):
                return options
            case Number(low=low, high=high, step=step):
                return tuple(range(int(low), int(high) + 1, int(step)))
        return ()

    def label_of(self, value: Any) -> str:
        """Return what ``value`` is called on the screen."""
        return self.parameter.label(value) if isinstance(self.parameter, Choice) else self.parameter.write(value)


def _nothing() -> None:
    return None


def _no_controls(_: Any) -> tuple[PictureControl, ...]:
    return ()


@dataclass(frozen=True)
class Picture:
    """A picture with its controls.

    Attributes:
        show: returns what is shown of what is set.
        opening: returns what is set before anything is changed: a dataclass, or None where there are no controls.
        controls: returns the controls; how many layers or tokens there are may depend on the texts that are set.
    """

    show: Callable[[Any], PictureContent]
    opening: Callable[[], Any] = _nothing
    controls: Callable[[Any], tuple[PictureControl, ...]] = _no_controls


Question = Callable[[Any], Answer]
"""A question about what the picture shows: what computes the right answer from what is set."""


class Exercise(Protocol):
    """A base for pictures and questions: an optional picture, an optional question, and their words."""

    @property
    def name(self) -> str:
        """Its name, unique among all."""

    @property
    def picture(self) -> Picture | None:
        """Its picture."""

    @property
    def question(self) -> Question | None:
        """Its question."""

    @property
    def words(self) -> PageText:
        """Its words: title, and where it asks something, question, hint and reason."""


@dataclass(frozen=True)
class Stop:
    """A section of a paper, with its place, glossary terms, a picture and a question."""

    name: str
    paper: Paper
    section: str
    terms: tuple[str, ...] = ()
    picture: Picture | None = None
    question: Question | None = None

    @property
    def words(self) -> PageText:
        """Its words: title, summary, and where it has them formula, question, hint and reason."""
        return parts_of("pages/start/stops", TEXT, f"{self.name}")

    @property
    def links(self) -> tuple[tuple[str, str], ...]:
        """The addresses of views of the app that show more of it, with what they show."""
        return tuple((address, label) for name, address, label in link_rows() if name == self.name)


def parts_of(name: str, text: PageText, key: str) -> PageText:
    """Return the parts of section ``key`` of ``text``, the file ``name``: the text under ``### part``."""
    return PageText(f"{name}, section {key}", lambda: sections_of(_PART.sub("## ", "\n".join(text.lines(key)))))


def link_rows() -> list[tuple[str, str, str]]:
    """Return the table of links of all stops: the stop's name, the address and what is seen there."""
    _, _, *rows = _ROW.findall(page_text("pages/start/links")["links"])
    return rows
