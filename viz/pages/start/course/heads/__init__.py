"""Lab: what heads do, which of them are needed, and whether attention explains."""

from functools import cache, partial

import numpy as np
from jaxtyping import Float

from model.analysis.interventions.ablation import Part, ablation
from model.analysis.interventions.source_attribution import leave_one_out
from model.analysis.maps.words_read import mean_cross_attention
from model.decoding.translator import Translation
from model.device import use_one_thread
from model.hooks import intervene
from model.text.tokenizer import Word
from pretrained.head_catalogue import head_roles
from pretrained.head_pruning import head_pruning
from viz.base.numbers import signed
from viz.base.tokens import is_special, label_alone
from viz.base.words import listed
from viz.pages.start.course.lab import Lab, LabStep, head_name
from viz.pages.start.stops import Answer
from viz.pages.start.study.findings import ANIMAL, BROTHER
from viz.shared.shipped import DEFAULT_TRANSLATOR, translator
from viz.shared.translation import DecodingChoice, translated

_N_OFFERED = 4
_OFF = (2, 1)
# The written token at which attention errs most; the link opens another one, whose answer the page tells.
_EXPLAINED, _SHOWN = 9, 2
# In BLEU.
_COSTLY = 1


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


@cache
def _both() -> tuple[Translation, Translation]:
    """Return the translation by the whole model, and the one without a head."""
    use_one_thread()
    layer, head = _OFF
    loaded, whole = translator(DEFAULT_TRANSLATOR), _translation(ANIMAL)
    with intervene(ablation([Part(f"decoder.{layer - 1}.cross_attention.z", head - 1)])):
        return whole, loaded.translate(ANIMAL)


def _lost(_: None) -> Answer:
    whole, without = _both()
    before, after = ([word.text for word in one.target.words if word.text.isalpha()] for one in (whole, without))
    lost, new = ([word for word in one if word not in other] for one, other in ((before, after), (after, before)))
    values = {"head": head_name("cross", *_OFF), "whole": whole.text, "without": without.text, "words": listed(lost)}
    return Answer(len(lost), values, mistakes=(len(new), len(before) - len(lost)))


def _costly(_: None) -> Answer:
    rows = head_pruning(DEFAULT_TRANSLATOR)
    (whole,) = rows[rows.choice == "whole"].bleu
    alone = rows[rows.choice == "zero"]
    costly = {kind: int((whole - rows.bleu > _COSTLY).sum()) for kind, rows in alone.groupby("kind")}
    n_cross = int((alone.kind == "cross").sum())
    values: dict[str, object] = {
        "n": n_cross,
        "encoder": costly["encoder"],
        "decoder": costly["decoder"],
        "cost": _COSTLY,
    }
    values |= {"bleu": f"{whole:.1f}", "worst": signed(float(alone.bleu.min() - whole), 1), "total": len(alone)}
    return Answer(costly["cross"], values, mistakes=(costly["encoder"], sum(costly.values())))


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
        "of_attended": signed(float(worth[int(seen.argmax())])),
    }
    return Answer(needed, values, tuple(dict.fromkeys(names)), mistakes=(attended,))


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
        _step("previous", "heads", _OF | {"measure": "previous", "head": "highest"}, 5, _previous),
        _step("sink", "heads", _OF | {"measure": "sink", "head": "highest"}, 4),
        _step("align", "word-alignment", _OF | {"at": "output", "weighing": "weights"}, 5),
        _step("off", "switch-heads-off", _GRID | {"off": "cross.2.1"}, 6, _lost),
        _step("idle", "switch-heads-off", _GRID | {"off": "encoder.2.2"}, 4),
        _step("needed", "heads-needed", _OF | {"of-measure": "bleu", "by": "zero"}, 6, _costly),
        _step("mean", "heads-needed", _OF | {"of-measure": "bleu", "by": "mean"}, 4),
        _step("explain", "does-attention-explain", _MODEL | {"text": BROTHER, "step": str(_SHOWN)}, 6, _needed),
        _step("edit", "edit-pattern", _EDIT, 5),
    ),
)
