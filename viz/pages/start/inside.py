"""Pictures and questions about the inside of the shipped translator: blocks, stream, heads, output."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from model.decoding.translator import Translation, Translator
from viz.base.languages import worded
from viz.base.link_parameters import Choice, Number, labelled
from viz.base.tokens import label_alone, piece_labels
from viz.base.words import listed, listed_apart, page_text
from viz.figures.bars import bars
from viz.figures.horizontal import horizontal
from viz.pages.start.drawing import EXAMPLE, chart, sentence, translation_of
from viz.pages.start.figures.cells import cells, mosaic
from viz.pages.start.figures.towers import towers
from viz.pages.start.stops import Answer, Numbers, Picture, PictureContent, PictureControl
from viz.pages.start.study.records import Stack
from viz.pages.start.study.translator import (
    BLOCKS,
    active_shares,
    n_sublayers,
    parameter_counts,
    stream_statistics,
    strongest_key,
)
from viz.shared.shipped import DEFAULT_TRANSLATOR, translator

TEXT = page_text("pages/start/inside")
_STACK: Choice[Stack] = labelled("stack", worded(("encoder", "decoder"), lambda name: TEXT[f"stack {name}"]))
# As high as any model has; at drawing, as high as this one has.
_LAYER = Number("stop-layer", 1, 1, 99)
_HEAD = Number("stop-head", 1, 1, 99)
_STEP = Number("stop-step", 1, 1, 999)
_HEADS_PER_ROW = 4
# The token that the question about cross-attention asks for, counted from 1.
_ASKED_TOKEN = 4


@dataclass(frozen=True)
class InsideView:
    """The sentence, and the place that the picture shows; numbers count from 1."""

    text: str = EXAMPLE
    stack: Stack = _STACK.default
    layer: int = _LAYER.default
    head: int = _HEAD.default
    step: int = _STEP.default


# The head that aligns best by people's word links opens as the picture of cross-attention.
_ALIGNING = InsideView(layer=2, head=1)


def _model() -> Translator:
    return translator(DEFAULT_TRANSLATOR)


def _sources(translation: Translation) -> tuple[str, ...]:
    return piece_labels(translation.source.pieces, [word.start for word in translation.source.words])


def _targets(translation: Translation) -> tuple[str, ...]:
    return piece_labels(translation.target.pieces, [word.start for word in translation.target.words])


def _layer(n_layers: int, default: int = _LAYER.default, key: str = _LAYER.key) -> PictureControl:
    return PictureControl("layer", replace(_LAYER, key=key, high=n_layers, default=default), TEXT["layer"], "number")


# 3.1 Encoder and decoder stacks


def _stacks(_: InsideView) -> PictureContent:
    counts = parameter_counts(_model().model)
    stacks: dict[str, dict[str, dict[str, int]]] = {}
    for (stack, layer), parts in counts.layers.items():
        own = {TEXT[f"block {block}"]: number for block, number in parts.items()}
        stacks.setdefault(TEXT[f"tower {stack}"], {})[TEXT["tower layer"].format(layer=layer + 1)] = own
    blocks = [TEXT[f"block {block}"] for block in BLOCKS["decoder"]]
    rows = listed_apart(
        f"{stack}, {layer}: {listed(f'{block} {number:,}' for block, number in own.items())}"
        for stack, layers in stacks.items()
        for layer, own in layers.items()
    )
    pair = chart("stacks", TEXT["alt stacks"].format(rows=rows), towers(stacks, blocks=blocks, name=TEXT["parameters"]))
    rest = counts.total - counts.embedding - sum(sum(parts.values()) for parts in counts.layers.values())
    numbers = {"total": f"{counts.total:,}", "embedding": f"{counts.embedding:,}", "rest": f"{rest:,}"}
    return PictureContent((pair,), TEXT["stacks"].format(**numbers))


def count_sublayers(_: InsideView) -> Answer:
    """Return how many blocks the shipped translator has."""
    model = _model().model
    layers = {"encoder": len(model.encoder.layers), "decoder": len(model.decoder.layers)}
    return Answer(n_sublayers(model), layers)


STACKS = Picture(_stacks, InsideView)


# 3.1 Residual path and normalization


def _stream_controls(_: InsideView) -> tuple[PictureControl, ...]:
    return sentence(), PictureControl("stack", _STACK, TEXT["stack"], "row")


def _stream(read: InsideView) -> PictureContent:
    statistics = stream_statistics(_model(), translation_of(read.text).translation, read.stack)
    blocks = [TEXT["after"].format(layer=layer + 1, block=TEXT[f"short {block}"]) for layer, block in statistics.blocks]
    places = [TEXT["input"], *blocks, TEXT["normalized"]]
    heights = {TEXT["mean"]: statistics.means, TEXT["deviation"]: statistics.deviations}
    values = listed_apart(f"{place} {value:.2f}" for place, value in zip(places, statistics.deviations, strict=True))
    pairs = chart(
        "residual-stream",
        TEXT["alt stream"].format(values=values),
        bars(
            places,
            heights,
            y_name=TEXT["stream"].format(stack=TEXT[f"stack {read.stack}"]),
            height=340,
            written=[TEXT["deviation"]],
        ),
    )
    return PictureContent((pairs,))


def stream_growth(read: InsideView) -> Answer:
    """Return by what factor the deviation of the residual stream grows."""
    statistics = stream_statistics(_model(), translation_of(read.text).translation, read.stack)
    before, after = (f"{statistics.deviations[place]:.3g}" for place in (0, -2))
    values = {"stack": TEXT[f"stack {read.stack}"], "before": before, "after": after}
    return Answer(statistics.growth, values, within=0.03)


STREAM = Picture(_stream, InsideView, _stream_controls)


# 3.2.2 Multi-head attention


def _layer_controls(_: InsideView) -> tuple[PictureControl, ...]:
    return sentence(), _layer(_model().model.config.n_encoder_layers)


def _heads(read: InsideView) -> PictureContent:
    translation = translation_of(read.text).translation
    pattern = translation.patterns[f"encoder.{read.layer - 1}.self_attention.pattern"]
    maps = {TEXT["head number"].format(head=head + 1): weights for head, weights in enumerate(pattern)}
    tokens = _sources(translation)
    largest = listed_apart(f"{title} {weights.max():.2f}" for title, weights in maps.items())
    panels = chart(
        "heads",
        TEXT["alt heads"].format(layer=read.layer, tokens=listed(tokens), largest=largest),
        mosaic(maps, rows=tokens, per_row=_HEADS_PER_ROW, height=80 + 2 * 17 * len(tokens)),
    )
    return PictureContent((panels,), TEXT["heads"].format(n=len(tokens)))


def head_width(_: InsideView) -> Answer:
    """Return how many numbers a key of the shipped translator has."""
    config = _model().model.config
    return Answer(config.d_key, {"d_model": config.d_model, "n_heads": config.n_heads})


HEADS = Picture(_heads, InsideView, _layer_controls)


# 3.2.3 Applications of attention


def _map_of(block: str, opening: InsideView, prefix: str = "stop") -> Picture:
    """Return the picture of the pattern of one head of ``block``, which opens on that of ``opening``.

    Links name layer and head with ``prefix``: where it opens on others than the other pictures, it has its own.
    """

    def controls(_: InsideView) -> tuple[PictureControl, ...]:
        config = _model().model.config
        n_layers = config.n_encoder_layers if block.startswith("encoder") else config.n_decoder_layers
        layer = _layer(n_layers, opening.layer, f"{prefix}-layer")
        head = replace(_HEAD, key=f"{prefix}-head", high=config.n_heads, default=opening.head)
        return sentence(), layer, PictureControl("head", head, TEXT["head"], "number")

    def show(read: InsideView) -> PictureContent:
        translation = translation_of(read.text).translation
        stack, _, kind = block.partition(".")
        weights = translation.patterns[f"{stack}.{read.layer - 1}.{kind}.pattern"][read.head - 1]
        rows, columns = _sides(translation, block)
        strongest = listed_apart(
            f"{row} → {columns[key]}" for row, key in zip(rows, weights.argmax(axis=1), strict=True)
        )
        matrix = chart(
            f"map-{stack}-{kind}",
            TEXT["alt map"].format(layer=read.layer, head=read.head, strongest=strongest),
            cells(
                weights,
                hover=TEXT["hover"],
                height=min(60 + 26 * len(rows) + 60, 520),
                rows=rows,
                columns=columns,
                deepest=1.0,
            ),
        )
        return PictureContent((matrix,), TEXT[f"map {block}"])

    return Picture(show, lambda: opening, controls)


def _sides(translation: Translation, block: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels of rows and columns.

    A row of the decoder is named by the token that is written there.
    """
    sources = _numbered(_sources(translation))
    if block.startswith("encoder"):
        return sources, sources
    return _numbered(_targets(translation)), sources


