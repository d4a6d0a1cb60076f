"""Ship what the runs measured that test C-RASP's predictions; their weights stay where they are."""

from pathlib import Path
from typing import Annotated

from pretrained.publishing.command import command
from pretrained.publishing.shipping import committed_rows, merged_rows, write_table
from pretrained.zoo import CRASP, ZOO, crasp_results


@command("crasp")
def ship_crasp(*, run: Annotated[Path, "folder of the sweep"] = Path("runs/crasp"), folder: Path = ZOO) -> str:
    """Ship what the finished runs measured that test C-RASP's predictions.

    What shipped of other runs before stays.
    """
    measured = committed_rows(run)
    if measured.empty:
        plan = "model/training/plans/crasp.toml"
        raise FileNotFoundError(f"{run} has no finished run; python -m model.training.sweep {plan} trains them")
    rows = merged_rows(crasp_results(folder), measured, ("task", "encoding", "seed"))
    write_table(rows, folder / CRASP)
    return f"{len(rows[rows.is_last].groupby(['task', 'encoding', 'seed']))} runs"
