"""Links of the past, which call encodings by titles that they had: every page reads them as if they had today's."""

import re
from collections.abc import Iterable, Mapping

from viz.base.words import page_text

FORMER = page_text("shell/former_encoding_titles")
# The parameters of links that name encodings by their titles.
_NAMING = re.compile(r"encodings|probe|reach|reach-swap|wear|pin|beside|v\d+(\.inner)?")


def with_present_titles(link: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return ``link``, all values of each parameter, with every former title of an encoding as the present one."""
    return {
        key: [_present_title(text) for text in texts] if _NAMING.fullmatch(key) else list(texts)
        for key, texts in link.items()
    }


def _present_title(title: str) -> str:
    if title not in FORMER:
        return title
    # Only for such a link: it imports PyTorch, which would keep every first page waiting.
    from viz.shell.encodings import planned_title  # noqa: PLC0415

    return planned_title(FORMER[title])
