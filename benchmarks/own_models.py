"""What the page *Your model* makes of many architectures, each built small with random weights.

    python -m benchmarks.own_models [--write]

Each is saved by Transformers, loaded as the page loads it, and read; or it is refused, with the sentence that a visitor
gets. Printed is a table: layers and heads, what is known of its positions, how far its maps are from what Transformers
itself returns as `output_attentions` with eager attention, and how far all numbers are, with a head switched off, from
those with a hook written by hand. With --write the table goes into docs/own_models.md.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
import transformers
from torch import Tensor

from benchmarks.command import parser_of, run_command
from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import checked_folder
from pretrained.huggingface.inside import Measure
from pretrained.huggingface.loading import load
from pretrained.huggingface.positions import positions_of
from pretrained.huggingface.reading_inside import read_inside
from pretrained.huggingface.recorded import Head, TextRecording
from pretrained.huggingface.recording import record
from tests.fixtures.architecture import Architecture
from tests.fixtures.architectures import ARCHITECTURES
from tests.fixtures.foreign_models import TEXT, small_tokenizer
from tests.fixtures.heads_by_hand import without
from viz.base.words import page_text

TABLE = Path(__file__).parents[1] / "docs" / "own_models.md"
_HEADING = "## Architectures that were tried"
_TARGET = "the cat was tired ."
_MOST_BYTES = 10**9
_WORDS = page_text("base/given_models")
_POSITIONS = {"table": "table", "buckets": "T5 bias", "rotary": "rotation", "slopes": "ALiBi"}
_COLUMNS = ("architecture", "layers × heads", "positions", "maps differ by", "heads off differ by", "lens")
_INSIDE: dict[Measure, str] = {"lens": "lens", "attribution": "attribution"}
OFF = 1
"""The head that is switched off."""


@dataclass(frozen=True)
class Examined:
    """What came of one architecture.

    Attributes:
        sizes: layers and heads of each block, as a table says them; empty where the model is refused.
        numbers: the layers with attention, from 0, of the last block.
        positions: what is known of how it encodes positions.
        inside: whether the logit lens reads it, and direct attribution.
        difference: the largest between maps and those of Transformers.
        off_difference: the largest between maps and predictions with a head off, and those with a hook by hand; None
            where heads cannot be switched off.
        change: the largest of a map or a prediction by that head's being off.
        refusal: the key of the sentence that the model is refused with; empty where it is read.
        off_refusal: the key of the sentence that heads stay on with.
        sentence: what a visitor reads of either.
    """

    sizes: str = ""
    numbers: tuple[int, ...] = ()
    positions: str = ""
    inside: str = ""
    difference: float = 0.0
    off_difference: float | None = None
    change: float = 0.0
    refusal: str = ""
    off_refusal: str = ""
    sentence: str = ""


def examine(architecture: Architecture, root: Path) -> Examined:
    """Return what the page makes of ``architecture``, saved below ``root``."""
    folder = root / "model"
    architecture.build().save_pretrained(folder)
    small_tokenizer().save_pretrained(folder)
    try:
        model, tokenizer = load(checked_folder(root, folder.name, _MOST_BYTES), _MOST_BYTES)
        target = _TARGET if model.config.is_encoder_decoder else None
        (reading,) = record(model, tokenizer, TEXT, target)
        if target:
            record(model, tokenizer, TEXT)
    except ForeignModelError as error:
        return Examined(refusal=error.key, sentence=_sentence(error))
    kind = getattr(transformers, architecture.model)
    plain = kind.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    outcome = partial(_plain_maps, plain, tokenizer, target, gives_scores=architecture.gives_scores)
    block = reading.blocks[-1]
    examined = Examined(
        sizes=", ".join(f"{one.name} {len(one.layers)} × {one.layers[0].shape[1]}" for one in reading.blocks),
        numbers=block.own_numbers,
        positions=_positions(model),
        inside=_inside(model, tokenizer),
        difference=_distance(_maps_of(reading), outcome()[:-1]),
    )
    off = Head(block.name, architecture.layer, OFF)
    try:
        _, changed = record(model, tokenizer, TEXT, target, off=(off,))
    except ForeignModelError as error:
        return Examined(**vars(examined) | {"off_refusal": error.key, "sentence": _sentence(error)})
    if architecture.by_hand:
        switched_off = architecture.by_hand(plain, off.layer, [OFF])
    else:
        name = architecture.projection.format(layer=off.layer)
        switched_off = without(plain, name, [OFF], block.layers[0].shape[1])
    with switched_off:
        by_hand = outcome()
    differences = {
        "off_difference": max(
            _distance(_maps_of(changed), by_hand[:-1]), _of_predictions(changed, tokenizer, by_hand[-1])
        ),
        "change": _distance(outcome(), by_hand),
    }
    return Examined(**vars(examined) | differences)


def table() -> Iterator[str]:
    """Yield the lines of the table, in Markdown."""
    yield f"| {' | '.join(_COLUMNS)} |"
    yield "| --- " * len(_COLUMNS) + "|"
    for name, architecture in ARCHITECTURES.items():
        with TemporaryDirectory() as root:
            found = examine(architecture, Path(root))
        if found.refusal:
            yield f"| {name} | refused | | | {found.sentence} | |"
            continue
        layers = ", ".join(str(1 + number) for number in found.numbers)
        some = f" (layers {layers})" if found.numbers != tuple(range(len(found.numbers))) else ""
        off = found.sentence if found.off_difference is None else _rounded(found.off_difference)
        cells = (name, found.sizes + some, found.positions, _rounded(found.difference), off, found.inside)
        yield f"| {' | '.join(cells)} |"


@torch.inference_mode()
def _plain_maps(model: Any, tokenizer: Any, target: str | None, *, gives_scores: bool) -> list[Tensor]:
    """Return all maps that ``model`` gives by itself, and the probabilities after the text, or at each token."""
    inputs = dict(tokenizer(TEXT, return_tensors="pt"))
    if target:
        labels = tokenizer(text_target=target, return_tensors="pt")["input_ids"]
        inputs["decoder_input_ids"] = torch.cat([torch.full_like(labels[:, :1], 2), labels[:, :-1]], dim=1)
    output = model(**inputs, output_attentions=True)
    names = ("encoder_attentions", "decoder_attentions", "cross_attentions") if target else ("attentions",)
    maps = [layer.softmax(dim=-1) if gives_scores else layer for name in names for layer in output[name]]
    return [*maps, output.logits[0].float().softmax(dim=-1)]


def _maps_of(reading: TextRecording) -> list[Tensor]:
    return [layer for block in reading.blocks for layer in block.layers]


def _of_predictions(reading: TextRecording, tokenizer: Any, probabilities: Tensor) -> float:
    """Return how far the next token's candidates are from ``probabilities``; or what is written, as a share."""
    if reading.log_probability is not None:
        labels = torch.tensor(tokenizer(text_target=_TARGET)["input_ids"])
        wanted = probabilities.gather(1, labels[:, None]).log().sum().item()
        return abs(reading.log_probability / wanted - 1)
    pairs = [one for prediction in reading.predictions for one in prediction.candidates]
    likeliest = probabilities[-1].topk(len(pairs)).values.tolist()
    return max((abs(share - wanted) for (_, share), wanted in zip(pairs, likeliest, strict=True)), default=0.0)


