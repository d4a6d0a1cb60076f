"""Keep the minimal pairs that a translator is right on, and measure which of its parts tell their words apart."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.circuits.frozen_pass import UNIT, FrozenPass, logit_difference
from model.analysis.interventions.ablation import Means, Part, ablation, heads_of, unit_points
from model.analysis.interventions.patching import Question, Site, patching_effects
from model.decoding.options import GREEDY
from model.decoding.translator import Translation, Translator
from model.files import write_text
from model.hooks import intervene
from model.text.padding import pad
from pretrained.minimal_pairs import CIRCUITS, MINIMAL_PAIRS, PAIRS, TRANSLATOR
from pretrained.publishing.command import Device, command, command_line
from pretrained.publishing.pair_templates import TEMPLATES, Template, TemplatePair, candidates
from pretrained.publishing.shipping import draft, provenance, write_table
from pretrained.translators import CARD, load_head_means, load_translator

MOST_TRIED, MOST_KEPT = 1000, 120
N_HEADS, N_DRAWS = 5, 10
N_BOOTSTRAP = 1000

Row = dict[str, Any]


@command("minimal_pairs")
def write_minimal_pairs(*, device: Device = None) -> Iterator[str]:
    """Keep minimal pairs that the translator to German is right on, and measure their mean circuits.

    Pairs, circuits and a card go to ``pretrained/minimal_pairs``.
    """
    translator, means = load_translator(TRANSLATOR, device), load_head_means(TRANSLATOR)
    if means is None:
        line = command_line("head_means", TRANSLATOR)
        raise ValueError(f"{TRANSLATOR} has no means of its weights; run {line}")
    about = provenance(TRANSLATOR, command_line("minimal_pairs"))
    kept: list[Row] = []
    circuits: list[Row] = []
    counts: list[tuple[Template, int, Sequence[MinimalPair]]] = []
    for template in TEMPLATES:
        n_tried, pairs = kept_pairs(translator, template)
        kept += [
            {"template": template.name, **_row(pair), "half": half}
            for pair, half in zip(pairs, _halves(pairs), strict=True)
        ]
        circuits += [{"template": template.name, **row} for row in circuit_rows(translator, pairs, means.by_point)]
        counts.append((template, n_tried, pairs))
        yield f"{template.name}: {len(pairs)} of {n_tried} pairs kept"
    with draft(MINIMAL_PAIRS) as folder:
        write_table(pd.DataFrame(kept).assign(**about), folder / PAIRS)
        write_table(pd.DataFrame(circuits).assign(**about), folder / CIRCUITS)
        write_text(_card(counts, about), folder / CARD)


@dataclass(frozen=True)
class PairReading:
    """A source, what is written of its translation, and the two tokens that compete to be next.

    Attributes:
        source: its text.
        begun: the text that the translation was made to begin with.
        written: the tokens of the translation so far.
        token: the right one.
        foil: the other one.
        word: the written word that ``token`` is in.
    """

    source: str
    begun: str
    written: tuple[int, ...]
    token: int
    foil: int
    word: str


class MinimalPair(NamedTuple):
    """The clean reading and the corrupted one; each one's foil is the other's token."""

    clean: PairReading
    corrupted: PairReading
    is_shown: bool


def kept_pairs(translator: Translator, template: Template) -> tuple[int, list[MinimalPair]]:
    """Return how many candidates of ``template`` were tried, and those of them that ``translator`` is right on."""

    @cache
    def greedy(source: str, begun: str) -> Translation:
        return translator.translate(source, GREEDY, prefix=begun, as_typed=True)

    @cache
    def by_beam(source: str) -> tuple[int, ...]:
        return tuple(translator.translate(source).hypotheses[0].tokens)

    kept: list[MinimalPair] = []
    n_tried = 0
    for candidate in candidates(template):
        if n_tried == MOST_TRIED or len(kept) == MOST_KEPT:
            break
        n_tried += 1
        readings = _readings(candidate, *map(greedy, candidate.sources, candidate.begun))
        if readings is not None and min(differences(translator, readings).tolist()) > 0:
            clean = readings[0]
            shown = by_beam(clean.source)[: len(clean.written) + 1] == (*clean.written, clean.token)
            kept.append(MinimalPair(*readings, shown))
    return n_tried, kept


def _readings(
    candidate: TemplatePair, clean: Translation, corrupted: Translation
) -> tuple[PairReading, PairReading] | None:
    """Return both readings up to the first tokens that differ; None unless these are in the words that are right."""
    both = clean, corrupted
    written = [one.hypotheses[0].tokens for one in both]
    runs = (tokens[one.n_given :] for tokens, one in zip(written, both, strict=True))
    step = next((step for step, (a, b) in enumerate(zip(*runs, strict=False)) if a != b), None)
    if step is None:
        return None
    places = [one.n_given + step for one in both]
    words = [_word_at(one, place) for one, place in zip(both, places, strict=True)]
    if any(word.lower() not in map(str.lower, right) for word, right in zip(words, candidate.expected, strict=True)):
        return None
    a, b = (tokens[place] for tokens, place in zip(written, places, strict=True))
    one, other = (
        PairReading(source, begun, tuple(tokens[:place]), token, foil, word)
        for source, begun, tokens, place, (token, foil), word in zip(
            candidate.sources, candidate.begun, written, places, ((a, b), (b, a)), words, strict=True
        )
    )
    return one, other


def _word_at(translation: Translation, place: int) -> str:
    return next((word.text for word in translation.target.words if word.start <= place < word.end), "")


def _row(pair: MinimalPair) -> Row:
    clean, corrupted = (
        {f"{key}_{name}": value for key, value in asdict(reading).items() if key != "foil"}
        for name, reading in (("clean", pair.clean), ("corrupted", pair.corrupted))
    )
    return {**clean, **corrupted, "is_shown": pair.is_shown}


def _halves(pairs: Sequence[MinimalPair]) -> list[str]:
    n = len(pairs) // 2
    return ["chosen"] * n + ["held out"] * (len(pairs) - n)


Memory = tuple[Tensor, Tensor]
"""What the encoder makes of padded sources, and the mask of it."""


@torch.inference_mode()
def differences(
    translator: Translator, readings: Sequence[PairReading], memory: Memory | None = None
) -> Float[Tensor, " reading"]:
    """Return by how much the logit of each reading's token is above that of its foil, with the sources read already."""
    model, rows = translator.model, torch.arange(len(readings))
    read = [[model.config.bos_id, *reading.written] for reading in readings]
    hidden = model.decode_hidden(
        pad(read, model.config.pad_id).to(model.embedding.weight.device), *(memory or _memory(translator, readings))
    )[rows, [len(tokens) - 1 for tokens in read]]
    logits = model.project(hidden)  # [R, V]
    token, foil = ([getattr(reading, name) for reading in readings] for name in ("token", "foil"))
    return (logits[rows, token] - logits[rows, foil]).cpu()


