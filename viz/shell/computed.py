"""Computed values of published results, once for all sessions."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

import pandas as pd
import streamlit as st

Arguments = ParamSpec("Arguments")
Computed = TypeVar("Computed")
Function = Callable[Concatenate[pd.DataFrame, Arguments], Computed]


def computed_once(function: Function[Arguments, Computed], *, max_entries: int) -> Function[Arguments, Computed]:
    """Return ``function`` of a data frame that nobody changes, with its last ``max_entries`` results kept.

    A frame is known by its identity, which costs nothing; the other arguments are known by their values.
    """

    def compute(
        frame: pd.DataFrame, /, *rest: Arguments.args, **named: Arguments.kwargs
    ) -> tuple[pd.DataFrame, Computed]:
        # As long as the frame is kept, no other has its identity.
        return frame, function(frame, *rest, **named)

    # Streamlit tells caches apart by these names.
    compute.__module__, compute.__qualname__ = function.__module__, function.__qualname__
    cached = st.cache_resource(max_entries=max_entries, show_spinner=False, hash_funcs={pd.DataFrame: id})(compute)

    @wraps(function)
    def call(frame: pd.DataFrame, /, *rest: Arguments.args, **named: Arguments.kwargs) -> Computed:
        return cached(frame, *rest, **named)[1]

    return call
