"""What parts are called, and where they stand in the grid."""

from collections.abc import Mapping, Sequence

from viz.pages.interventions.study.parts import Switch


def long_name(switch: Switch, text: Mapping[str, str]) -> str:
    """Return what ``switch`` is called in a sentence."""
    return _filled(f"name {switch.sort}", switch, text, "kind")


def short_name(switch: Switch, text: Mapping[str, str]) -> str:
    """Return what ``switch`` is called in a list."""
    return _filled(f"short {switch.sort}", switch, text, "short kind")


def names_of(codes: Sequence[str], switches: Mapping[str, Switch], text: Mapping[str, str]) -> str:
    """Return the short names of ``codes``, as a list."""
    return ", ".join(short_name(switches[code], text) for code in codes) or text["nothing off"]


def rows_of(switches: Mapping[str, Switch], text: Mapping[str, str]) -> dict[tuple[str, int], str]:
    """Return a name for each row of the grid, by kind and layer; layer 0 is that of the positions."""
    kinds = ("encoder", "decoder", "cross")
    places = {(switch.kind, switch.layer) for switch in switches.values()}
    ordered = sorted(places, key=lambda place: (kinds.index(place[0]), place[1]))
    return {
        (kind, layer): text["row"].format(kind=text[f"short kind {kind}"], layer=layer)
        if layer
        else text[f"row positions {kind}"]
        for kind, layer in ordered
    }


def column_of(switch: Switch, n_heads: int) -> tuple[int, int]:
    """Return the first column of ``switch``, from 0, and how many it takes."""
    if switch.sort == "positions":
        return 0, n_heads
    return {"head": switch.head - 1, "attention": n_heads, "feed-forward": n_heads + 1}[switch.sort], 1


def _filled(key: str, switch: Switch, text: Mapping[str, str], kind: str) -> str:
    stack = "encoder" if switch.kind == "encoder" else "decoder"
    names = {
        "kind": text[f"{kind} {switch.kind}"],
        "stack": text[f"{kind} {stack}" if kind != "kind" else f"stack {stack}"],
    }
    return text[key].format(layer=switch.layer, head=switch.head, **names)
