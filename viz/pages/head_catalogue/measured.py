"""The choice between the translators of which something was measured."""

from collections.abc import Callable
from pathlib import Path

from viz.shell.shipped import offered
from viz.shell.translators import label


def measured_translators(path_of: Callable[[str], Path]) -> dict[str, str]:
    """Return what the translators are called on the screen whose file, by ``path_of`` their name, is there."""
    return {name: label(model) for name, model in offered().items() if path_of(name).is_file()}
