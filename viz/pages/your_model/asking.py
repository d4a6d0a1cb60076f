"""Asking a model in a folder of this server: in its turn, and what goes wrong is one sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pretrained.huggingface.apart import LEASE, LoadedModels
from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.requests import Request
from viz.base.markdown import plain
from viz.base.words import page_text
from viz.shell.heavy import COMPUTING, Lane, QueueFullError, full_text, turn

TEXT = page_text("pages/your_model/asking")
_PROBLEMS = page_text("base/given_models")
MOST_SECONDS = 120.0
Answer = TypeVar("Answer")


def answer_to(request: Request[Answer], warnings: DeltaGenerator) -> Answer | None:
    """Return the answer to ``request``; where there is none, say at ``warnings`` why."""
    place = st.empty()
    with in_turn(COMPUTING, place, warnings):
        return loaded_models().ask(
            request,
            most_seconds=MOST_SECONDS,
            # Where the visitor leaves, this call ends the run, and with it the process.
            tick=lambda seconds: place.caption(TEXT["asking"].format(seconds=f"{seconds:.0f}")),
        )
    return None


@contextmanager
def in_turn(lane: Lane, place: DeltaGenerator, warnings: DeltaGenerator) -> Iterator[None]:
    """Run the block in its turn in ``lane``, show its error at ``warnings``, and empty ``place``."""
    try:
        with turn(lane):
            yield
    except QueueFullError as error:
        warnings.warning(full_text(error))
    except ForeignModelError as error:
        say_problem(error, warnings)
    finally:
        place.empty()


def say_problem(error: ForeignModelError, warnings: DeltaGenerator) -> None:
    """Say at ``warnings`` what is wrong with a model, in one sentence."""
    values = {name: plain(value) if isinstance(value, str) else value for name, value in error.values.items()}
    warnings.warning(_PROBLEMS[f"problem {error.key}"].format(**values))


@st.cache_resource(show_spinner=False)
def loaded_models() -> LoadedModels:
    """Return the models that this server has loaded."""
    return LoadedModels()


def keep_loaded() -> None:
    """Have the models stay loaded for as long as the page is open."""
    st.fragment(_renew, run_every=LEASE / 3)()


def _renew() -> None:
    loaded_models().renew()