def _numbered(tokens: Sequence[str]) -> tuple[str, ...]:
    return tuple(TEXT["numbered"].format(number=place, token=token) for place, token in enumerate(tokens, start=1))


def strongest_source(read: InsideView) -> Answer:
    """Return the source token that the chosen head gives the greatest weight."""
    translation = translation_of(read.text).translation
    options = _numbered(_sources(translation))
    row = min(_ASKED_TOKEN, len(translation.target.pieces)) - 1
    name = f"decoder.{read.layer - 1}.cross_attention.pattern"
    key = strongest_key(translation.patterns, name, read.head - 1, row)
    weights = translation.patterns[name][read.head - 1]
    rows = zip(_numbered(_targets(translation)), map(tuple, weights.tolist()), strict=True)
    values = {"layer": read.layer, "head": read.head, "number": row + 1, "token": _targets(translation)[row]}
    values["weight"] = f"{weights[row, key]:.2f}"
    return Answer(options[key], values, options, numbers=Numbers(options, dict(rows)))


ENCODER_MAP = _map_of("encoder.self_attention", InsideView())
CROSS_MAP = _map_of("decoder.cross_attention", _ALIGNING, "cross")


# 3.3 Feed-forward


def _active(read: InsideView) -> PictureContent:
    translation = translation_of(read.text).translation
    shares, tokens = active_shares(_model(), translation, read.layer - 1), _sources(translation)
    values = listed_apart(f"{token} {share:.2f}" for token, share in zip(tokens, shares, strict=True))
    units = chart(
        "feed-forward",
        TEXT["alt active"].format(layer=read.layer, values=values),
        bars(tokens, {TEXT["active"]: shares}, y_name="", height=300),
    )
    return PictureContent((units,))


