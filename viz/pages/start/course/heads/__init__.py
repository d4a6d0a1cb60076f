"""Lab: what heads do, which of them are needed, and whether attention explains."""

from collections.abc import Mapping, Sequence
from functools import cache, partial

import numpy as np
import pandas as pd
from jaxtyping import Float

from model.analysis.interventions.ablation import Part, ablation
from model.analysis.interventions.pattern_edits import HeadEdit, head_edits
from model.analysis.interventions.source_attribution import leave_one_out
from model.analysis.maps.words_read import mean_cross_attention
from model.decoding.translator import Translation
from model.device import use_one_thread
from model.hooks import intervene
from model.text.tokenizer import Word
from pretrained.head_catalogue import head_roles
from pretrained.head_pruning import head_pruning
from viz.base.numbers import signed, with_sign
from viz.base.tokens import is_special, label_alone
from viz.base.words import listed
from viz.pages.start.course.lab import Lab, LabStep, head_name
from viz.pages.start.stops import Answer
from viz.pages.start.study.findings import ANIMAL, BROTHER, NEGATION
from viz.shared.shipped import DEFAULT_TRANSLATOR, translator
from viz.shared.translation import DecodingChoice, translated

_N_OFFERED = 4
# Layers and heads, from 1: one of cross-attention, and one of the encoder that can go.
_OFF, _IDLE = (2, 1), (2, 2)
# The written token at which attention errs most; the link opens another one, whose answer the page tells.
_EXPLAINED, _SHOWN = 9, 2
# In BLEU.
_COSTLY = 1
_N_RESTING = 5


def _translation(text: str) -> Translation:
    return translated(text, DecodingChoice()).translation


def _previous(_: None) -> Answer:
    heads = head_roles(DEFAULT_TRANSLATOR).sort_values("previous", ascending=False)
    first, second, *others = heads.head(_N_OFFERED).to_dict("records")
    resting = heads.sort_values("sink").iloc[-1].to_dict()
    names = [head_name(row["kind"], row["layer"], row["head"]) for row in (second, first, resting, *others)]
    shares = {"share": f"{second['previous']:.2f}", "first": f"{first['previous']:.2f}", "best": names[1]}
    shares |= {"sink": f"{resting['sink']:.0%}"}
    return Answer(names[0], shares, tuple(sorted({*names})), mistakes=(names[1], names[2]))


def _resting() -> Mapping[str, object]:
    """Return the greatest weight on start and end, and the BLEU lost without heads that have most."""
    weights, losses = head_roles(DEFAULT_TRANSLATOR).set_index(["kind", "layer", "head"]).sink, losses_alone("zero")
    cost, every = (f"{mean:.2f}" for mean in (losses.loc[weights.nlargest(_N_RESTING).index].mean(), losses.mean()))
    return {"most": f"{weights.max():.0%}", "total": len(weights), "n": _N_RESTING, "cost": cost, "all": every}


@cache
def _without(block: str, heads: tuple[int, ...]) -> Translation:
    """Return the translation without ``heads``, from 1, of an attention block."""
    use_one_thread()
    with intervene(ablation([Part(f"{block}.z", head - 1) for head in heads])):
        return translator(DEFAULT_TRANSLATOR).translate(ANIMAL)


def _lost(_: None) -> Answer:
    layer, head = _OFF
    whole, without = _translation(ANIMAL), _without(f"decoder.{layer - 1}.cross_attention", (head,))
    before, after = ([word.text for word in one.target.words if word.text.isalpha()] for one in (whole, without))
    lost, new = ([word for word in one if word not in other] for one, other in ((before, after), (after, before)))
    values = {"head": head_name("cross", *_OFF), "whole": whole.text, "without": without.text, "words": listed(lost)}
    return Answer(len(lost), values, mistakes=(len(new), len(before) - len(lost)))


def _idle() -> Mapping[str, object]:
    """Return how many heads of a row can go before a word changes, from the left and from the right."""
    layer, head = _IDLE
    others = [place for place in range(1, translator(DEFAULT_TRANSLATOR).model.config.n_heads + 1) if place != head]
    orders = {"left": (head, *others), "right": (head, *reversed(others))}
    block = f"encoder.{layer - 1}.self_attention"
    return {end: _n_unneeded(block, order) for end, order in orders.items()} | {"all": len(others) + 1}


def _n_unneeded(block: str, order: Sequence[int]) -> int:
    """Return how many heads of ``order``, from its first on, can go before a word changes."""
    whole = _translation(ANIMAL).text
    runs = (tuple(order[: n + 1]) for n in range(len(order)))
    return next((len(run) - 1 for run in runs if _without(block, run).text != whole), len(order))


def _bleu_of_whole() -> float:
    rows = head_pruning(DEFAULT_TRANSLATOR)
    (whole,) = rows[rows.choice == "whole"].bleu
    return float(whole)


def losses_alone(by: str) -> pd.Series:
    """Return the BLEU lost with each head alone at ``zero`` or at its ``mean``, by kind, layer, head."""
    rows = head_pruning(DEFAULT_TRANSLATOR)
    alone = rows[rows.choice == by].astype({"layer": int, "head": int}).set_index(["kind", "layer", "head"])
    return (_bleu_of_whole() - alone.bleu).sort_index()


