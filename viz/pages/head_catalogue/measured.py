"""The choice between the translators that something was measured on."""

from collections.abc import Callable
from pathlib import Path

from viz.base.languages import OptionLabels, worded
from viz.shared.shipped import offered
from viz.shared.translators import label


def measured_translators(path_of: Callable[[str], Path]) -> OptionLabels[str]:
    """Return the labels of the translators whose file, at ``path_of`` their name, exists."""
    models = {name: model for name, model in offered().items() if path_of(name).is_file()}
    return worded(models, lambda name: label(models[name]))