def block_size(_: InsideView) -> Answer:
    """Return how many numbers one feed-forward block of the shipped translator learns."""
    model = _model().model
    d_model, d_ff = model.config.d_model, model.config.d_ff
    size = parameter_counts(model).layers["encoder", 0]["feed_forward"]
    values = {"d_model": d_model, "d_ff": d_ff, "weights": f"{2 * d_model * d_ff:,}", "biases": d_model + d_ff}
    return Answer(size, values)


ACTIVE_UNITS = Picture(_active, InsideView, _layer_controls)


# 3.4 Embeddings and softmax


def _token_controls(read: InsideView) -> tuple[PictureControl, ...]:
    n_steps = len(translation_of(read.text).translation.tokens)
    return sentence(), PictureControl("step", replace(_STEP, high=n_steps), TEXT["step"], "number")


def _output(read: InsideView) -> PictureContent:
    others = translation_of(read.text).translation.tokens[read.step - 1].alternatives
    rows = [label_alone(token.piece) for token in others]
    chances = np.array([token.probability for token in others])
    values = listed_apart(f"{row} {p:.3f}" for row, p in zip(rows, chances, strict=True))
    candidates = chart(
        "output",
        TEXT["alt output"].format(step=read.step, values=values),
        horizontal(rows, {TEXT["probability"]: chances}, x_name=TEXT["probability"]),
    )
    return PictureContent((candidates,))


def embedding_factor(_: InsideView) -> Answer:
    """Return by what the shipped translator multiplies its embeddings."""
    d_model = _model().model.config.d_model
    return Answer(d_model**0.5, {"d_model": d_model}, within=0.01)


OUTPUT = Picture(_output, InsideView, _token_controls)