def _costly(_: None) -> Answer:
    losses = losses_alone("zero")
    costly = {kind: int((own > _COSTLY).sum()) for kind, own in losses.groupby("kind")}
    values: dict[str, object] = {
        "n": len(losses["cross"]),
        "encoder": costly["encoder"],
        "decoder": costly["decoder"],
        "cost": _COSTLY,
    }
    values |= {"bleu": f"{_bleu_of_whole():.1f}", "worst": signed(-float(losses.max()), 1), "total": len(losses)}
    return Answer(costly["cross"], values, mistakes=(costly["encoder"], sum(costly.values())))


def _at_mean() -> Mapping[str, object]:
    """Return for how many heads less is lost at their mean than at zero, and for which one most."""
    zero, mean = losses_alone("zero"), losses_alone("mean")
    shrinks = zero - mean
    most = shrinks.sort_values().index[-1]
    numbers = {"zero": zero.mean(), "mean": mean.mean(), "head_zero": zero[most], "head_mean": mean[most]}
    shown = {name: f"{number:.2f}" for name, number in numbers.items()}
    return {"smaller": int((shrinks > 0).sum()), "total": len(shrinks), "head": head_name(*most)} | shown


@cache
def _worth() -> tuple[list[Word], Float[np.ndarray, " word"], Float[np.ndarray, " word"]]:
    """Return the source words, their importance for the explained token, and their attention."""
    use_one_thread()
    loaded, translation = translator(DEFAULT_TRANSLATOR), _translation(BROTHER)
    source = [word for word in translation.source.words if not is_special(translation.source.pieces[word.start])]
    spans = [range(word.start, word.end) for word in source]
    ids, target = loaded.tokenizer.ids(translation.source.pieces), translation.hypotheses[0].tokens
    worth = leave_one_out(loaded.model, ids, target, spans)[:, _EXPLAINED - 1].double().numpy()
    row = mean_cross_attention(translation)[_EXPLAINED - 1]
    return source, worth, np.array([row[span.start : span.stop].sum() for span in spans])


def _needed(_: None) -> Answer:
    source, worth, seen = _worth()
    names = [word.text for word in source]
    needed, attended = names[int(worth.argmax())], names[int(seen.argmax())]
    values = {
        "step": _EXPLAINED,
        "token": label_alone(_translation(BROTHER).target.pieces[_EXPLAINED - 1]),
        "attended": attended,
        "weight": f"{seen.max():.0%}",
        "loss": signed(float(worth.max())),
        "of_attended": with_sign(-float(worth[int(seen.argmax())])),
    }
    return Answer(needed, values, tuple(dict.fromkeys(names)), mistakes=(attended,))


@cache
def looking(at: int | None) -> Translation:
    """Return the translation with all rows of a head on token ``at``, from 0, or on all tokens alike."""
    use_one_thread()
    layer, head = _OFF
    edit = HeadEdit(f"decoder.{layer - 1}.cross_attention", head - 1, "uniform" if at is None else "token", at or 0)
    with intervene(head_edits(edit)):
        return translator(DEFAULT_TRANSLATOR).translate(ANIMAL)


def _edited() -> Mapping[str, object]:
    """Return on how many of all tokens a head loses the negation by looking at one of them alone."""
    n_tokens = len(_translation(ANIMAL).source.pieces)
    lost = sum(not NEGATION.search(looking(at).text) for at in range(n_tokens))
    return {"lost": lost, "tokens": n_tokens}


_step = partial(LabStep, "heads")
_MODEL = {"translator": DEFAULT_TRANSLATOR}
_OF = {"of": DEFAULT_TRANSLATOR}
_GRID = _MODEL | {"text": ANIMAL, "by": "zero"}
_EDIT = _MODEL | {"text": ANIMAL, "edit-head": "cross.2.1", "look": "uniform", "row": "all"}
_EDIT |= {"head-temperature": "1", "head-scale": "1"}
LAB = Lab(
    "heads",
    3,
    (
        _step("all", "translate", _MODEL | {"text": ANIMAL, "kind": "encoder", "view": "explorer"}, 5),
        _step("previous", "heads", _OF | {"head-measure": "previous", "measured-head": "highest"}, 5, _previous),
        _step("sink", "heads", _OF | {"head-measure": "sink", "measured-head": "highest"}, 4, facts=_resting),
        _step("align", "word-alignment", _OF | {"at": "output", "weighing": "weights"}, 5),
        _step("off", "switch-heads-off", _GRID | {"off": "cross.2.1"}, 6, _lost),
        _step("idle", "switch-heads-off", _GRID | {"off": "encoder.2.2"}, 4, facts=_idle),
        _step("needed", "heads-needed", _OF | {"of-measure": "bleu", "replaced-by": "zero"}, 6, _costly),
        _step("mean", "heads-needed", _OF | {"of-measure": "bleu", "replaced-by": "mean"}, 4, facts=_at_mean),
        _step("explain", "does-attention-explain", _MODEL | {"text": BROTHER, "step": str(_SHOWN)}, 6, _needed),
        _step("edit", "edit-pattern", _EDIT, 5, facts=_edited),
    ),
)
