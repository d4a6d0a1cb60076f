"""Named hook points: see, or change, every intermediate of a forward pass.

A model calls :func:`hook` at each point worth seeing. Outside :func:`record` and :func:`intervene` that call returns
its argument and costs one context-variable look-up. Both verbs live in a context variable, never on the module, so one
model can serve many threads at once and none sees another's tensors.

    with record("*.pattern") as seen:
        model(source, target)
    seen["encoder.2.self_attention.pattern"]  # [B, H, Q, K]

    with intervene({"encoder.2.self_attention.pattern": knock_out}):
        model(source, target)

A decoder without an encoder passes the decoder's points, all but those of cross-attention.

Axes: B batch, H head, Q query position, K key position, P position, M remembered position, D d_model, E d_head (d_key
of q and k, d_value of v and z), F d_ff, V vocabulary. TransformerLens has heads behind positions, [B, P, H, E].

q and k are what the scores multiply: after a positional encoding that acts on them, as ``hook_rot_q`` is in
TransformerLens, and twice as wide with PoPE. A change of them leaves ``position_bias`` and the terms, which were made
before. What Shaw's encoding adds to the values is in z and passes no point of its own.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Protocol, runtime_checkable

from torch import Tensor

Edit = Callable[[Tensor], Tensor]

SCORE_TERMS = {
    "a": "content: q·k",
    "b": "position: q·W_kR R",
    "c": "content bias: u·k",
    "d": "position bias: v·W_kR R",
}
"""The terms of Transformer-XL's scores (Dai et al. 2019, §3.3)."""

_MAX_LAYERS = 100


@dataclass(frozen=True)
class HookPoint:
    """One row of :data:`HOOKS`: a name (``{layer}`` counts from 0), its shape, and what flows through it."""

    name: str
    shape: str
    description: str


def _attention(block: str, what: str, *, has_positions: bool, has_memory: bool) -> tuple[HookPoint, ...]:
    bias = HookPoint(
        f"{block}.position_bias",
        "[B or 1, H, Q, K]",
        "what the positional encoding adds to the scores; only where the encoding has such a term",
    )
    terms = (
        HookPoint(
            f"{block}.term_{term}",
            "[B, H, Q, K]",
            f"term ({term}) of the scores, {meaning} over √d_head; only where the encoding has such terms",
        )
        for term, meaning in SCORE_TERMS.items()
    )
    memory = HookPoint(
        f"{block}.memory", "[B, M, D]", "what the layer read in earlier segments; only where the model has a memory"
    )
    return (
        HookPoint(f"{block}.residual_before", "[B, Q, D]", f"residual stream that {what} reads"),
        _norm_scale(block, "Q", f"the LayerNorm around {what}"),
        *((memory,) if has_memory else ()),
        HookPoint(f"{block}.q", "[B, H, Q, E]", f"queries of {what}"),
        HookPoint(f"{block}.k", "[B, H, K, E]", f"keys of {what}"),
        HookPoint(f"{block}.v", "[B, H, K, E]", f"values of {what}"),
        *((bias, *terms) if has_positions else ()),
        HookPoint(f"{block}.scores", "[B, H, Q, K]", "q·k/√d_head plus position_bias; −∞ where the mask forbids"),
        HookPoint(f"{block}.pattern", "[B, H, Q, K]", "softmax of the scores over the keys"),
        HookPoint(f"{block}.z", "[B, H, Q, E]", "pattern times v: each head's output before W_O"),
        HookPoint(f"{block}.output", "[B, Q, D]", f"output of {what}, after W_O"),
        HookPoint(f"{block}.residual_after", "[B, Q, D]", f"residual stream after {what}"),
    )


def _feed_forward(block: str) -> tuple[HookPoint, ...]:
    return (
        HookPoint(f"{block}.residual_before", "[B, P, D]", "residual stream that the feed-forward block reads"),
        _norm_scale(block, "P", "the LayerNorm around the feed-forward block"),
        HookPoint(f"{block}.hidden", "[B, P, F]", "hidden units of the feed-forward block, after the ReLU"),
        HookPoint(f"{block}.output", "[B, P, D]", "output of the feed-forward block"),
        HookPoint(f"{block}.residual_after", "[B, P, D]", "residual stream after the feed-forward block"),
    )


def _norm_scale(name: str, position: str, norm: str) -> HookPoint:
    return HookPoint(f"{name}.norm_scale", f"[B, {position}, 1]", f"1/σ of {norm}, which multiplies the centred stream")


def _stack(stack: str, *blocks: tuple[HookPoint, ...]) -> tuple[HookPoint, ...]:
    return (
        HookPoint(f"{stack}.embedding", "[B, P, D]", "token embeddings, scaled by √d_model"),
        HookPoint(
            f"{stack}.positional.encoding", "[P, D]", "what an additive positional encoding adds to the embeddings"
        ),
        HookPoint(f"{stack}.input", "[B, P, D]", "embeddings with their positions: what the first layer reads"),
        *(point for block in blocks for point in block),
        _norm_scale(stack, "P", f"the {stack}'s last LayerNorm; only with pre-norm"),
        HookPoint(f"{stack}.output", "[B, P, D]", f"what the {stack} returns"),
    )


