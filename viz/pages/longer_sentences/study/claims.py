"""What the page says in words of captions longer than those trained on, each computed from what was measured."""

from collections.abc import Callable
from functools import partial

import pandas as pd

from pretrained.longer_sentences import HELPED
from viz.base.claims import Claim, Claims, Names
from viz.pages.longer_sentences.study.by_length import means_of, sets_of

JOINED = "joined"
Lead = tuple[int, int, float, float, str]
"""Shortest and longest source, BLEU of what was trained on joined captions, that of the best encoding, its name."""


def leads(results: pd.DataFrame, kind: str) -> tuple[Lead, ...]:
    """Return how joined training compares with the best encoding, for each set of pairs beyond the trained length."""
    if results.empty:
        return ()
    trained, means = int(results.trained_to.max()), means_of(results, kind, "bleu")
    found = []
    for low, high in sets_of(results, kind):
        here = means[low]
        alone = {name: value for name, value in here.items() if name not in HELPED}
        if low > trained and JOINED in here and alone:
            best = max(alone, key=lambda name: alone[name])
            found.append((low, high, here[JOINED], alone[best], best))
    return tuple(found)


def on_joined(results: pd.DataFrame) -> Claim:
    """Return whether joined training is ahead of every encoding at all lengths of joined captions."""
    found = leads(results, JOINED)
    if not found:
        return Claim(False, _told((0, 0, 0.0, 0.0, "")))
    return Claim(all(joined > best for _, _, joined, best, _ in found), _told(found[0]))


def on_whole(results: pd.DataFrame) -> Claim:
    """Return whether joined training is behind at first on long captions, and ahead from some length on."""
    found = leads(results, "whole")
    ahead = [lead for lead in found if lead[2] > lead[3]]
    is_at_end = bool(ahead) and found[-len(ahead) :] == tuple(ahead) and len(ahead) < len(found)
    first = found[0] if found else (0, 0, 0.0, 0.0, "")
    gains = [joined - best for _, _, joined, best, _ in ahead]
    told = {"from_words": ahead[0][0] if ahead else 0, "least": min(gains, default=0), "most": max(gains, default=0)}
    return Claim(is_at_end, _told(first) | told)


def kept(results: pd.DataFrame) -> Claim:
    """Return whether the best encoding keeps more than half of its BLEU on captions of twice the trained length."""
    found = [lead for lead in leads(results, "whole") if lead[1] <= 2 * int(results.trained_to.max())]
    if not found:
        return Claim(False, {"encoding": Names("encoding", ("",)), "before": 0.0, "after": 0.0, "low": 0, "high": 0})
    low, high, _, after, best = found[-1]
    trained = [ends for ends in sets_of(results, "whole") if ends[1] <= int(results.trained_to.max())][-1]
    before = means_of(results, "whole", "bleu")[trained[0]][best]
    values = {"encoding": Names("encoding", (best,)), "before": before, "after": after, "low": low, "high": high}
    return Claim(after > before / 2, values)


def _told(lead: Lead) -> dict[str, object]:
    low, high, joined, best, name = lead
    return {"low": low, "high": high, "joined": joined, "best": best, "encoding": Names("encoding", (name,))}


def _of_longer(claim: Callable[[pd.DataFrame], Claim], longer_results: pd.DataFrame) -> Claim:
    return claim(longer_results)


ANSWERS = {"claim joined": on_joined, "claim whole": on_whole, "claim kept": kept}
"""The claims of the page, by their headings."""

COMPUTED_CLAIMS: Claims = {
    ("pages/longer_sentences/longer_sentences", heading): partial(_of_longer, claim)
    for heading, claim in ANSWERS.items()
}