@torch.inference_mode()
def _memory(translator: Translator, readings: Sequence[PairReading]) -> Memory:
    sources = pad([_source(translator, reading) for reading in readings], translator.model.config.pad_id)
    return translator.model.encode(sources.to(translator.model.embedding.weight.device))


def _source(translator: Translator, reading: PairReading) -> list[int]:
    return [*translator.tokenizer.encode(reading.source), translator.model.config.eos_id]


def circuit_rows(translator: Translator, pairs: Sequence[MinimalPair], means: Means) -> Iterator[Row]:
    """Return what :func:`pretrained.minimal_pairs.mean_circuits` reads, of the pairs of one template."""
    heads = heads_of(translator.model.config)
    parts = (*heads, *map(Part, unit_points(translator.model.config)))
    effects = np.array([effects_of(translator, pair.clean, parts, means) for pair in pairs])  # [pair, part]
    totals = differences(translator, [pair.clean for pair in pairs]).double().numpy()
    patched = _patched(translator, pairs, parts)
    draws = np.random.default_rng(0).integers(len(pairs), size=(N_BOOTSTRAP, len(pairs)))
    shares = effects[draws].mean(1) / totals[draws].mean(1)[:, None]
    low, high = np.quantile(shares, (0.025, 0.975), axis=0)
    for place, part in enumerate(parts):
        yield {
            "measure": "part",
            **place_of(part),
            "share": effects[:, place].mean() / totals.mean(),
            "low": low[place],
            "high": high[place],
            "patched": patched[place],
            "pairs": len(pairs),
        }
    yield from _verified(translator, pairs, effects[:, : len(heads)], means)


def _verified(
    translator: Translator, pairs: Sequence[MinimalPair], effects: Float[np.ndarray, "pair head"], means: Means
) -> Iterator[Row]:
    """Return what is right without the heads that add most to the pairs of the first half, on those of the second."""
    heads, n_chosen = heads_of(translator.model.config), _halves(pairs).count("chosen")
    order = effects[:n_chosen].mean(0).argsort()[::-1]
    strongest, others = order[:N_HEADS], order[N_HEADS:]
    held_out = [*(pair.clean for pair in pairs[n_chosen:]), *(pair.corrupted for pair in pairs[n_chosen:])]
    memory = _memory(translator, held_out)

    def right(places: Iterable[int]) -> Row:
        parts = [heads[place] for place in places]
        # Heads of the decoder change nothing of what the encoder writes.
        is_read_again = any(part.point.startswith("encoder") for part in parts)
        with intervene(ablation(parts, means)):
            return _right(differences(translator, held_out, None if is_read_again else memory))

    rng = np.random.default_rng(0)
    drawn = pd.DataFrame([right(rng.choice(others, N_HEADS, replace=False)) for _ in range(N_DRAWS)])
    yield from ({"measure": "strongest", **place_of(heads[place])} for place in strongest)
    yield {"measure": "without", "off": "none", **right(())}
    yield {"measure": "without", "off": "strongest", **right(strongest)}
    yield {"measure": "without", "off": "random", **{str(key): value for key, value in drawn.mean().items()}}
    for place, head in enumerate(heads):
        yield {"measure": "without", "off": "one", **place_of(head), **right((place,))}


