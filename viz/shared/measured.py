"""Published measurements for several topics, cached for every session; none may be changed.

All raise OSError where a file cannot be read, and ValueError where it is damaged; they are empty where none is there.
"""

from typing import Any

import pandas as pd

from pretrained import ablations, language_models, longer_sentences, zoo
from viz.shared.shipped import cached_while_unchanged


@cached_while_unchanged(lambda: [language_models.LANGUAGE_MODELS / language_models.RESULTS], max_entries=2)
def language_model_results() -> list[dict[str, Any]]:
    """Return what was measured of all language models."""
    return language_models.language_model_results(language_models.LANGUAGE_MODELS)


@cached_while_unchanged(lambda: [ablations.RESULTS, ablations.STEP_SECONDS], max_entries=1)
def ablation_results() -> pd.DataFrame:
    """Return what was measured of all runs of the paper's table 3."""
    return ablations.ablation_results(ablations.RESULTS)


@cached_while_unchanged(lambda: [ablations.LONGER], max_entries=1)
def longer_ablation_results() -> pd.DataFrame:
    """Return what was measured of the rows of that table that were trained four times as long."""
    return ablations.ablation_results(ablations.LONGER)


@cached_while_unchanged(lambda: [longer_sentences.RESULTS], max_entries=1)
def longer_results() -> pd.DataFrame:
    """Return what was measured of translators that learned from short sentences, on longer ones."""
    return longer_sentences.longer_results(longer_sentences.RESULTS)


@cached_while_unchanged(lambda: [zoo.ZOO / zoo.COSTS], max_entries=1)
def encoding_costs() -> pd.DataFrame:
    """Return what each encoding of the zoo costs."""
    return zoo.encoding_costs(zoo.ZOO)
