"""The sizes and numbers of seeds that the words on choosing an encoding name."""

import pandas as pd

from pretrained.ablations import ablation_results
from pretrained.language_models import language_model_results
from pretrained.longer_sentences import longer_results
from pretrained.zoo import zoo_results
from viz.pages.choose_encoding.study.evidence import STREAMS, TRANSLATORS, longer_inputs


def millions(n_parameters: list[int]) -> tuple[float, float]:
    return round(min(n_parameters) / 1e6, 1), round(max(n_parameters) / 1e6, 1)


def seeds(results: pd.DataFrame, *by: str) -> pd.Series:
    return results.groupby([*by]).seed.nunique()


def translators() -> pd.DataFrame:
    results = ablation_results()
    return results[results.variant.isin(TRANSLATORS.values())]


def streams() -> pd.DataFrame:
    results = pd.DataFrame(language_model_results())
    return results[results.name.isin(STREAMS)]


def test_translators_that_differ_in_their_encoding_have_2_1_to_2_2_million_parameters() -> None:
    assert millions(translators().n_parameters.tolist()) == (2.1, 2.2)


def test_language_models_that_read_the_novel_have_2_2_to_2_4_million_parameters() -> None:
    assert millions(streams().n_parameters.tolist()) == (2.2, 2.4)


def test_each_need_rests_on_as_many_seeds_as_its_words_say() -> None:
    zoo = zoo_results()
    assert all(len(scores) >= 3 for row in longer_inputs(zoo).measured.values() for scores in row.values())
    by_content = seeds(zoo[zoo.task.isin(["recall", "lego_shuffled"])], "task", "encoding")
    assert set(by_content) == {3}
    assert set(seeds(translators(), "variant")) == {3}
    assert set(seeds(longer_results(), "variant")) == {2}
    by_stream = seeds(streams(), "name")
    assert by_stream.max() == 2
    assert by_stream["shaw"] == 1
