"""The choice between the translators that something was measured on."""

from collections.abc import Callable
from pathlib import Path

from viz.base.languages import Worded, worded
from viz.shared.shipped import offered
from viz.shared.translators import label


def measured_translators(path_of: Callable[[str], Path]) -> Worded[str]:
    """Return what the translators are called on the screen whose file, by ``path_of`` their name, is there."""
    models = {name: model for name, model in offered().items() if path_of(name).is_file()}
    return worded(models, lambda name: label(models[name]))
