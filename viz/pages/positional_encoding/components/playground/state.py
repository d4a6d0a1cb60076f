"""What the playground shows, and how a URL or a browser says so."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Limit:
    """The numbers that one control takes, both ends included; ``logarithmic`` asks for a slider of that scale."""

    low: float
    high: float
    whole: bool = True
    even: bool = False
    logarithmic: bool = False

    def allows(self, value: float) -> bool:
        """Say whether ``value`` may be set; NaN and infinity may not."""
        if not self.low <= value <= self.high:
            return False
        return not ((self.whole and value != int(value)) or (self.even and value % 2))


LIMITS = {
    "d_model": Limit(4, 1024, even=True, logarithmic=True),
    "base": Limit(2, 1e6, whole=False, logarithmic=True),
    "length": Limit(8, 4096, logarithmic=True),
}
"""Those that depend on nothing; :meth:`PlaygroundState.limits` has all."""


@dataclass(frozen=True)
class Trouble:
    """A value that was not taken: what was ``given`` for the control ``name``, its ``limit``, and what is used."""

    name: str
    given: str
    limit: Limit
    used: float


@dataclass(frozen=True)
class PlaygroundState:
    """One view of the playground.

    Attributes:
        d_model: dimensions of the encoding, even.
        base: the 10000 of the paper.
        length: positions that are shown, from 0.
        position: the one that is followed, p.
        pair: the dimensions 2i and 2i + 1 that are followed, i.
        offset: how far on the second position is, k; p + k may lie beyond the length.
    """

    d_model: int = 128
    base: float = 10000.0
    length: int = 256
    position: int = 40
    pair: int = 8
    offset: int = 12

    def limits(self) -> dict[str, Limit]:
        """Return what each control takes while the others are as they are."""
        last = self.length - 1
        return {**LIMITS, "position": Limit(0, last), "pair": Limit(0, self.d_model // 2 - 1), "offset": Limit(0, last)}

    def clamped(self) -> "PlaygroundState":
        """Return the state with what is followed moved inside what is shown."""
        limits = self.limits()
        followed = {name: int(min(getattr(self, name), limits[name].high)) for name in ("position", "pair", "offset")}
        return PlaygroundState(self.d_model, self.base, self.length, **followed)

    def parameters(self) -> dict[str, str]:
        """Return the state as URL parameters; what is as by default has none."""
        usual = asdict(PlaygroundState())
        return {name: f"{value:.12g}" for name, value in asdict(self).items() if value != usual[name]}


NAMES = tuple(asdict(PlaygroundState()))
"""The controls, and the URL parameters they are kept in."""


def read_state(values: Mapping[str, Any]) -> tuple[PlaygroundState, tuple[Trouble, ...]]:
    """Return the state that ``values``, texts or numbers, describe, and every value that could not be taken.

    A name that is missing or not understood is as by default, moved inside what is shown.
    """
    taken: dict[str, float] = {}
    troubles = []
    for name in NAMES:
        state = _state(taken)
        limit = state.limits()[name]
        if name not in values:
            continue
        number = _number(values[name])
        if number is None or not limit.allows(number):
            troubles.append(Trouble(name, str(values[name]), limit, getattr(state, name)))
        else:
            taken[name] = number
    return _state(taken), tuple(troubles)


def _state(taken: Mapping[str, float]) -> PlaygroundState:
    exact = {name: value if name == "base" else int(value) for name, value in taken.items()}
    return PlaygroundState(**exact).clamped()  # type: ignore[arg-type]


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None
