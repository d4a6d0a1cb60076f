"""Shared state of the entrance: values kept between runs, for all sessions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from viz.base.link_parameters import Choice, LinkParameter, Number, Verbatim, such_as
from viz.pages.start.components.architecture import LINKS, STEPS
from viz.pages.start.study.architecture import passage
from viz.pages.start.study.inside import inside
from viz.pages.start.study.records import Inside, ModelSizes, Passage
from viz.shared.shipped import translator
from viz.shared.translation import DecodingChoice, translated

_MAX_ROWS = 200


@dataclass(frozen=True)
class OpenedPart(Verbatim):
    """A part of the picture, with a layer and a head where it has them: decoder.cross.2.1.

    Attributes:
        sizes: of the model that is shown.
    """

    sizes: ModelSizes

    def is_allowed(self, text: str) -> bool:
        """Whether the model has a part that is called ``text``."""
        return any(
            match is not None and self._has(name, [int(number) for number in match[1].split(".")[1:]])
            for name in LINKS.values()
            if (match := re.fullmatch(rf"{re.escape(name)}((?:\.[1-9]\d?){{0,2}})", text))
        )

    def _has(self, name: str, place: Sequence[int]) -> bool:
        n_layers = self.sizes.n_encoder_layers if name.startswith("encoder") else self.sizes.n_decoder_layers
        return all(number <= most for number, most in zip(place, (n_layers, self.sizes.n_heads), strict=False))

    @property
    def allowed(self) -> str:
        """The form, by an example."""
        return such_as(f"{LINKS['cross']}.2.1")


def opened_parameters(sizes: ModelSizes) -> tuple[LinkParameter[Any], ...]:
    """Return what a link says of an opened part of a model of ``sizes``, read and written by the browser.

    It is which part it is, its row, the step of a head, and the key of a cell.
    """
    row, key = Number("open-row", 1, 1, _MAX_ROWS), Number("open-key", 1, 1, _MAX_ROWS)
    return OpenedPart("open", "", sizes), row, Choice("open-step", STEPS[0], STEPS), key


@dataclass(frozen=True)
class AnsweredStops(LinkParameter[tuple[int, ...]]):
    """The stops whose questions were answered right, by their numbers: 1.2.5.

    Attributes:
        asked: the numbers of the stops that have a question.
    """

    asked: tuple[int, ...]

    def read(self, text: str) -> tuple[int, ...]:
        """Return the numbers in ``text``, in order.

        Raises:
            ValueError: a number is not that of a stop with a question.
        """
        by_text = {str(number): number for number in self.asked}
        parts = text.split(".")
        if not by_text.keys() >= {*parts}:
            raise ValueError(text)
        return tuple(sorted({by_text[part] for part in parts}))

    def write(self, value: tuple[int, ...]) -> str:
        """Return the numbers with a dot between them."""
        return ".".join(map(str, value))

    @property
    def allowed(self) -> str:
        """The form, by an example."""
        return such_as(self.write(self.asked[:3]))


@st.cache_resource(max_entries=64, show_spinner=False)
def passage_of(text: str, choice: DecodingChoice, begin: tuple[int, ...] = ()) -> Passage:
    """Return the model's activations while it translates ``text``, after the tokens ``begin``.

    Raises:
        SourceTextError: a text that cannot be translated.
    """
    return passage(translator(choice.model), translated(text, choice, begin).translation)


@st.cache_resource(max_entries=16, show_spinner=False)
def inside_of(text: str, choice: DecodingChoice, begin: tuple[int, ...] = ()) -> Inside:
    """Return what is shown of the parts that are opened, while the model translates ``text``.

    Raises:
        SourceTextError: a text that cannot be translated.
    """
    return inside(translator(choice.model), translated(text, choice, begin).translation)
