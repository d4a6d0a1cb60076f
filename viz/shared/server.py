"""The app as a server for others, with an address that tells whether it translates.

Run it by ``python -m streamlit run viz/shared/server.py``.
Streamlit's own ``/_stcore/health`` answers before anything is loaded, and without any model.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from streamlit.starlette import App

from model.checkpoint import DamagedWeightsError
from model.decoding.options import GREEDY
from viz.base.words import page_text
from viz.shared.shipped import DEFAULT_TRANSLATOR, damage, translator
from viz.shell.one_person import FOR_OTHERS_VARIABLE

TEXT = page_text("shared/server")
_SECONDS = 10
_APP = Path(__file__).parents[2] / "app.py"


# Whoever asks again and again takes no translation from a visitor.
@st.cache_data(ttl=_SECONDS, show_spinner=False)
def fault() -> str:
    """Return why no sentence can be translated; nothing where it can."""
    try:
        text = translator(DEFAULT_TRANSLATOR).translate(TEXT["sentence"], GREEDY).text
    except (DamagedWeightsError, OSError, ValueError) as error:
        return damage(error)
    return "" if text else TEXT["nothing"]


async def health(_: Request) -> PlainTextResponse:
    """Translate a short sentence, with the model that visitors use; 503 and the reason where that fails."""
    cause = await to_thread.run_sync(fault)
    return PlainTextResponse(cause or "ok", 503 if cause else 200)


@asynccontextmanager
async def serving_others(_: App) -> AsyncIterator[None]:
    """Record that the server has other visitors: behind a proxy, it may listen on its own machine alone."""
    os.environ.setdefault(FOR_OTHERS_VARIABLE, "yes")
    yield


app = App(_APP, lifespan=serving_others, routes=[Route("/health", health)])