HOOKS: tuple[HookPoint, ...] = (
    *_stack(
        "encoder",
        _attention("encoder.{layer}.self_attention", "encoder self-attention", has_positions=True, has_memory=False),
        _feed_forward("encoder.{layer}.feed_forward"),
    ),
    *_stack(
        "decoder",
        _attention(
            "decoder.{layer}.self_attention", "masked decoder self-attention", has_positions=True, has_memory=True
        ),
        _attention(
            "decoder.{layer}.cross_attention",
            "cross-attention from the decoder to the encoder's output",
            has_positions=False,
            has_memory=False,
        ),
        _feed_forward("decoder.{layer}.feed_forward"),
    ),
    HookPoint("logits", "[B, P, V]", "scores of every vocabulary entry as the next token, before softmax"),
)


@runtime_checkable
class _Listener(Protocol):
    def matches(self, name: str) -> bool: ...

    def on_tensor(self, name: str, tensor: Tensor) -> Tensor: ...


_listeners: ContextVar[tuple[_Listener, ...]] = ContextVar("hook_listeners", default=())


def hook(name: str, tensor: Tensor) -> Tensor:
    """Pass ``tensor`` to recordings and interventions at ``name``; return it, edited if one intervenes."""
    for listener in _listeners.get():
        if listener.matches(name):
            tensor = listener.on_tensor(name, tensor)
    return tensor


def is_wanted(*names: str) -> bool:
    """Whether one of ``names`` is recorded or edited; a model may skip tensors that only exist to be seen."""
    return any(listener.matches(name) for listener in _listeners.get() for name in names)


def is_hooked() -> bool:
    """Whether a recording or an intervention is open around this call."""
    return bool(_listeners.get())


class Recording(Mapping[str, Tensor]):
    """The tensors of :func:`record`, by hook name; the last one where a point is passed repeatedly.

    They are the live tensors, with their gradient history if there is one, not copies.
    """

    def __init__(self, patterns: tuple[str, ...]) -> None:
        """Keep the tensors whose name matches any of ``patterns`` (globs over hook names)."""
        self._patterns = patterns
        self._tensors: dict[str, list[Tensor]] = {}

    def matches(self, name: str) -> bool:
        """Whether ``name`` matches one of the patterns."""
        return _matches_any(name, self._patterns)

    def on_tensor(self, name: str, tensor: Tensor) -> Tensor:
        """Keep ``tensor`` and pass it on unchanged."""
        self._tensors.setdefault(name, []).append(tensor)
        return tensor

    def every(self, name: str) -> tuple[Tensor, ...]:
        """Return all tensors that passed ``name``, in order, such as one for each decoding step."""
        return tuple(self._tensors.get(name, ()))

    def __getitem__(self, name: str) -> Tensor:
        """Return the last tensor that passed ``name``."""
        return self._tensors[name][-1]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the recorded names, in the order of the forward pass."""
        return iter(self._tensors)

    def __len__(self) -> int:
        """Count the recorded names."""
        return len(self._tensors)


class _Intervention:
    def __init__(self, edits: Mapping[str, Edit]) -> None:
        self._edits = dict(edits)

    def matches(self, name: str) -> bool:
        return _matches_any(name, tuple(self._edits))

    def on_tensor(self, name: str, tensor: Tensor) -> Tensor:
        for pattern, edit in self._edits.items():
            if fnmatchcase(name, pattern):
                edited = edit(tensor)
                if edited.shape != tensor.shape:
                    raise ValueError(
                        f"the intervention at {name} returned shape {list(edited.shape)}; "
                        f"it must keep {list(tensor.shape)}"
                    )
                tensor = edited
        return tensor


@contextmanager
def record(*patterns: str) -> Iterator[Recording]:
    """Record every hook point that matches one of the glob ``patterns``, inside the ``with``.

    Raises:
        ValueError: a pattern that no hook point can match.
    """
    _check_known(patterns)
    recording = Recording(patterns)
    # Recordings come after interventions, whatever the nesting: they see the tensors that the model used.
    with _listening((*_listeners.get(), recording)):
        yield recording


@contextmanager
def intervene(edits: Mapping[str, Edit]) -> Iterator[None]:
    """Replace tensors on their way: ``edits`` maps hook names (or globs) to functions that keep the shape.

    Of several edits of one tensor the later one gets what the earlier one returned: the inner ``with``, or the later
    entry of ``edits``.

    In decoding, keys and values are cached: a decoder's points then see one new query position at a time, so an edit at
    a certain position must find it by the number of keys.

    Raises:
        ValueError: a name that no hook point can match; at the call, an edit that changes the shape.
    """
    _check_known(tuple(edits))
    before = _listeners.get()
    n = sum(isinstance(one, _Intervention) for one in before)
    with _listening((*before[:n], _Intervention(edits), *before[n:])):
        yield


@contextmanager
def _listening(listeners: tuple[_Listener, ...]) -> Iterator[None]:
    token = _listeners.set(listeners)
    try:
        yield
    finally:
        _listeners.reset(token)


@lru_cache(maxsize=4096)
def _matches_any(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


@lru_cache(maxsize=4096)
def _is_known(pattern: str) -> bool:
    names = (point.name.format(layer=layer) for point in HOOKS for layer in range(_MAX_LAYERS))
    return any(fnmatchcase(name, pattern) for name in names)


def _check_known(patterns: tuple[str, ...]) -> None:
    for pattern in patterns:
        if not _is_known(pattern):
            raise ValueError(f"no hook point matches {pattern!r}; model.hooks.HOOKS lists every name with its shape")
