"""Write the table of shipped translators in ``docs/models.md`` from what was measured."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from model.data.corpora import Kind, kinds_of
from model.files import write_text
from pretrained.publishing.command import command, command_line
from pretrained.publishing.shipping import written_bleu
from pretrained.translators import ModelCard, read_card, shipped

DOCUMENT = Path(__file__).parents[2] / "docs" / "models.md"
_BEGIN, _END = f"<!-- {command_line('models_table')} -->\n", "<!-- end of the table -->"
_HEADINGS = ("Model", "From", "To", "Learned from", "Parameters", "sacreBLEU", "chrF", "Held-out sentences")

_KINDS: dict[Kind, str] = {"everyday": "everyday sentences", "captions": "photo captions"}


@command("models_table")
def write_models_table(*, file: Annotated[Path, "to write it to"] = DOCUMENT) -> str:
    """Write the table of shipped translators in ``docs/models.md`` from what was measured."""
    write_text(with_table(file.read_text(encoding="utf-8"), [read_card(name) for name in shipped()]), file)
    return str(file)


def table(cards: Sequence[ModelCard]) -> str:
    """Return a Markdown table with a line for each of ``cards``."""
    lines = [_HEADINGS, ("---",) * len(_HEADINGS), *map(_cells, cards)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def with_table(text: str, cards: Sequence[ModelCard]) -> str:
    """Return ``text`` with the table of ``cards`` in its place.

    Raises:
        ValueError: the text has no such place, or several.
    """
    place = re.compile(f"(?<={re.escape(_BEGIN)}).*?(?={re.escape(_END)})", re.DOTALL)
    if len(place.findall(text)) != 1:
        raise ValueError(f"the text has no place for the table, or several; it stands between {_BEGIN!r} and {_END!r}")
    return place.sub(lambda _: table(cards), text)


def _cells(card: ModelCard) -> tuple[str, ...]:
    dev = card.metrics["dev"]
    return (
        f"`{card.name}`",
        card.source_language,
        card.target_language,
        ", ".join(_KINDS[kind] for kind in kinds_of(card.corpora)),
        f"{card.metrics['n_parameters'] / 1e6:.1f} M",
        written_bleu(dev),
        str(dev["chrf"]),
        f"{dev['sentences']:,}",
    )
