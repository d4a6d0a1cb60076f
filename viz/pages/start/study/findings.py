"""Claims of the findings on the entrance, computed from shipped models and results.

``python -m benchmarks.findings`` computes them and keeps them in ``data/findings.json``, which the page reads.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch

from model.analysis.interventions.ablation import Part, ablation, heads_of
from model.analysis.interventions.pattern_edits import HeadEdit, head_edits
from model.analysis.interventions.source_attribution import leave_one_out
from model.analysis.maps.alignment import word_weights
from model.analysis.maps.words_read import mean_cross_attention
from model.analysis.representations.lens import logit_lens
from model.decoding.options import GREEDY
from model.decoding.translator import TokenSequence, Translator
from model.hooks import intervene
from model.tasks import find
from model.text.tokenizer import Word
from model.zoo.plan import AS_PUBLISHED
from model.zoo.recording import TrainingRecording
from model.zoo.scores import learned
from viz.base.claims import Claim, Claims, Names
from viz.base.tokens import is_special
from viz.pages.start.study.attention import weights

DATA = Path(__file__).parents[1] / "data"
STORED = DATA / "findings.json"

_SENTENCES = json.loads((DATA / "sentences.json").read_text(encoding="utf-8"))
ANIMAL, BROTHER, HOUSE, GIRL = (_SENTENCES[name] for name in ("animal", "brother", "house", "girl"))
NEGATED = tuple(_SENTENCES["negated"])
"""English sentences with a negation, other than the one of the finding."""

ALIGNING_HEAD, ABLATED_HEAD, TURNED_HEAD, GENDER_HEAD = (2, 1), (2, 1), (3, 5), (3, 5)
"""Layers and heads of cross-attention, from 1, as the links of the findings name them."""

_ENGLISH_OF = {"Mein": "My", "Bruder": "brother", "nie": "never", "Buch": "book", "gelesen": "read", "ich": "I"}
_ENGLISH_OF |= {"ihm": "him", "gegeben": "gave", "hat": "has", "hatte": "gave", "habe": "gave", "das": "the, that"}
NEGATION = re.compile(r"\b(?:nicht|nichts|nie|niemals|niemand\w*|kein\w*|weder|ohne)\b", re.IGNORECASE)
"""A German word that negates."""

_MATTERS = 0.05
_D_K, _N_DRAWS = 512, 10_000
N_KEYS = 32
"""Random keys of the finding on the scale, as its link names them."""
_RIGHT, _NOT_AT_ALL = 0.5, 0.05
_ALL_RIGHT = 0.99


def alignment(translator: Translator, head_alignment: pd.DataFrame) -> Claim:
    """Return how many translated words of one sentence the best aligning head points to."""
    of_heads = "part == 'all' and layer > 0 and head > 0 and step == 'output' and weighing == 'weights'"
    rows = head_alignment.query(of_heads)
    best = rows.sort_values("error").iloc[0]
    layer, head = ALIGNING_HEAD
    translation = translator.translate(BROTHER)
    pattern = translation.patterns[f"decoder.{layer - 1}.cross_attention.pattern"][head - 1]
    source, target = _words(translation.source), _words(translation.target)
    seen = word_weights(pattern, _spans(target), _spans(source)).argmax(axis=1)
    pairs = [(word.text, source[place].text) for word, place in zip(target, seen, strict=True) if word.text.isalpha()]
    right = sum(english in _ENGLISH_OF.get(german, "").split(", ") for german, english in pairs)
    values = {"head": _dotted(ALIGNING_HEAD), "right": right, "all": len(pairs)}
    return Claim((int(best.layer), int(best["head"])) == ALIGNING_HEAD and right > len(pairs) / 2, values)


def heads(translator: Translator) -> Claim:
    """Return whether one sentence loses its negation without one head, and how many others keep theirs."""
    layer, head = ABLATED_HEAD
    edits = ablation([Part(f"decoder.{layer - 1}.cross_attention.z", head - 1)])

    def negations(text: str) -> tuple[bool, bool]:
        whole = translator.translate(text).text
        with intervene(edits):
            without = translator.translate(text).text
        return bool(NEGATION.search(whole)), bool(NEGATION.search(without))

    others = [after for before, after in map(negations, NEGATED) if before]
    values = {"heads": len(heads_of(translator.model.config)), "kept": sum(others), "all": len(others)}
    return Claim(negations(ANIMAL) == (True, False) and sum(others) > len(others) / 2, values)


def gender(translator: Translator) -> Claim:
    """Return what words change, and what follows them, where the output of one head is turned round."""
    layer, head = TURNED_HEAD
    before = translator.translate(HOUSE).text
    with intervene(head_edits(HeadEdit(f"decoder.{layer - 1}.cross_attention", head - 1, scale=-1.0))):
        after = translator.translate(HOUSE).text
    one, other = (text.rstrip(".").split() for text in (before, after))
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    changed = [block for block in blocks if block[0] != "equal"]
    if len(changed) != 1:
        return Claim(False, {"before": before, "after": after})
    _, start, end, other_start, other_end = changed[0]
    values = {"before": " ".join(one[start : end + 1]), "after": " ".join(other[other_start : other_end + 1])}
    return Claim(True, values)


def pronoun(translator: Translator, mean_circuits: pd.DataFrame) -> Claim:
    """Return how many relative pronouns are wrong without one head, and at most without another.

    One of them is an example.
    """
    layer, head = GENDER_HEAD
    part = Part(f"decoder.{layer - 1}.cross_attention.z", head - 1)
    before = translator.translate(GIRL).text
    with intervene(ablation([part])):
        after = translator.translate(GIRL).text
    rows = mean_circuits[(mean_circuits.template == "relative") & (mean_circuits.off == "one")]
    is_it = (rows.point == part.point) & (rows["head"] == part.head)
    wrong = (2 * rows.pairs * (1 - rows.right)).round().astype(int)
    of_head, of_other = int(wrong[is_it].iloc[0]), int(wrong[~is_it].max())
    values = {"head": _dotted(GENDER_HEAD), "wrong": of_head, "all": int(2 * rows.pairs.iloc[0]), "other": of_other}
    is_seen = "Mädchen, das" in before and after == before.replace("Mädchen, das", "Mädchen, der")
    return Claim(is_seen and of_head > 2 * of_other, values)


def distance(mean_circuits: pd.DataFrame) -> Claim:
    """Return how many pairs with articles far from their nouns stay right without their strongest heads."""
    of_template = mean_circuits[mean_circuits.template == "distance"]
    rows = of_template[of_template.measure == "without"]
    by_off = rows.set_index("off").loc[["strongest", "random"]]
    kept = (by_off.pairs * by_off.both).round().astype(int)
    values = {
        "off": int((of_template.measure == "strongest").sum()),
        "heads": int((rows.off == "one").sum()),
        "pairs": int(by_off.pairs["strongest"]),
        "kept": int(kept["strongest"]),
        "random": int(kept["random"]),
    }
    return Claim(bool(by_off.both["strongest"] < _RIGHT < by_off.both["random"]), values)


def misleads(translator: Translator, example_sentences: Sequence[str]) -> Claim:
    """Return where attention misses most in one sentence, and how often it names the word needed most.

    That is the word without which a token loses most.
    """
    sentences = tuple(dict.fromkeys((*example_sentences, BROTHER)))
    needs = [need for text in sentences for need in _needs(translator, text)]
    worst = max((need for need in needs if need.text == BROTHER), key=lambda need: need.missed)
    values = {
        "token": worst.token,
        "seen": worst.seen,
        "weight": worst.weight,
        "needed": worst.needed,
        "share": sum(need.missed == 0 for need in needs) / len(needs),
        "sentences": len(sentences),
    }
    return Claim(worst.missed > 0 and sum(need.missed == 0 for need in needs) > len(needs) / 2, values)


@dataclass(frozen=True)
class _Need:
    """A translated ``token`` of ``text``: the word with most attention, and the most important one.

    ``missed`` is how much more the needed word is worth to it than the one seen, in nats.
    """

    text: str
    token: str
    seen: str
    weight: float
    needed: str
    missed: float


def _needs(translator: Translator, text: str) -> list[_Need]:
    """Return the needs of all tokens whose log-probability falls without some word."""
    translation = translator.translate(text)
    source = _words(translation.source)
    ids, target = translator.tokenizer.ids(translation.source.pieces), translation.hypotheses[0].tokens
    left_out = leave_one_out(translator.model, ids, target, [range(*span) for span in _spans(source)])
    worth = left_out.T.double().numpy()  # [step, word]
    cross = mean_cross_attention(translation)
    weight = np.stack([cross[:, start:end].sum(axis=1) for start, end in _spans(source)], axis=1)  # [step, word]
    needs = []
    for word in translation.target.words:
        for step in range(word.start, word.end):
            seen, needed = int(weight[step].argmax()), int(worth[step].argmax())
            if worth[step, needed] >= _MATTERS:
                missed = float(worth[step, needed] - worth[step, seen])
                entry = (word.text, source[seen].text, float(weight[step, seen]), source[needed].text, missed)
                needs.append(_Need(text, *entry))
    return needs


def lens(translator: Translator) -> Claim:
    """Return how many tokens of one sentence lead already one layer before the decoder's end."""
    translation = translator.translate(BROTHER)
    target = translation.hypotheses[0].tokens
    seen = logit_lens(translator.model, translator.tokenizer.ids(translation.source.pieces), target, 1)
    n_per_layer = (len(seen.points) - 1) // translator.model.config.n_decoder_layers
    leading = seen.tokens[-1 - n_per_layer, :, 0] == torch.tensor(target)
    values = {"n": int(leading.sum()), "all": len(target)}
    return Claim(values["n"] > len(target) / 2, values)


