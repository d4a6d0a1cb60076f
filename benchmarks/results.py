"""What is new here, on one page: each result by its claims, with its data and the commands that made it.

    python -m benchmarks.results

Writes ``docs/results.md``. A sentence there is a claim of the app, computed from what ships by the function beside it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.command import parser_of, run_command
from pretrained.ablations import ablation_results
from pretrained.circuits import circuit_checks
from pretrained.minimal_pairs import mean_circuits
from pretrained.zoo import zoo_results
from viz.base.claims import Claim
from viz.base.words import paragraph, sections_in
from viz.pages.ablations.study import claims as ablations
from viz.pages.ablations.study.table_3 import finished_runs, n_finished
from viz.pages.interventions.names import short_name_of_code
from viz.pages.interventions.study.circuit import claims as circuits
from viz.pages.interventions.study.phenomena import claims as phenomena
from viz.pages.length_generalization.study import path
from viz.shared.encodings import planned_title
from viz.shared.model_words import task_title
from viz.shared.shipped import DEFAULT_TRANSLATOR

DOCUMENT = Path(__file__).parents[1] / "docs" / "results.md"
_LINK = re.compile(r"\[([^\[\]]+)\]\((?:[^()]|\([^()]*\))*\)")
_TITLES = {"encoding": planned_title, "head": short_name_of_code, "task": task_title}


@dataclass(frozen=True)
class Result:
    """A result on the page.

    Attributes:
        title: its heading.
        words: the file of words that its claims fill in.
        claims: by the heading of the sentence, what computes it.
        source: where the functions lie.
        data: the files that they read.
        commands: what made these.
        view: the address in the app where it is seen.
    """

    title: str
    words: str
    claims: Mapping[str, Callable[[], Claim]]
    source: str
    data: tuple[str, ...]
    commands: tuple[str, ...]
    view: str

    def sentences(self) -> str:
        """Return what the claims say, as Markdown without links into the app."""
        text = sections_in("en", self.words)
        titles = _TITLES | {"row": lambda variant: text[f"name {variant}"]}
        return _LINK.sub(r"\1", paragraph(claim().sentence(text, key, titles) for key, claim in self.claims.items()))


def _path(claim: Callable[[Sequence[path.PathOnTask]], Claim]) -> Claim:
    return claim(path.path_on_tasks(zoo_results()))


def _ablations(heading: str) -> Claim:
    compute = ablations.COMPUTED_CLAIMS["pages/ablations/ablations", heading]
    if isinstance(compute, tuple):
        raise TypeError(f"{heading} is read for several things")
    return compute(ablation_results=ablation_results())


RESULTS = (
    Result(
        "PaTH on tasks of length generalization",
        "pages/length_generalization/path",
        {
            "claim holds": partial(_path, path.holds),
            "claim near guessing": partial(_path, path.near_guessing),
        },
        "viz/pages/length_generalization/study/path.py",
        ("pretrained/zoo/results.parquet",),
        (
            "python -m model.training.sweep model/training/plans/zoo.toml",
            "python -m model.training.sweep model/training/plans/tasks_with_seeds.toml --folder runs/zoo",
            "python -m model.training.sweep model/training/plans/random_offsets.toml --folder runs/zoo",
            "python -m model.training.sweep model/training/plans/path_seeds.toml --folder runs/zoo",
            "python -m model.training.sweep model/training/plans/path_parity.toml --folder runs/zoo",
            "python -m pretrained.publishing zoo",
        ),
        "cliff",
    ),
    Result(
        "Circuits of cross-attention, over ten phenomena",
        "pages/interventions/phenomena",
        {key: partial(phenomena.CLAIMS[key], mean_circuits()) for key in ("claim verified", "claim recurring")},
        "viz/pages/interventions/study/phenomena/claims.py",
        ("pretrained/minimal_pairs/pairs.parquet", "pretrained/minimal_pairs/circuits.parquet"),
        ("python -m pretrained.publishing minimal_pairs",),
        "why-this-word?part=phenomena",
    ),
    Result(
        "How faithful circuits of single words are",
        "pages/interventions/why_this_word",
        {key: partial(claim, circuit_checks(DEFAULT_TRANSLATOR)) for key, claim in circuits.CLAIMS.items()},
        "viz/pages/interventions/study/circuit/claims.py",
        (f"pretrained/circuits/{DEFAULT_TRANSLATOR}.parquet",),
        (f"python -m pretrained.publishing circuits {DEFAULT_TRANSLATOR}",),
        "why-this-word",
    ),
    Result(
        f"Table 3 of the paper in small, by {n_finished(finished_runs(ablation_results()))} trainings",
        "pages/ablations/ablations",
        {key: partial(_ablations, key) for key in ("claim direction", "claim other way", "claim size")},
        "viz/pages/ablations/study/claims.py",
        ("pretrained/ablations/results.parquet",),
        (
            "python -m model.training.sweep model/training/plans/ablations.toml",
            "python -m pretrained.publishing ablations --run runs/ablations",
        ),
        "ablations",
    ),
)
"""What is new here."""


_INTRODUCTION = """# Results

What this project measured that we have not seen published elsewhere. Each sentence is a claim of the app: a function
computes it from the data file beside it, and `tests/shipped/test_claims.py` computes all of them again. The results are
of small models, most with a few seeds, so each says what holds here. To cite them, see `CITATION.cff`.

`python -m benchmarks.results` writes this page.
"""


def document() -> str:
    """Return the page."""
    return "\n".join([_INTRODUCTION, *map(_section, RESULTS)])


def _section(result: Result) -> str:
    functions = ", ".join(f"`## {heading}`" for heading in result.claims)
    lines = [
        f"- Data: {', '.join(f'`{path}`' for path in result.data)}",
        f"- Made by: {', then '.join(f'`{command}`' for command in result.commands)}",
        f"- Computed in `{result.source}`, for {functions} of `{result.words}`",
        f"- In the app: `/{result.view}`",
    ]
    return "\n".join([f"## {result.title}", "", result.sentences(), "", *lines, ""])


def main() -> None:
    """Write the page."""
    parser_of(__file__, __doc__).parse_args()
    DOCUMENT.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    run_command(main)
