"""Claims of the page on phenomena, computed from measurements."""

from collections import Counter
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from pretrained.minimal_pairs import PHENOMENA, mean_circuits
from viz.base.claims import Claim, Claims, Names
from viz.pages.interventions.study.phenomena.measured import all_shares, strongest_heads, without

HEAD = "head"
"""The kind of names that are codes of heads."""


def verified(circuits: pd.DataFrame) -> Claim:
    """Return how many held-out pairs stay right without the phenomenon's five strongest heads."""
    rows = circuits[circuits["measure"] == "without"]
    by_off = {off: rows[rows["off"] == off] for off in ("none", "strongest", "random")}
    shares = {off: float(np.average(own["both"], weights=own["pairs"])) for off, own in by_off.items()}
    values = {
        "pairs": int(by_off["none"]["pairs"].sum()),
        "phenomena": len(by_off["none"]),
        "strongest": shares["strongest"],
        "random": shares["random"],
    }
    return Claim(shares["strongest"] < shares["random"] - 0.05, values)


def verified_one(circuits: pd.DataFrame, phenomenon: str) -> Claim:
    """Return the same of one phenomenon, by sentence, and its strongest head."""
    rows = without(circuits, phenomenon)
    heads = strongest_heads(circuits)[phenomenon]
    values = {
        "heads": Names(HEAD, tuple(head.code for head in heads)),
        "head": Names(HEAD, (heads[0].code,)),
        "sentences": 2 * int(rows["none"]["pairs"]),
        "guessed": int(rows["none"]["pairs"]),
        "share": all_shares(circuits).value(phenomenon, heads[0]),
        **{f"{off}_wrong": wrong(row) for off, row in rows.items() if off != "random"},
        "random_wrong": 2 * rows["random"]["pairs"] * (1 - rows["random"]["right"]),
    }
    return Claim(rows["strongest"]["right"] < rows["random"]["right"], values)


def wrong(row: pd.Series) -> int:
    """Return in how many sentences of a row of ``without`` the right token is behind."""
    return round(float(2 * row["pairs"] * (1 - row["right"])))


def recurring(circuits: pd.DataFrame) -> Claim:
    """Return the head that is strong in most phenomena, and the number of heads strong in only one."""
    of_phenomena = strongest_heads(circuits)
    counts = Counter(head.code for heads in of_phenomena.values() for head in heads)
    (code, most), *_ = counts.most_common()
    values = {
        "head": Names(HEAD, (code,)),
        "n": most,
        "phenomena": len(of_phenomena),
        "heads": len(counts),
        "once": sum(count == 1 for count in counts.values()),
    }
    return Claim(2 * most > len(of_phenomena), values)


def agreement(circuits: pd.DataFrame) -> Claim:
    """Return the agreement of shares with patching: of heads, and of layers' hidden units."""
    rows = circuits[circuits["measure"] == "part"].dropna(subset=["patched"])
    heads, units = (
        float(np.corrcoef(of_kind["share"], of_kind["patched"])[0, 1])
        for of_kind in (rows[rows["head"] >= 0], rows[rows["head"] < 0])
    )
    return Claim(heads > units, {"r": heads, "units": units, "phenomena": rows["template"].nunique()})


_WORDS = "pages/interventions/phenomena"
CLAIMS = {"claim verified": verified, "claim recurring": recurring, "claim agreement": agreement}
"""What the page says of all phenomena together, by the headings of its words."""


def _of_shipped(claim: Callable[[pd.DataFrame], Claim]) -> Claim:
    return claim(mean_circuits())


COMPUTED_CLAIMS: Claims = {
    **{(_WORDS, heading): partial(_of_shipped, claim) for heading, claim in CLAIMS.items()},
    (_WORDS, "claim verified one"): tuple(
        partial(_of_shipped, partial(verified_one, phenomenon=name)) for name in PHENOMENA
    ),
}
