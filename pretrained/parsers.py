"""The shipped parsers: a folder for each."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.architectures.encoder_decoder import EncoderDecoder
from model.checkpoint import DamagedWeightsError, load_weights
from model.config import load_config
from model.decoding.parser import Parser
from model.text.linear_trees import TreeSymbols
from model.text.tokenizer import Tokenizer
from pretrained.graphs import backend_of
from pretrained.translators import CONFIG, FOLDER, TOKENIZER, WEIGHTS, check_recorded, recorded_metrics, shipped_in

PARSERS = FOLDER / "parsers"
FILES = (WEIGHTS, CONFIG, TOKENIZER)
GOLD = "gold.ptb"
"""Trees of the dev part of its treebank, to stand beside what the parser writes."""
COMPARED = ("translator", "nothing", "tags")
"""Runs of one length that differ in what they begin with or write: a translator's encoder, nothing, parts of speech."""
COMPARISON = PARSERS / "comparison.json"
"""What was measured of them."""


@dataclass(frozen=True)
class ShippedParser:
    """A parser with what was measured of it."""

    name: str
    parser: Parser
    metrics: dict[str, Any]


def shipped_parsers() -> tuple[str, ...]:
    """Return the names of all parsers that ship, in alphabetical order."""
    return shipped_in(PARSERS)


def load_parser(name: str) -> ShippedParser:
    """Return the shipped parser ``name``, on the CPU.

    Raises:
        ValueError: no parser of that name ships.
        DamagedWeightsError: its metrics, weights, configuration or tokenizer are missing or not the recorded ones.
    """
    if name not in shipped_parsers():
        raise ValueError(f"no parser {name!r} ships; there are {', '.join(shipped_parsers()) or 'none'}")
    return read_parser(PARSERS / name)


def read_parser(folder: Path) -> ShippedParser:
    """Return the parser in ``folder``, on the CPU; its name is the folder's.

    Raises:
        DamagedWeightsError: its metrics, weights, configuration or tokenizer are missing or not the recorded ones.
    """
    metrics = recorded_metrics(folder, FILES)
    recorded = metrics["sha256"]
    for file in (CONFIG, TOKENIZER):
        check_recorded(folder / file, recorded[file])
    try:
        config = load_config(folder / CONFIG)
        data = metrics["training"]["data"]
        symbols, reads_ahead = TreeSymbols(config.eos_id, data["tags"]), bool(data["reads_ahead"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedWeightsError("not recorded", file=f"{folder.name}/{CONFIG}") from error
    model = EncoderDecoder(config)
    load_weights(model, folder / WEIGHTS, sha256=recorded[WEIGHTS])
    parser = Parser(model, Tokenizer.load(folder / TOKENIZER), symbols, backend_of, reads_ahead=reads_ahead)
    return ShippedParser(folder.name, parser, metrics)
