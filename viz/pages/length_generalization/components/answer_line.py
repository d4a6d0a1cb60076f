"""Answers below each other, token by token, with right tokens, the first error, and trained length."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from viz.base.colours import Theme, style_variables


@dataclass(frozen=True)
class AnswerLine:
    """A line of tokens under a name.

    Args:
        name: whose answer it is, any text.
        verdict: a remark beside the name.
        tokens: as they are shown, any text.
        is_right: whether each is; empty where there is nothing to hold them against.
        swatch: CSS background of the little box before the name; none where it is empty.
        trained: as many tokens had the longest answer in training.
    """

    name: str
    verdict: str
    tokens: Sequence[str] = ()
    is_right: Sequence[bool] = ()
    swatch: str = ""
    trained: int = 0


def answer_line(line: AnswerLine, *, theme: Theme, mark_name: str) -> str:
    """Return HTML for ``line``, with every text in it escaped; ``mark_name`` is said where training ended."""
    swatch = f'<span class="swatch" style="background:{line.swatch}"></span>' if line.swatch else ""
    first_wrong = next((place for place, right in enumerate(line.is_right) if not right), None)
    parts = []
    for place, token in enumerate(line.tokens):
        if place == line.trained > 0:
            parts.append(f'<span class="training-end" role="img" aria-label="{escape(mark_name)}"></span>')
        kind = _kind(place, line.is_right, first_wrong)
        parts.append(f'<span class="{kind}">{escape(token)}</span>')
    return (
        f'<div class="answer-line" style="{style_variables(theme)}">'
        f'<span class="answer-name">{swatch}{escape(line.name)}</span>'
        f'<span class="answer-verdict">{escape(line.verdict)}</span>'
        f'<span class="answer-tokens">{"".join(parts)}</span></div>'
    )


def _kind(place: int, is_right: Sequence[bool], first_wrong: int | None) -> str:
    if place >= len(is_right):
        return "answer-token"
    if is_right[place]:
        return "answer-token right"
    return "answer-token wrong first" if place == first_wrong else "answer-token wrong"
