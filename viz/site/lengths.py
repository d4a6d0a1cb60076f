"""What the site's page on lengths shows of the zoo: one task after another, a line for each encoding."""

from typing import Any

import numpy as np

from model.tasks import find
from model.zoo.evaluate import LEARNED
from viz.base.colours import LineLook
from viz.base.words import page_text
from viz.pages.length_generalization.accuracy import farthest, measured, near_twice, tasks_measured
from viz.pages.length_generalization.names import encoding_title
from viz.pages.length_generalization.study.claims import past_training
from viz.shared.encodings import most_used
from viz.shared.model_words import model_words, task_title
from viz.shared.zoo import results

_TITLES = {"encoding": encoding_title, "unit": model_words}
_PLACES = 3
# As Plotly draws them.
_DASHES = {"solid": "", "dash": "9 6", "dot": "2 4", "dashdot": "9 5 2 5", "longdash": "16 6"}


def lengths_of_tasks() -> dict[str, dict[str, Any]]:
    """Return, by task and in the language of whoever reads, what was measured on it; claims are Markdown."""
    return {task: _task(task) for task in tasks_measured(results())}


def _task(task: str) -> dict[str, Any]:
    table, described = results(), find(task).description
    of_task = measured(table, task)
    text = page_text("pages/length_generalization/cliff")
    learned = {name: seeds for name, seeds in of_task.by_encoding.items() if name not in of_task.not_learned}
    drawn = learned or of_task.by_encoding
    vivid = {*most_used(drawn), farthest(drawn, of_task.longest_trained)}
    lengths = sorted({int(length) for seeds in drawn.values() for length in seeds.lengths})
    failed = [f"{encoding_title(name)} ({value:.2f})" for name, value in of_task.not_learned.items()]
    return {
        "title": task_title(task),
        "explanation": model_words(described.explanation),
        "x": text["length"].format(unit=model_words(described.unit)),
        "claim": past_training(table, task).sentence(text, "claim past", _TITLES),
        "failed": text["not learned"].format(encodings=", ".join(failed), least=LEARNED) if failed else "",
        "trained": of_task.longest_trained,
        "guess": described.guessed,
        "lengths": lengths,
        "opens_at": near_twice(lengths, of_task.longest_trained),
        "lines": [
            {
                "name": encoding_title(name),
                "isVivid": name in vivid,
                "look": _look(seeds.look),
                "lengths": [int(length) for length in seeds.lengths],
                "seeds": [[_rounded(value) for value in row] for row in seeds.values.tolist()],
            }
            for name, seeds in drawn.items()
        ],
    }


def _look(look: LineLook) -> dict[str, str]:
    return {"colour": look.colour, "dashes": _DASHES[look.dash], "swatch": look.swatch}


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(value, _PLACES)