def beam(translator: Translator) -> Claim:
    """Return whether the translation by a beam is more probable than the greedy one, and begins otherwise."""
    by_beam, greedy = translator.translate(BROTHER), translator.translate(BROTHER, GREEDY)
    one, other = (math.fsum(translation.hypotheses[0].log_probabilities) for translation in (by_beam, greedy))
    return Claim(one > other and by_beam.text != greedy.text, {"beam": one, "greedy": other})


def scale() -> Claim:
    """Return the largest weight of random scores with and without division by √d_k, a mean over draws."""
    rng = np.random.default_rng(0)
    draws = [rng.standard_normal((N_KEYS, _D_K)) @ rng.standard_normal(_D_K) for _ in range(_N_DRAWS)]
    plain, scaled = (
        float(np.mean([weights(scores / divisor).max() for scores in draws])) for divisor in (1.0, math.sqrt(_D_K))
    )
    values = {"d_k": _D_K, "keys": N_KEYS, "plain": plain, "scaled": scaled}
    return Claim(plain > 0.9 > _RIGHT > scaled, values)


def shuffle(translator: Translator) -> Claim:
    """Return whether an encoder without positions gives each token the same vector in another order."""
    model = translator.model
    ids = torch.tensor(translator.tokenizer.ids(translator.translate(BROTHER).source.pieces))
    order = torch.randperm(len(ids), generator=torch.Generator().manual_seed(0))
    with torch.inference_mode(), intervene({"encoder.positional.encoding": torch.zeros_like}):
        plain, shuffled = (model.encode(row[None])[0][0] for row in (ids, ids[order]))
    apart = float((plain[order] - shuffled).norm(dim=1).max() / plain.norm(dim=1).max())
    return Claim(apart < 1e-4)


