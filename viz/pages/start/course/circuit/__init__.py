"""Lab: from activation patching to a circuit, and how far the circuit can be trusted."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial

from model.analysis.interventions.direct_attribution import direct_attribution
from model.analysis.interventions.patching import Question, Site, patching_effects
from model.analysis.representations.lens import logit_lens
from model.decoding.translator import Translation
from model.device import use_one_thread
from pretrained.circuits import circuit_checks
from pretrained.minimal_pairs import mean_circuits
from viz.base.attention_maps import BLOCKS, BlockName
from viz.base.numbers import signed
from viz.base.tokens import label_alone
from viz.base.words import listed, listed_apart
from viz.pages.start.course.circuit.traced import Head, TracedWord, head_at
from viz.pages.start.course.lab import TEXT, Lab, LabStep, head_name
from viz.pages.start.stops import Answer
from viz.shared.shipped import DEFAULT_TRANSLATOR, translator
from viz.shared.translation import DecodingChoice, translated
from viz.shared.writers import writer_name

_CLEAN, _CORRUPTED = "The dog sleeps on the chair", "The cat sleeps on the chair"
_N_OFFERED = 4
_N_OFF = 10
# Of so many, the heads that both patching and direct attribution name; cells and writers of a score; drawn parts.
_N_BOTH, _N_CELLS, _N_DRAWN = 3, 3, 30
# The place of the noun, from 0.
_NOUN = 1
_POINTS: dict[BlockName, str] = {
    "encoder": "encoder.{}.self_attention.z",
    "decoder": "decoder.{}.self_attention.z",
    "cross": "decoder.{}.cross_attention.z",
}


@dataclass(frozen=True)
class _Patching:
    """Logit differences at the first written token, the effect of each head on them, and both words.

    ``of_two`` is the effect of the two strongest heads, patched together.
    """

    clean: float
    corrupted: float
    by_head: Mapping[Head, float]
    of_two: float
    token: str
    foil: str

    @property
    def whole(self) -> float:
        """The distance between the two differences."""
        return self.clean - self.corrupted

    @property
    def order(self) -> list[Head]:
        """The heads, those with the largest effects first."""
        return sorted(self.by_head, key=self.by_head.__getitem__, reverse=True)

    @property
    def values(self) -> dict[str, object]:
        """The values of the words' fields."""
        both = {"clean": signed(self.clean), "corrupted": signed(self.corrupted)}
        return {"token": self.token, "foil": self.foil, **both}


def _both() -> tuple[Translation, Translation]:
    clean, corrupted = (translated(text, DecodingChoice()).translation for text in (_CLEAN, _CORRUPTED))
    return clean, corrupted


def _asked() -> Question:
    """Return the question for patching: the first token of one translation against that of the other."""
    ids = translator(DEFAULT_TRANSLATOR).tokenizer.ids
    source, other = (tuple(ids(one.source.pieces)) for one in _both())
    answer, foil = (one.hypotheses[0].tokens[0] for one in _both())
    return Question(source, other, (), answer, foil)


@cache
def _patched() -> _Patching:
    use_one_thread()
    loaded, asked = translator(DEFAULT_TRANSLATOR), _asked()
    config = loaded.model.config
    n_layers = {"encoder": config.n_encoder_layers}
    heads: list[Head] = [
        (kind, layer, head)
        for kind in BLOCKS
        for layer in range(1, n_layers.get(kind, config.n_decoder_layers) + 1)
        for head in range(1, config.n_heads + 1)
    ]
    sites = [[Site(_POINTS[kind].format(layer - 1), head=head - 1)] for kind, layer, head in heads]
    effects = patching_effects(loaded.model, asked, sites)
    by_head = dict(zip(heads, effects.values.tolist(), strict=True))
    two = sorted(range(len(sites)), key=effects.values.tolist().__getitem__)[-2:]
    both = patching_effects(loaded.model, asked, [[site for place in two for site in sites[place]]])
    words = (label_alone(one.target.pieces[0]) for one in _both())
    return _Patching(effects.clean, effects.corrupted, by_head, float(both.values[0]), *words)


@cache
def leading_block() -> tuple[int, str]:
    """Return layer and block after which the article of the first sentence first leads, by the lens."""
    use_one_thread()
    source, target = _first_run()
    lens = logit_lens(translator(DEFAULT_TRANSLATOR).model, source, target, 1)
    place = int((lens.tokens[:, 0, 0] == target[0]).int().argmax())
    _, layer, block, _ = lens.points[place].split(".")
    return int(layer) + 1, block


