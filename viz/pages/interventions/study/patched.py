"""Two sentences of one length, and what the translation of one becomes with activations of the other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import torch

from model.analysis.interventions.patching import Question, Site, patch_once, patching_effects
from model.config import EncoderDecoderConfig
from model.decoding.options import DecodingOptions
from model.decoding.translator import Translation, Translator
from model.hooks import intervene
from viz.base.attention_maps import BlockName, token_row
from viz.base.exports import columns_as_csv
from viz.base.tokens import label_alone
from viz.base.words import InputError
from viz.pages.interventions.study.foils import N_FOILS, first_token

LEAST_DIFFERENCE = 0.2
"""Between the logit differences of the two runs: effects are shares of it."""

View = Literal["heads", "residual", "attention", "feed-forward"]
VIEWS: tuple[View, ...] = get_args(View)


class PairError(InputError):
    """Two sentences that cannot be compared."""


@dataclass(frozen=True)
class PatchedSite:
    """A site that is patched alone; ``layer``, ``head``, ``position`` count from 1, and are 0 for none.

    ``kind`` is the attention that it belongs to; of residuals and feed-forward blocks, encoder or decoder. Layer 0 is
    the input of a stack.
    """

    view: View
    kind: BlockName
    layer: int
    site: Site

    @property
    def head(self) -> int:
        """The head, from 1."""
        return 0 if self.site.head is None else self.site.head + 1

    @property
    def position(self) -> int:
        """The position, from 1."""
        return 0 if self.site.position is None else self.site.position + 1

    @property
    def code(self) -> str:
        """Its id in a link."""
        return f"{self.kind}.{self.layer}.{'head' if self.head else self.view}.{self.head or self.position}"


@dataclass(frozen=True)
class ShownPatching:
    """The logit difference answer − foil of both runs, and the effect of each cell by its code."""

    clean: float
    corrupted: float
    effects: Mapping[str, float]


def cells_of(config: EncoderDecoderConfig, view: View, n_source: int, n_read: int) -> tuple[PatchedSite, ...]:
    """Return what ``view`` patches: each head at all positions, or each layer at each position.

    Args:
        config: of the model.
        view: what is patched.
        n_source: tokens of either source.
        n_read: tokens that the decoder has read at the step, BOS included.
    """
    encoder, decoder = range(config.n_encoder_layers), range(config.n_decoder_layers)
    if view == "residual":
        after = "feed_forward.residual_after"
        blocks: list[tuple[BlockName, int, str]] = [("encoder", 0, "encoder.input")]
        blocks += [("encoder", layer + 1, f"encoder.{layer}.{after}") for layer in encoder]
        blocks += [("decoder", 0, "decoder.input")]
        blocks += [("decoder", layer + 1, f"decoder.{layer}.{after}") for layer in decoder]
    elif view == "feed-forward":
        blocks = [("encoder", layer + 1, f"encoder.{layer}.feed_forward.output") for layer in encoder]
        blocks += [("decoder", layer + 1, f"decoder.{layer}.feed_forward.output") for layer in decoder]
    else:
        end = "z" if view == "heads" else "output"
        blocks = [("encoder", layer + 1, f"encoder.{layer}.self_attention.{end}") for layer in encoder]
        blocks += [("decoder", layer + 1, f"decoder.{layer}.self_attention.{end}") for layer in decoder]
        blocks += [("cross", layer + 1, f"decoder.{layer}.cross_attention.{end}") for layer in decoder]
    if view == "heads":
        return tuple(
            PatchedSite(view, kind, layer, Site(point, head=head))
            for kind, layer, point in blocks
            for head in range(config.n_heads)
        )
    return tuple(
        PatchedSite(view, kind, layer, Site(point, position))
        for kind, layer, point in blocks
        for position in range(n_source if kind == "encoder" else n_read)
    )


class PatchedPair:
    """A clean sentence and a corrupted one of as many tokens, with their translations."""

    def __init__(self, translator: Translator, clean: Translation, corrupted: Translation) -> None:
        """Read the corrupted sentence under the clean one's translation.

        Raises:
            PairError: they differ in length, or not at all in what is written.
        """
        self._translator, self.clean, self.corrupted = translator, clean, corrupted
        self._sources = [tuple(translator.tokenizer.ids(one.source.pieces)) for one in (clean, corrupted)]
        self.target, self._other = (one.hypotheses[0].tokens for one in (clean, corrupted))
        first, second = map(len, self._sources)
        if first != second:
            raise PairError(
                "lengths", clean=first - 1, corrupted=second - 1, pieces=_listed(clean), other=_listed(corrupted)
            )
        steps = zip(self.target, self._other, strict=False)
        self.first_change = next((step for step, (one, other) in enumerate(steps, start=1) if one != other), 0)
        if not self.first_change:
            raise PairError("same")
        self.source = token_row(clean.source).labels
        self.other_source = token_row(corrupted.source).labels
        self.read = token_row(clean.read).labels
        self.written = token_row(clean.target).labels
        model = translator.model
        read = torch.tensor([[model.config.bos_id, *self.target[:-1]]])
        with torch.inference_mode():
            self._logits = model(torch.tensor(self._sources[1:]), read)[0]  # [P, V]

    @property
    def config(self) -> EncoderDecoderConfig:
        """That of the model."""
        return self._translator.model.config

    def label(self, token: int) -> str:
        """Return a label for ``token`` alone."""
        return label_alone(self._translator.tokenizer.pieces([token])[0])

    def foils(self, step: int) -> tuple[int, ...]:
        """Return tokens to set against the clean translation's at ``step``, from 1.

        They are the most probable ones for the corrupted sentence; where the translations part, its own is the first.
        """
        best = self._logits[step - 1].topk(N_FOILS + 1).indices.tolist()
        own = [self._other[step - 1]] if step == self.first_change else []
        return tuple(token for token in dict.fromkeys([*own, *best]) if token != self.target[step - 1])[:N_FOILS]

    def token_of(self, word: str, step: int) -> int:
        """Return the first token of ``word``, to set against the one at ``step``, from 1.

        Raises:
            ValueError: the model has none, or it is the written one.
        """
        return first_token(self._translator.tokenizer, word, unlike=self.target[step - 1])

    def question(self, step: int, foil: int) -> Question:
        """Return what both runs are asked at ``step``, from 1."""
        clean, corrupted = self._sources
        return Question(clean, corrupted, self.target[: step - 1], self.target[step - 1], foil)

    def cells(self, view: View, step: int) -> tuple[PatchedSite, ...]:
        """Return the cells of ``view`` that can matter at ``step``, from 1."""
        return cells_of(self.config, view, len(self.source), step)

    def patched(self, step: int, foil: int) -> ShownPatching:
        """Return the effect of every cell of every view.

        Raises:
            PairError: the two runs agree so far that no effect can be told.
        """
        cells = [cell for view in VIEWS for cell in self.cells(view, step)]
        patching = patching_effects(self._translator.model, self.question(step, foil), [[cell.site] for cell in cells])
        if abs(patching.clean - patching.corrupted) < LEAST_DIFFERENCE:
            raise PairError("no difference", difference=f"{abs(patching.clean - patching.corrupted):.2f}")
        effects = dict(zip([cell.code for cell in cells], patching.values.tolist(), strict=True))
        return ShownPatching(patching.clean, patching.corrupted, effects)

    def translate(self, text: str, options: DecodingOptions, step: int, foil: int, cell: PatchedSite) -> Translation:
        """Return the translation of the corrupted ``text`` with ``cell`` patched, from ``step`` on.

        The tokens before ``step`` are fixed.
        """
        question = self.question(step, foil)
        with intervene(patch_once(self._translator.model, question, [cell.site])):
            return self._translator.translate(text, options, prefix=question.prefix, as_typed=True)


def patching_as_csv(shown: ShownPatching, cells: Mapping[str, PatchedSite]) -> str:
    """Return a table of the effect of every cell."""
    return columns_as_csv(
        {
            "cell": list(cells),
            "hook point": [cell.site.point for cell in cells.values()],
            "head": [cell.head or "" for cell in cells.values()],
            "position": [cell.position or "" for cell in cells.values()],
            "effect": [f"{shown.effects[code]:.6g}" for code in cells],
        }
    )


def _listed(translation: Translation) -> str:
    return " ".join(token_row(translation.source).labels[:-1])