def _distance(ours: Sequence[Tensor], theirs: Sequence[Tensor]) -> float:
    return max(float((one - other).abs().max()) for one, other in zip(ours, theirs, strict=True))


def _inside(model: Any, tokenizer: Any) -> str:
    works = []
    for measure, name in _INSIDE.items():
        with suppress(ForeignModelError):
            read_inside(model, tokenizer, TEXT, measure)
            works.append(name)
    return ", ".join(works)


def _rounded(number: float) -> str:
    return f"{number:.0e}" if number else "0"


def _positions(model: Any) -> str:
    try:
        return ", ".join(dict.fromkeys(_POSITIONS[one.kind] for one in positions_of(model)))
    except ForeignModelError:
        return "not known"


def _sentence(error: ForeignModelError) -> str:
    return _WORDS[f"problem {error.key}"].format(**error.values)


def main() -> None:
    """Read the command line, and print the table or write it."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("--write", action="store_true", help="the table into docs/own_models.md")
    given = parser.parse_args()
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    lines = table()
    if not given.write:
        print(*lines, sep="\n")
        return
    before = TABLE.read_text(encoding="utf-8").partition(_HEADING)[0].rstrip()
    said = f"Of transformers {transformers.__version__}, made by `python -m benchmarks.own_models --write`."
    TABLE.write_text("\n".join([before, "", _HEADING, "", said, "", *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    run_command(main)
