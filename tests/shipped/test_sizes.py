"""The sizes that the words round: of the translators and language models that stand beside each other."""

from pretrained.ablations import ablation_results
from pretrained.language_models import language_model_results
from viz.pages.choose_encoding.study.evidence import STREAMS, TRANSLATORS


def millions(n_parameters: list[int]) -> tuple[float, float]:
    return round(min(n_parameters) / 1e6, 1), round(max(n_parameters) / 1e6, 1)


def test_translators_that_differ_in_their_encoding_have_2_1_to_2_2_million_parameters() -> None:
    results = ablation_results()
    assert millions(results[results.variant.isin(TRANSLATORS.values())].n_parameters.tolist()) == (2.1, 2.2)


def test_language_models_that_read_the_novel_have_2_2_to_2_4_million_parameters() -> None:
    assert millions([one["n_parameters"] for one in language_model_results() if one["name"] in STREAMS]) == (2.2, 2.4)
