"""A finding follows from what was measured: other results, and it does not hold."""

from pathlib import Path

from pretrained.language_models import language_model_results
from pretrained.minimal_pairs import mean_circuits
from pretrained.zoo import zoo_probes, zoo_results
from viz.base.claims import Claim, Names
from viz.pages.start.study.findings import as_json, border, distance, known, reverse, stored, training
from viz.pages.training.study.shipped import shipped_recordings


def test_only_one_encoding_reverses_far() -> None:
    results = zoo_results()
    claim = reverse(results)
    assert claim.holds
    assert claim.values["first"] == Names("encoding", ("path",))
    is_rival = (results.task == "reverse") & (results.encoding == "fire") & (results.length == 40)
    assert not reverse(results.assign(exact_match=results.exact_match.mask(is_rival, 0.5))).holds


def test_a_trace_of_position_is_one_that_a_probe_reads_and_that_fades() -> None:
    probes = zoo_probes()
    assert known(probes).holds
    assert not known(probes.assign(r2=probes.r2.mask(probes.region == "beyond", 1.0))).holds
    assert not known(probes.assign(r2=probes.r2.mask(probes.subject == "untrained", 1.0))).holds


def test_the_border_is_one_that_a_memory_takes_away() -> None:
    results = language_model_results()
    assert border(results).holds
    assert not border([row | {"bits_by_position": [3.0, *row["bits_by_position"][1:]]} for row in results]).holds


def test_one_layer_does_not_and_two_do() -> None:
    one, two = shipped_recordings()
    assert training((one, two)).holds
    assert not training((two, two)).holds
    assert not training((one, one)).holds


def test_far_articles_need_the_five_heads_and_not_random_ones() -> None:
    circuits = mean_circuits()
    assert distance(circuits).holds
    is_without = (circuits.template == "distance") & (circuits.off == "strongest")
    assert not distance(circuits.assign(both=circuits.both.mask(is_without, 0.9))).holds


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    claims = {"one": Claim(True, {"n": 3, "first": Names("encoding", ("path",))}), "two": Claim(False)}
    (tmp_path / "kept.json").write_text(as_json(claims), encoding="utf-8")
    assert stored(tmp_path / "kept.json") == claims
