"""The way back from a page to the step of a lab that led to it, which the page's link carries."""

import re
from dataclasses import dataclass

import streamlit as st

from viz.base.link_parameters import Verbatim
from viz.base.words import page_text
from viz.shell.controls import place_for_warnings, warn_bad_links
from viz.shell.navigation import BACK
from viz.shell.page import link_to
from viz.shell.state import linked_value

TEXT = page_text("shell/back")
_LABS = "labs"
_STEP = re.compile(r"[a-z]+(?:-[a-z]+)*\.[1-9][0-9]?")


@dataclass(frozen=True)
class Origin(Verbatim):
    """The step of a lab that led to a page, as the lab's id and the step's number; empty where none did."""

    def is_allowed(self, text: str) -> bool:
        """Whether ``text`` names a step."""
        return _STEP.fullmatch(text) is not None

    @property
    def allowed(self) -> str:
        """The form of a value."""
        return TEXT["allowed"]


ORIGIN = Origin(BACK, "")


def back_link(lab: str, step: int) -> dict[str, str]:
    """Return what a link carries so that its page leads back to the ``step`` of ``lab``."""
    return {ORIGIN.key: f"{lab}.{step}"}


def lead_back() -> None:
    """Draw the link back to the step of a lab, if the page's link has one and it is not embedded."""
    # Both are there also when empty, so that what follows has one place on all pages.
    warnings, place = place_for_warnings(), st.container(key="way-back")
    warn_bad_links(warnings, [ORIGIN])
    origin = linked_value(ORIGIN)
    if origin and not st.context.is_embedded:
        lab, step = origin.split(".")
        with place:
            link_to(_LABS, TEXT["back"].format(step=step), {"lab": lab, "lab-step": step})
