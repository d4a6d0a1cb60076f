"""The circuit of a word of a shipped translator: its parts, paths, curves and details add up to what the model does."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from model.analysis.circuits.checks import without
from model.analysis.circuits.frozen_pass import Node
from model.analysis.circuits.rankings import matched_draw
from model.analysis.circuits.score_split import split_score
from model.analysis.interventions.ablation import Means
from model.decoding.options import DecodingOptions
from model.decoding.translator import Translation, Translator
from model.hooks import intervene, record
from pretrained import load_head_means
from viz.pages.interventions.study.attributed import Attribution
from viz.pages.interventions.study.circuit.details import BIASES, UnitExample, examples_of, reads, reasons, units
from viz.pages.interventions.study.circuit.explained import N_DRAWS, SIZES, Curves, Explanation
from viz.pages.interventions.study.circuit.files import (
    circuit_as_csv,
    circuit_as_json,
    curves_as_csv,
    reasons_as_csv,
)
from viz.pages.interventions.study.circuit.parts import MOST_DRAWN, Circuit, CircuitPart

NAME = "translation-en-de"
TEXT = "My brother has never read the book that I gave him."
STEP = 9


@pytest.fixture(scope="module")
def translation(translator: Translator) -> Translation:
    return translator.translate(TEXT, as_typed=True)


@pytest.fixture(scope="module")
def attributed(translator: Translator, translation: Translation) -> Attribution:
    return Attribution(translator, translation)


@pytest.fixture(scope="module")
def explained(translator: Translator, translation: Translation, attributed: Attribution) -> Explanation:
    return Explanation(translator, translation, STEP, attributed.foils(STEP, 1)[0])


@pytest.fixture(scope="module")
def circuit(explained: Explanation) -> Circuit:
    return explained.circuit(30, None)


@pytest.fixture(scope="module")
def means() -> Means:
    loaded = load_head_means(NAME)
    assert loaded is not None
    return loaded.by_point


@pytest.fixture(scope="module")
def curves(explained: Explanation, means: Means) -> dict[bool, Curves]:
    """Measure the curves with what is off at zero (False) and at its mean."""
    return {False: explained.curves(None), True: explained.curves(means)}


def left_without(explained: Explanation, nodes: Sequence[Node], means: Means | None) -> float:
    return float(without(explained._run, explained._objective, [nodes], means)[0])


def strongest(circuit: Circuit, kind: str) -> CircuitPart:
    return max((part for part in circuit.parts if part.kind == kind), key=lambda part: abs(part.effect))


def test_inputs_and_biases_sum_to_the_difference_at_every_step(
    translator: Translator, translation: Translation, attributed: Attribution
) -> None:
    for step in range(1, len(attributed.target) + 1):
        foil = attributed.foils(step, 1)[0]
        effects = Explanation(translator, translation, step, foil).effects
        assert effects.of_inputs + effects.biases == pytest.approx(effects.total, abs=1e-4)
        assert effects.total == pytest.approx(attributed.shown(step, foil).difference, abs=1e-4)


def test_the_circuit_is_of_the_strongest_parts(explained: Explanation, circuit: Circuit) -> None:
    *parts, biases, target = circuit.parts
    assert (biases.kind, target.kind) == ("biases", "target")
    assert biases.effect == explained.effects.biases
    assert len(parts) <= MOST_DRAWN
    nodes = [node for part in parts if part.kind != "input" for node in part.nodes]
    assert {*nodes} <= {*explained.order(None)[:30]}
    assert len({part.code for part in parts}) == len(parts)
    for part in parts:
        assert part.effect == pytest.approx(sum(explained.effects.of(node) for node in part.nodes))
        assert len({node.position for node in part.nodes}) == 1


def test_ribbons_to_the_target_are_what_direct_attribution_says(circuit: Circuit, attributed: Attribution) -> None:
    shown = attributed.shown(STEP, attributed.foils(STEP, 1)[0])
    direct = {(row.writer, row.layer): row.heads for row in shown.rows}
    target = len(circuit.parts) - 1
    to_target = {path.source: path.effect for path in circuit.paths if path.target == target}
    heads = [place for place in to_target if circuit.parts[place].kind == "head"]
    assert heads
    assert heads == [
        place for place, part in enumerate(circuit.parts) if part.kind == "head" and part.lane != "encoder"
    ]
    for place in heads:
        part = circuit.parts[place]
        at_step = part.position == STEP - 1
        expected = direct[part.lane, part.layer][part.head - 1].contribution if at_step else 0.0
        assert to_target[place] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("by_mean", [False, True])
def test_a_box_says_what_is_really_lost_without_it(explained: Explanation, means: Means, by_mean: bool) -> None:
    replaced_by = means if by_mean else None
    circuit = explained.circuit(30, replaced_by)
    measured = [part for part in circuit.parts if part.lost is not None]
    assert measured == [part for part in circuit.parts if part.kind in ("head", "units")]
    for part in measured[:5]:
        left = left_without(explained, part.nodes, replaced_by)
        assert part.lost == pytest.approx(explained.effects.total - left, abs=1e-4)


def test_counted_from_the_mean_ribbons_still_sum_to_the_box(explained: Explanation, means: Means) -> None:
    circuit = explained.circuit(SIZES[-1], means)
    # Only the target reads what the last layer writes.
    part = circuit.by_code[f"decoder.{explained.translator.model.config.n_decoder_layers}.units.{STEP}"]
    assert circuit.drawn_of(part) == pytest.approx(part.effect, abs=1e-4)


def test_curves_begin_at_the_whole_and_each_is_of_its_parts(explained: Explanation, curves: dict[bool, Curves]) -> None:
    by_zero = curves[False]
    assert all(len(one.values) == len(one.stays) == len(one.words) == len(SIZES) for one in (by_zero.off, by_zero.only))
    ten = SIZES.index(10)
    assert left_without(explained, [], None) == pytest.approx(explained.effects.total, abs=1e-4)
    nodes = explained.supporting(None)[:10]
    assert left_without(explained, nodes, None) == pytest.approx(by_zero.off.values[ten], abs=1e-4)
    order, supporting, rng = explained.order(None), explained.supporting(None), np.random.default_rng(0)
    draws = [[matched_draw(supporting[:n], order, rng) for n in SIZES] for _ in range(N_DRAWS)]
    drawn = [left_without(explained, by_size[ten], None) for by_size in draws]
    assert by_zero.drawn[ten] == pytest.approx(np.mean(drawn), abs=1e-4)


def test_by_the_mean_parts_are_ranked_from_it(explained: Explanation, means: Means, curves: dict[bool, Curves]) -> None:
    assert explained.order(means)[:30] != explained.order(None)[:30]
    assert curves[True] != curves[False]


def test_words_are_those_of_the_model_with_the_parts_off(
    explained: Explanation, translator: Translator, curves: dict[bool, Curves]
) -> None:
    nodes = explained.supporting(None)[:10]

    def off(point: str):
        def edit(x: torch.Tensor) -> torch.Tensor:
            x = x.clone()
            for node in nodes:
                if node.point == point:
                    x[(0, *node.place)] = 0
            return x

        return edit

    source, read = explained._rows
    with torch.inference_mode(), intervene({node.point: off(node.point) for node in nodes}):
        logits = translator.model(source, read)[0, STEP - 1]
    best = logits.softmax(0).max()
    changed, *_ = curves[False].off.words[SIZES.index(10)]
    assert changed.probability == pytest.approx(float(best), abs=1e-5)
    assert changed.label == explained.label(int(logits.argmax()))


def test_what_a_head_reads_sums_to_its_effect(explained: Explanation, circuit: Circuit) -> None:
    head = strongest(circuit, "head")
    rows = reads(explained, head)
    assert [row.weight for row in rows] == sorted((row.weight for row in rows), reverse=True)
    (node,) = head.nodes
    source, read = explained._rows
    with torch.inference_mode(), record("*.pattern", "*.v") as seen:
        explained.translator.model(source, read)
    pattern = seen[f"{node.block}.pattern"][0, node.index, node.position]
    values = seen[f"{node.block}.v"][0, node.index] @ explained.effects.slopes[node.point][node.place]
    assert float(pattern @ values) == pytest.approx(head.effect, abs=1e-4)
    assert rows[0].effect == pytest.approx(float((pattern * values)[pattern.argmax()]), abs=1e-5)


def test_the_reasons_of_a_head_sum_to_its_score_above_the_others(explained: Explanation, circuit: Circuit) -> None:
    for part in circuit.parts:
        if part.kind == "head":
            found, (node,) = reasons(explained, part), part.nodes
            assert found.products.sum() == pytest.approx(found.score, abs=1e-4)
            assert found.products.shape == (len(found.of_query), len(found.of_key))
            assert found.of_query[-1] == found.of_key[-1] == BIASES
            pattern = explained.seen[f"{node.block}.pattern"][0, node.index, node.position]
            values = explained.seen[f"{node.block}.v"][0, node.index] @ explained.effects.slopes[node.point][node.place]
            key = int((pattern * values).abs().argmax())
            allowed = range(node.position + 1 if part.lane == "decoder" else len(pattern))
            others = [place for place in allowed if place != key]
            split = split_score(explained.frozen(), node.block, node.index, node.position, key, against=others)
            assert found.score == pytest.approx(split.score, abs=1e-4)
            for axis in (0, 1):
                biases = float(split.products.sum(axis)[-1])
                assert found.products.sum(axis)[-1] == pytest.approx(biases, abs=1e-4)


def test_units_of_the_decoder_raise_tokens(explained: Explanation, circuit: Circuit) -> None:
    part = strongest(circuit, "units")
    rows = units(explained, part)
    assert all(row.activation > 0 for row in rows)
    assert [abs(row.effect) for row in rows] == sorted((abs(row.effect) for row in rows), reverse=True)
    assert bool(rows[0].raises) == (part.lane == "decoder")


def test_examples_are_those_of_the_units_of_the_part(circuit: Circuit) -> None:
    part = strongest(circuit, "units")
    number = part.nodes[0].index
    rows = [
        {
            "point": part.nodes[0].point,
            "unit": number,
            "before": "A",
            "text": " b",
            "after": " c.",
            "piece": "▁b",
            "activation": 2.5,
        },
        {
            "point": "elsewhere",
            "unit": number,
            "before": "no",
            "text": "",
            "after": "",
            "piece": "</s>",
            "activation": 9.0,
        },
    ]
    examples = examples_of(pd.DataFrame(rows), part)
    assert examples[number + 1] == (UnitExample("A", " b", " c.", "▁b", 2.5),)
    assert examples_of(pd.DataFrame(), part) == {}


@pytest.mark.parametrize("by_mean", [False, True])
def test_the_translation_goes_on_as_the_model_writes_it(
    translation: Translation, explained: Explanation, means: Means, curves: dict[bool, Curves], by_mean: bool
) -> None:
    replaced_by, measured = means if by_mean else None, curves[by_mean]
    written = explained.written_on(30, replaced_by)
    begun = translation.hypotheses[0].tokens[: STEP - 1]
    greedy = explained.translator.translate(TEXT, DecodingOptions(beam_size=1), prefix=begun, as_typed=True)
    assert written.begun + written.whole == greedy.text
    place = SIZES.index(30)
    for rest, words in ((written.only, measured.only.words[place]), (written.off, measured.off.words[place])):
        assert rest.strip().startswith(words[0].label) or words[0].label.startswith("⟨")
    nothing_off = explained.written_on(len(explained.order(replaced_by)), replaced_by)
    assert nothing_off.only == nothing_off.whole


def test_a_part_far_off_either_way_is_refuted() -> None:
    part = CircuitPart("head", "cross", 1, 0, 1, 1.0, (Node("decoder.0.cross_attention.z", 0, 0),))
    lost = {0.9: (False, False), 1.4: (False, False), 1.6: (True, False), 0.4: (True, False), -0.1: (True, True)}
    for value, expected in lost.items():
        one = replace(part, lost=value)
        assert (one.is_refuted, one.turns_over) == expected
    assert not part.is_refuted


def test_the_misses_are_the_median_error_of_the_ten_strongest_that_are_measured() -> None:
    part = CircuitPart("head", "cross", 1, 0, 1, -99.0, (Node("decoder.0.cross_attention.z", 0, 0),))
    measured = [replace(part, effect=-n, lost=-n - n * n / 100) for n in range(1, 13)]
    assert Circuit((part, *measured), (), 0).misses == pytest.approx(np.median(range(3, 13)) / 100)
    assert Circuit((part,), (), 0).misses == 0


def test_what_the_drawn_ribbons_carry_is_their_sum(circuit: Circuit) -> None:
    head = strongest(circuit, "head")
    place = circuit.parts.index(head)
    assert circuit.drawn_of(head) == pytest.approx(sum(path.effect for path in circuit.paths if path.source == place))
    assert circuit.drawn_of(strongest(circuit, "target")) is None


def test_files_hold_what_is_drawn(explained: Explanation, circuit: Circuit, curves: dict[bool, Curves]) -> None:
    table = [*csv.reader(io.StringIO(circuit_as_csv(explained, circuit, {strongest(circuit, "head").code: "a, b"})))]
    assert len(table) == 1 + len(circuit.paths) + len(circuit.parts) - 1
    for part in circuit.by_code.values():
        out = [float(row[5]) for row in table if row[0] == part.code]
        assert sum(out) == pytest.approx(part.effect, abs=1e-3)
    assert {row[1] for row in table[1:]} == {"", "a, b"}
    rows = [*csv.reader(io.StringIO(curves_as_csv(curves[False])))]
    assert [row[0] for row in rows[1:]] == [str(size) for size in SIZES]
    found = reasons(explained, strongest(circuit, "head"))
    grid = [*csv.reader(io.StringIO(reasons_as_csv(found)))]
    assert len(grid) == 1 + len(found.of_query)
    graph = json.loads(circuit_as_json(explained, circuit, lambda part: part.code, by="zero"))
    # The fields of circuit-tracer's models that have no default.
    assert {*graph["metadata"]} >= {"slug", "scan", "transcoder_list", "prompt_tokens", "prompt"}
    assert {*graph["qParams"]} == {"pinnedIds", "supernodes", "linkType", "clickedId", "sg_pos"}
    for node in graph["nodes"]:
        assert {*node} >= {"node_id", "feature", "layer", "ctx_idx", "feature_type", "jsNodeId"}
        assert 0 <= node["ctx_idx"] < len(graph["metadata"]["prompt_tokens"])
    layers = {node["node_id"]: node["layer"] for node in graph["nodes"]}
    for link in graph["links"]:
        below, above = (0 if layers[end] == "E" else int(layers[end]) for end in (link["source"], link["target"]))
        assert below <= above
    assert graph["metadata"]["info"]["token"] == explained.token
    ids = {node["node_id"] for node in graph["nodes"]}
    assert len(ids) == len(circuit.parts)
    assert {end for link in graph["links"] for end in (link["source"], link["target"])} <= ids