def place_of(part: Part) -> Row:
    """Return the columns that name ``part``; hidden units are head -1."""
    return {"point": part.point, "head": -1 if part.head is None else part.head}


def effects_of(translator: Translator, reading: PairReading, parts: Iterable[Part], means: Means) -> list[float]:
    """Return what each of ``parts`` adds to the difference of the logits, at all positions together."""
    model = translator.model
    device = model.embedding.weight.device
    source = torch.tensor([_source(translator, reading)], device=device)
    read = torch.tensor([[model.config.bos_id, *reading.written]], device=device)
    objective = logit_difference(len(reading.written), reading.token, reading.foil)
    effects = FrozenPass(model, lambda _: model(source, read)).effects(objective, means).effects
    return [
        float((effects[part.point] if part.head is None else effects[part.point][part.head]).sum()) for part in parts
    ]


def _patched(translator: Translator, pairs: Sequence[MinimalPair], parts: Sequence[Part]) -> Float[np.ndarray, " part"]:
    """Return by which share of the way to the corrupted source the difference goes, by the part that is patched."""
    patches = [[Site(part.point.replace(UNIT, ".output"), head=part.head)] for part in parts]
    rows = [
        patching_effects(translator.model, question, patches)
        for pair in pairs
        if (question := _question(translator, pair)) is not None
    ]
    if len(rows) < len(pairs) / 2:
        return np.full(len(parts), np.nan)
    moved = sum((row.patched - row.corrupted).double() for row in rows)
    return np.asarray(moved / sum(row.clean - row.corrupted for row in rows))


def _question(translator: Translator, pair: MinimalPair) -> Question | None:
    """Return how far the clean source goes over to the corrupted one; None where their positions do not align."""
    source, other = (_source(translator, reading) for reading in (pair.clean, pair.corrupted))
    if pair.clean.written != pair.corrupted.written or len(source) != len(other):
        return None
    return Question(tuple(other), tuple(source), pair.clean.written, pair.corrupted.token, pair.clean.token)


def _right(ahead: Float[Tensor, " reading"]) -> Row:
    """Return of how many readings the right token is ahead, and by how much; first all clean ones, then the others."""
    is_right = ahead.view(2, -1) > 0
    return {
        "right": float(is_right.double().mean()),
        "both": float(is_right.all(0).double().mean()),
        "difference": float(ahead.mean()),
        "pairs": is_right.shape[1],
    }


def _card(counts: Iterable[tuple[Template, int, Sequence[MinimalPair]]], about: Mapping[str, str]) -> str:
    rows = "\n".join(
        f"| {template.name} | {pairs[0].clean.source} | {pairs[0].corrupted.source} | {pairs[0].clean.word}, "
        f"{pairs[0].corrupted.word} | {n_tried} | {len(pairs)} | {sum(pair.is_shown for pair in pairs)} |"
        for template, n_tried, pairs in counts
    )
    return f"""# Minimal pairs, English to German

Pairs of English sentences that differ in a word, a form or an order, in {len(TEMPLATES)} templates, with the German
words that must differ for it. `{TRANSLATOR}` is right on every one of them.

**How.** `pretrained/publishing/pair_templates.py` has the templates. Their word lists are combined, in an order that is
drawn at random once; combinations are tried until {MOST_KEPT} are kept or {MOST_TRIED:,} were tried. Both sources are
translated greedily, from a given beginning where the template has one. The two tokens that compete are those at the
first step at which the translations differ. A pair is kept where both are in the words that the template expects. So a
pair says nothing of what the model gets wrong: the numbers tried do.

| template | clean | corrupted | words | tried | kept | also by beam search, with nothing given |
|---|---|---|---|---|---|---|
{rows}

In `verb-end` both sources are the same, and the translations were begun: with a conjunction that sends the verb to the
end, and with none or one that does not. In `relative` they were begun with the noun and a comma.

**Files.** `pairs.parquet` and `circuits.parquet`, which `pretrained.minimal_pairs` reads and describes. The first half
of each template's pairs chose the heads that were then switched off on the second half; both are of the same words.

**Licence.** Apache-2.0, as the code: all sentences were written for this project.

**Made by** `{about["command"]}`, of code `{about["commit"]}`, with weights of SHA-256 `{about["weights"]}`.
"""
