"""State of the topic's pages: settings of the claims, and the encoding kept from page to page.

A page's own file runs again each time, so that its classes are others each time; these stay.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from viz.base.link_parameters import LinkParameter, Number, State, in_link, parameters_of
from viz.pages.positional_encoding.study.claims import BASE, D_MODEL, LENGTH, POSITION
from viz.shell.state import keep_in_session, kept

SHARED = ("d_model", "base", "length")
"""The fields that the states of the sinusoid and of the claims have in common."""


@dataclass(frozen=True)
class ClaimSettings:
    """The encoding that the claims are measured on, and the position p that is looked at."""

    d_model: int = in_link(Number("claims_d_model", D_MODEL, 2, 1024, 2))
    base: float = in_link(Number("claims_base", BASE, 1.01, 1e6, 1.0))
    length: int = in_link(Number("claims_length", LENGTH, 8, 2048))
    position: int = in_link(Number("claims_position", POSITION, 0, 2046))


@dataclass(frozen=True)
class _LastEncoding:
    """The encoding that was looked at last, and on which page."""

    values: Mapping[str, Any]
    page: str


def keep_encoding(state: State, page: str) -> None:
    """Have the session hold the encoding of ``state``, which ``page`` shows."""
    keep_in_session(_LastEncoding({name: getattr(state, name) for name in SHARED}, page))


def from_page_before(state: State, page: str) -> State | None:
    """Return ``state`` with the previous page's encoding; None without a previous page of the topic.

    What ``page`` cannot show of it is as near to that as it can.
    """
    last = kept(_LastEncoding)
    if last is None or last.page == page:
        return None
    parameters = parameters_of(state)
    return replace(state, **{name: _nearest(parameters[name], value) for name, value in last.values.items()})


def _nearest(parameter: LinkParameter[Any], value: Any) -> Any:
    return min(max(value, parameter.low), parameter.high) if isinstance(parameter, Number) else value
