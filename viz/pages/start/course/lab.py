"""A lab of the course: ten steps at states of pages, four questions, an open question, its sources."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from urllib.parse import urlencode

from viz.base.attention_maps import BlockName
from viz.base.words import PageText, page_text
from viz.pages.start.stops import Picture, Question, parts_of

TEXT = page_text("pages/start/course/course")
_HERE = Path(__file__).parent


def words_of(lab: str) -> PageText:
    """Return the words of the lab in the folder ``lab``."""
    return page_text(f"pages/start/course/{lab}/lab")


@dataclass(frozen=True)
class LabStep:
    """A task at one state of a page, with an optional question.

    Attributes:
        lab: the folder of its lab.
        key: its name within the lab; its words are the section ``step`` of that name.
        page: the address of the page or part.
        query: what the link carries: all that the text speaks of, also where it is how the page opens, since a visitor
            may come with other choices.
        minutes: that it takes.
        question: about this state.
        picture: one to answer it by, with controls, where the page has none.
        facts: returns what its text and its good answer are filled in with.
    """

    lab: str
    key: str
    page: str
    query: Mapping[str, str] = field(hash=False)
    minutes: int
    question: Question | None = None
    picture: Picture | None = None
    facts: Callable[[], Mapping[str, object]] = dict

    @property
    def name(self) -> str:
        """Its name among all steps of all labs."""
        return f"{self.lab}.{self.key}"

    @property
    def words(self) -> PageText:
        """Its words: title, text, link; with a question also hint, reason, mistakes, else a good answer."""
        return parts_of(f"pages/start/course/{self.lab}/lab", words_of(self.lab), f"step {self.key}")

    @property
    def text(self) -> str:
        """The task."""
        return self._filled(self.words["text"])

    @property
    def good_answer(self) -> str:
        """A good answer to its text; empty where a question is graded instead."""
        return self._filled(self.words.get("good answer", ""))

    @property
    def address(self) -> str:
        """Its address, relative to the app."""
        return f"{self.page}?{urlencode(self.query)}"

    def _filled(self, words: str) -> str:
        # Facts may take seconds: a text without fields does not wait for those of the good answer.
        return words.format(**self.facts()) if "{" in words else words


@dataclass(frozen=True)
class Lab:
    """A lab: its folder, its place in the course, and its steps."""

    folder: str
    order: int
    steps: tuple[LabStep, ...] = field(repr=False)

    @property
    def id(self) -> str:
        """Its id in a link."""
        return self.folder.replace("_", "-")

    @property
    def words(self) -> PageText:
        """Its words: title, goals, open question and a good answer to it, sources, and those of its steps."""
        return words_of(self.folder)

    @property
    def asked(self) -> tuple[LabStep, ...]:
        """The steps that have a question."""
        return tuple(step for step in self.steps if step.question)

    @property
    def minutes(self) -> int:
        """Its duration."""
        return sum(step.minutes for step in self.steps)

    @property
    def notebook(self) -> Path:
        """The path of its notebook."""
        return _HERE / self.folder / "lab.ipynb"


@cache
def labs() -> tuple[Lab, ...]:
    """Return every lab, in their order."""
    folders = (path.parent.name for path in _HERE.glob("*/__init__.py"))
    entries = (import_module(f"{__package__}.{folder}").LAB for folder in folders)
    return tuple(sorted(entries, key=lambda lab: lab.order))


def head_name(kind: BlockName, layer: int, head: int) -> str:
    """Return what a head is called: its attention, its layer and its number, both from 1."""
    return TEXT[f"head {kind}"].format(layer=layer, head=head)