def reverse(zoo_results: pd.DataFrame) -> Claim:
    """Return how many encodings learned to reverse, and which one alone still does at twice the length.

    Published forms of an encoding do not count beside the app's own.
    """
    own = zoo_results[~zoo_results.encoding.isin(list(AS_PUBLISHED))]
    rows = own[(own.task == "reverse") & (own.checkpoint == "best")]
    trained = find("reverse").description.train_lengths[1]
    far = rows[rows.length == 2 * trained].groupby("encoding").exact_match
    worst, best, mean = far.min(), far.max(), far.mean()
    first = str(mean.idxmax())
    values = {
        "n": len(mean),
        "learned": sum(task == "reverse" for task, _ in learned(own)),
        "trained": trained,
        "first": Names("encoding", (first,)),
        "far": 2 * trained,
        "mean": float(mean[first]),
    }
    return Claim(bool(worst[first] > _RIGHT and best.drop(first).max() < _NOT_AT_ALL), values)


def known(zoo_probes: pd.DataFrame) -> Claim:
    """Return how well a probe after layer 1 reads positions without an encoding, and past training."""
    rows = zoo_probes[(zoo_probes.encoding == "none") & (zoo_probes.layer == 1)]
    by_task = rows.groupby(["subject", "region", "task"]).r2.mean()
    trained, beyond, untrained = (
        by_task[key] for key in (("trained", "trained"), ("trained", "beyond"), ("untrained", "trained"))
    )
    values = {
        "low": float(trained.min()),
        "high": float(trained.max()),
        "tasks": len(trained),
        "beyond": float(beyond.mean()),
        "untrained_low": float(untrained.min()),
        "untrained_high": float(untrained.max()),
    }
    return Claim(bool(trained.min() > _RIGHT and beyond.mean() < trained.mean() > untrained.mean()), values)