def _first_run() -> tuple[list[int], tuple[int, ...]]:
    """Return the tokens of the first sentence, and those of its translation."""
    loaded, translation = translator(DEFAULT_TRANSLATOR), translated(_CLEAN, DecodingChoice()).translation
    return loaded.tokenizer.ids(translation.source.pieces), tuple(translation.hypotheses[0].tokens)


def _directly() -> Mapping[str, object]:
    """Return the block that the lens points at, its direct effect on the logit difference, and the whole."""
    use_one_thread()
    layer, block = leading_block()
    source, target = _first_run()
    foil = translated(_CORRUPTED, DecodingChoice()).translation.hypotheses[0].tokens[0]
    written = direct_attribution(translator(DEFAULT_TRANSLATOR).model, source, target)
    by_part = [*zip(written.parts, written.contributions(0, target[0], foil).tolist(), strict=True)]
    adds = sum(value for part, value in by_part if part.point.startswith(f"decoder.{layer - 1}.{block}"))
    of_heads = {part: value for part, value in by_part if part.head is not None}
    strongest = sorted(of_heads, key=of_heads.__getitem__, reverse=True)[:_N_BOTH]
    both = [
        head
        for head in (head_at(part.point, part.head or 0) for part in strongest)
        if head in _patched().order[:_N_BOTH]
    ]
    values = {"block": layer, "adds": signed(adds, 2), "whole": signed(written.difference(0, target[0], foil), 2)}
    return values | {"both": listed(head_name(*head) for head in both)}


@cache
def _traced(text: str) -> TracedWord:
    """Return the parts behind the first word of a translation, against the first word of the other.

    ``text`` is one of the two sentences.
    """
    use_one_thread()
    other = _CORRUPTED if text == _CLEAN else _CLEAN
    one, foil = (translated(words, DecodingChoice()).translation for words in (text, other))
    return TracedWord(translator(DEFAULT_TRANSLATOR), one, foil.hypotheses[0].tokens[0])


def _strongest_cross() -> tuple[Head, Head]:
    first, second, *_ = _patched().order
    return first, second


def _cells() -> Mapping[str, object]:
    """Return the cells and writers that add most to the score of the strongest head for the noun."""
    head, _ = _strongest_cross()
    split = _traced(_CLEAN).score(head, _NOUN)
    cells = (
        TEXT["cell"].format(query=writer_name(query), key=writer_name(key), value=signed(value))
        for (query, key), value in split.largest(_N_CELLS)
    )
    sides = {
        name: listed(map(writer_name, split.strongest(side, _N_CELLS))) for side, name in enumerate(("queries", "keys"))
    }
    return {"head": head_name(*head), "score": signed(split.score), "cells": listed_apart(cells)} | sides


def _box() -> Mapping[str, object]:
    """Return a head at the noun that the picture is wrong about: its effect, and the real loss."""
    head, held, lost = _traced(_CLEAN).refuted(_N_DRAWN, _NOUN)
    return {"head": head_name(*head), "number": head[-1], "held": signed(held), "lost": signed(lost)}


def _of_phenomena() -> Mapping[str, object]:
    """Return the head that adds most for gender, and its shares by phenomenon."""
    circuits = mean_circuits()
    rows = circuits[(circuits.measure == "part") & (circuits["head"] >= 0)].to_dict("records")
    first = max((row for row in rows if row["template"] == "gender"), key=lambda row: row["share"])
    own = [row for row in rows if (row["point"], row["head"]) == (first["point"], first["head"])]
    head = head_name(*head_at(first["point"], int(first["head"])))
    return {"head": head, **{row["template"]: f"{signed(100 * row['share'], 0)}%" for row in own}}


def without_heads() -> Mapping[str, object]:
    """Return the difference of the logits of both sentences, with all heads, without one and without two."""
    both = _strongest_cross()
    values: dict[str, object] = {"best": head_name(*both[0]), "second": head_name(*both[1])}
    for name, text in (("clean", _CLEAN), ("corrupted", _CORRUPTED)):
        traced = _traced(text)
        shown = (("", traced.whole), ("_one", traced.without_heads(both[:1])), ("_two", traced.without_heads(both)))
        values |= {f"{name}{end}": signed(value) for end, value in shown}
        values[f"{name}_word"] = traced.token
    return values


