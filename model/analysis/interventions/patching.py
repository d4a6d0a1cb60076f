"""Activation patching: a run on one sentence with single activations from a run on another.

Two sources of one length differ in a word. The corrupted one is read again, with some activations replaced by those of
the clean run; what comes back of the clean run's answer says where the difference between the two passes through the
model (Vig et al. 2020, arXiv:2004.12265; Meng et al. 2022, arXiv:2202.05262; Zhang and Nanda 2024, arXiv:2309.16042).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import torch
from jaxtyping import Float
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.architectures.stack import embed
from model.hooks import Edit, intervene, record

# Positions in one pass, as many as in ``ablation``: of the logits only the last position's are computed.
_AT_ONCE = 4096

Place = tuple[int, "Site"]


class DifferentLengthsError(ValueError):
    """Sources of ``clean`` and ``corrupted`` tokens, whose positions do not correspond."""

    def __init__(self, clean: int, corrupted: int) -> None:
        """Keep the numbers of tokens."""
        super().__init__(f"the sources have {clean} and {corrupted} tokens; both must have as many")
        self.clean, self.corrupted = clean, corrupted


@dataclass(frozen=True)
class Site:
    """A site to patch: the hook point ``point``, at one position and of one head, or of all of them."""

    point: str
    position: int | None = None
    head: int | None = None

    @property
    def index(self) -> tuple[int | slice, ...]:
        """The index of the site in a row of what passes, [P, D] or [H, P, E]."""
        position = slice(None) if self.position is None else self.position
        if not self.point.endswith(".z"):
            return (position,)
        return (slice(None) if self.head is None else self.head, position)


@dataclass(frozen=True)
class Question:
    """The logit difference that is measured: after ``prefix``, of ``answer`` minus ``foil``.

    Attributes:
        clean: the source whose activations are taken, with EOS.
        corrupted: the source that is read, with EOS; of as many tokens.
        prefix: the tokens before the step, without BOS, which both runs have written.
        answer: what the clean run should write.
        foil: what the corrupted run should write.

    Raises:
        DifferentLengthsError: the two sources are not of one length.
    """

    clean: tuple[int, ...]
    corrupted: tuple[int, ...]
    prefix: tuple[int, ...]
    answer: int
    foil: int

    def __post_init__(self) -> None:
        """Check the lengths."""
        if len(self.clean) != len(self.corrupted):
            raise DifferentLengthsError(len(self.clean), len(self.corrupted))


@dataclass(frozen=True)
class PatchingEffects:
    """The logit difference answer − foil of the clean run, the corrupted run, and each patched run."""

    clean: float
    corrupted: float
    patched: Float[Tensor, " patch"]

    @property
    def values(self) -> Float[Tensor, " patch"]:
        """(patched − corrupted) / (clean − corrupted): 0 where nothing comes back, 1 where all does."""
        return (self.patched - self.corrupted) / (self.clean - self.corrupted)


@torch.inference_mode()
def patching_effects(model: EncoderDecoder, question: Question, patches: Sequence[Sequence[Site]]) -> PatchingEffects:
    """Return what each of ``patches`` alone brings back, where a patch replaces all of its sites at once.

    One pass has a row for every patch, so that all of a usual sentence takes one or two.

    Args:
        model: in evaluation mode.
        question: two sources, and what is asked after them.
        patches: sites at the hook points of a stack's ``input``, ``output``, residuals, blocks and ``z``.
    """
    points = tuple({site.point for patch in patches for site in patch})
    clean = _activations(model, question, points)
    # A question about the same source twice is a run of nothing but that source.
    whole = _differences(model, replace(question, corrupted=question.clean), [[]], {})
    n_rows = max(1, _AT_ONCE // max(len(question.clean), len(question.prefix) + 1))
    parts = [
        _differences(model, question, patches[start : start + n_rows], clean)
        for start in range(0, max(1, len(patches)), n_rows)
    ]
    patched = torch.cat([part[1:] for part in parts])
    return PatchingEffects(float(whole[0]), float(parts[0][0]), patched.cpu())


@torch.inference_mode()
def patch_once(model: EncoderDecoder, question: Question, sites: Iterable[Site]) -> dict[str, Edit]:
    """Return edits, for ``intervene``, that patch ``sites`` while a translation is searched.

    They act where the source and the prefix are read, which a search does at once, and again where it reads the target
    to see its alternatives; what is written after the prefix is read as it is.
    """
    by_point: dict[str, list[Place]] = {}
    for site in sites:
        by_point.setdefault(site.point, []).append((0, site))
    clean = _activations(model, question, tuple(by_point))
    bos = torch.tensor([[model.config.bos_id]], device=model.embedding.weight.device)
    begins = _Beginning(embed(model.embedding, bos)[0, 0])
    patches = {point: partial(_patch_rows, places=places, clean=clean[point]) for point, places in by_point.items()}
    return {"decoder.embedding": begins.see} | {
        point: begins.only(patch) if point.startswith("decoder.") else patch for point, patch in patches.items()
    }


def _activations(model: EncoderDecoder, question: Question, points: tuple[str, ...]) -> dict[str, Tensor]:
    """Return what passes ``points`` in the clean run, without the batch axis."""
    device = model.embedding.weight.device
    read = torch.tensor([[model.config.bos_id, *question.prefix]], device=device)
    with record(*points) as seen:
        model(torch.tensor([question.clean], device=device), read)
    return {point: seen[point][0] for point in points}


def _differences(
    model: EncoderDecoder, question: Question, patches: Sequence[Sequence[Site]], clean: dict[str, Tensor]
) -> Float[Tensor, " one_and_patches"]:
    """Return answer − foil of the corrupted run as it is, and then with each of ``patches``, in one batch.

    The encoder has rows only for those that change its output.
    """
    device = model.embedding.weight.device
    encoder_rows: dict[int, int] = {}
    by_point: dict[str, list[Place]] = {}
    for number, patch in enumerate(patches):
        for site in patch:
            is_encoder = site.point.startswith("encoder.")
            row = encoder_rows.setdefault(number, 1 + len(encoder_rows)) if is_encoder else 1 + number
            by_point.setdefault(site.point, []).append((row, site))
    edits = {point: partial(_patch_rows, places=places, clean=clean[point]) for point, places in by_point.items()}
    with intervene(edits):
        sources = torch.tensor([question.corrupted], device=device).expand(1 + len(encoder_rows), -1)  # [R, S]
        memory, mask = model.encode(sources)
        rows = torch.tensor([0, *(encoder_rows.get(number, 0) for number in range(len(patches)))], device=device)
        read = torch.tensor([[model.config.bos_id, *question.prefix]], device=device).expand(len(rows), -1)
        hidden = model.decode_hidden(read, memory[rows], mask[rows])[:, -1]  # [R, D]
    logits = model.project(hidden)  # [R, V]
    return logits[:, question.answer] - logits[:, question.foil]


def _patch_rows(x: Tensor, *, places: Sequence[Place], clean: Tensor) -> Tensor:
    """Return ``x`` with each of ``places`` as in the clean run, which may end before ``x``."""
    x = x.clone()
    for row, site in places:
        x[row, ..., : clean.shape[-2], :][site.index] = clean[site.index]
    return x


@dataclass
class _Beginning:
    """Whether a pass of the decoder begins its target: with BOS, which no search writes."""

    bos: Float[Tensor, " d_model"]
    is_here: bool = False

    def see(self, embedded: Float[Tensor, "batch position d_model"]) -> Tensor:
        """Look at the first token, and return ``embedded`` as it is."""
        self.is_here = torch.equal(embedded[0, 0], self.bos)
        return embedded

    def only(self, edit: Edit) -> Edit:
        """Return ``edit`` in such a pass, and nothing in any other."""
        return lambda x: edit(x) if self.is_here else x