def border(language_model_results: Sequence[Mapping[str, Any]]) -> Claim:
    """Return the bits of the first character of a segment, without a memory and with one."""

    def first_bits(name: str, mem_len: int) -> float:
        return float(
            np.mean(
                [
                    row["bits_by_position"][0]
                    for row in language_model_results
                    if row["name"] == name
                    and row["reading"]["kind"] == "BySegments"
                    and row["reading"]["mem_len"] == mem_len
                ]
            )
        )

    values = {"without": first_bits("no_recurrence", 0), "with_memory": first_bits("transformer_xl", 128)}
    return Claim(values["without"] > values["with_memory"] + 1, values)


def training(layer_recordings: Sequence[TrainingRecording]) -> Claim:
    """Return from which step on two layers continue a repeated word, and what one layer reaches at most."""
    one, two = layer_recordings
    above = np.flatnonzero(two.held_out > _ALL_RIGHT)
    most = float(one.held_out.max())
    values = {
        "step": int(two.steps[above[0]]) if len(above) else 0,
        "steps": int(one.steps[-1]),
        "most": most,
    }
    return Claim(bool(len(above)) and most < _RIGHT, values)


FINDINGS = {
    function.__name__: function
    for function in (
        alignment,
        heads,
        gender,
        pronoun,
        distance,
        misleads,
        lens,
        beam,
        scale,
        shuffle,
        reverse,
        known,
        border,
        training,
    )
}
"""What computes each finding, by its name."""

_WORDS = "pages/start/findings"
COMPUTED_CLAIMS: Claims = {(_WORDS, f"claim {name}"): function for name, function in FINDINGS.items()}


def as_json(claims: Mapping[str, Claim]) -> str:
    """Return ``claims`` by their names as the text that :func:`stored` reads."""
    entries = {
        name: {
            "holds": claim.holds,
            "values": {
                key: {"kind": value.kind, "names": value.names} if isinstance(value, Names) else value
                for key, value in claim.values.items()
            },
        }
        for name, claim in claims.items()
    }
    return json.dumps(entries, indent=1, ensure_ascii=False) + "\n"


def stored(path: Path = STORED) -> dict[str, Claim]:
    """Return the claims in the file at ``path`` by their names.

    Raises:
        OSError: it cannot be read.
        ValueError: it is damaged.
    """
    entries = json.loads(path.read_text(encoding="utf-8"))
    return {
        name: Claim(
            entry["holds"],
            {
                key: Names(value["kind"], tuple(value["names"])) if isinstance(value, dict) else value
                for key, value in entry["values"].items()
            },
        )
        for name, entry in entries.items()
    }


def _dotted(head: tuple[int, int]) -> str:
    """Return layer and head as links and sentences write them."""
    return f"{head[0]}.{head[1]}"


def _words(row: TokenSequence) -> list[Word]:
    return [word for word in row.words if not is_special(row.pieces[word.start])]


def _spans(words: Sequence[Word]) -> list[tuple[int, int]]:
    return [(word.start, word.end) for word in words]