@cache
def _arriving() -> dict[str, object]:
    """Return effects of the residual stream: the least at the noun, and the last at the first word."""
    use_one_thread()
    loaded = translator(DEFAULT_TRANSLATOR)
    after = "{}.{}.feed_forward.residual_after"
    n_encoder, n_layers = loaded.model.config.n_encoder_layers, loaded.model.config.n_decoder_layers
    sites = [[Site(after.format("encoder", layer), _NOUN)] for layer in range(n_encoder)]
    sites += [[Site(after.format("decoder", layer), 0)] for layer in (n_layers - 2, n_layers - 1)]
    *at_noun, before, end = patching_effects(loaded.model, _asked(), sites).values.tolist()
    shares = {"noun": f"{min(at_noun):.2f}", "before": f"{before:.2f}", "end": f"{end:.2f}"}
    return shares | {"last_before": n_layers - 1, "last": n_layers}


def _whole_change(_: None) -> Answer:
    patching = _patched()
    mistakes = (patching.clean + patching.corrupted, patching.clean)
    return Answer(patching.whole, patching.values | _arriving(), within=0.01, mistakes=mistakes)


def _strongest(_: None) -> Answer:
    patching = _patched()
    of_encoder = next(head for head in patching.order if head[0] == "encoder")
    names = [head_name(*head) for head in patching.order[:_N_OFFERED]]
    options = tuple(sorted({*names, head_name(*of_encoder)}))
    values = {"effect": f"{patching.by_head[patching.order[0]]:.2f}", "other": f"{patching.by_head[of_encoder]:.2f}"}
    return Answer(names[0], patching.values | values, options, mistakes=(head_name(*of_encoder),))


def _after_patching(_: None) -> Answer:
    patching = _patched()
    second = patching.order[1]
    way = patching.by_head[second] * patching.whole
    begun, share, end = (round(value, 2) for value in (patching.corrupted, patching.by_head[second], patching.clean))
    values = {
        "rounded": signed(begun + share * (end - begun)),
        "sum": f"{sum(patching.by_head[head] for head in patching.order[:2]):.2f}",
        "head": head_name(*second),
        "effect": f"{patching.by_head[second]:.2f}",
        "best": head_name(*patching.order[0]),
        "both": f"{patching.of_two:.2f}",
    }
    return Answer(patching.corrupted + way, patching.values | values, within=0.03, mistakes=(way, patching.clean - way))


def _lost(_: None) -> Answer:
    checks = circuit_checks(DEFAULT_TRANSLATOR)
    rows = checks[(checks.measure == "without") & (checks.by == "zero") & (checks.n == _N_OFF)].set_index("method")
    strongest, random = (100 * float(rows.flipped[method]) for method in ("frozen", "random"))
    values: dict[str, object] = {"n": _N_OFF, "sentences": int(rows.sentences["frozen"])}
    values |= {"strongest": f"{strongest:.0f}", "random": f"{random:.0f}"}
    values["rounded"] = round(strongest) - round(random)
    values |= _traced(_CLEAN).kept_and_lost(_N_OFF)
    return Answer(strongest - random, values, within=0.02, mistakes=(strongest, random, strongest + random))


_step = partial(LabStep, "circuit")
_MODEL = {"translator": DEFAULT_TRANSLATOR}
_PAIR = _MODEL | {"text": _CLEAN, "corrupted": _CORRUPTED, "step": "1", "foil": "Die"}
_WORD = _MODEL | {"text": _CLEAN, "step": "1", "foil": "Die"}
# No head that the question asks for.
_WEAK = "decoder.1.head.1"
# Far from the noun, so that it shows no answer.
_EMPTY = "encoder.1.residual.8"
_CIRCUIT = _WORD | {"strongest": str(_N_DRAWN), "baseline": "zero"}
LAB = Lab(
    "circuit",
    4,
    (
        _step("lens", "logit-lens", _MODEL | {"text": _CLEAN, "after": "block"}, 3, facts=_directly),
        _step("pair", "patch-activations", _PAIR | {"patch": "residual", "cell": _EMPTY}, 5, _whole_change),
        _step("heads", "patch-activations", _PAIR | {"patch": "heads", "cell": _WEAK}, 5, _strongest),
        _step("share", "patch-activations", _PAIR | {"patch": "heads", "cell": "cross.3.head.5"}, 5, _after_patching),
        _step("direct", "direct-attribution", _WORD, 4, facts=_directly),
        _step("circuit", "why-this-word", _CIRCUIT | {"boxes": "held"}, 7, facts=_cells),
        _step("really", "why-this-word", _CIRCUIT | {"boxes": "off"}, 6, facts=_box),
        _step("trust", "why-this-word", _CIRCUIT | {"boxes": "off", "strongest": str(_N_OFF)}, 7, _lost),
        _step("phenomena", "phenomena", {"phenomenon": "gender"}, 3, facts=_of_phenomena),
        _step("cause", "why-this-word", _CIRCUIT | {"boxes": "off", "node": "cross.3.5.1"}, 5, facts=without_heads),
    ),
)
