"""How often the site's translators write what Python's do, how good they are in eight bits, and how fast in Node.

    python -m benchmarks.site_parity [NAME…] [--data-dir FOLDER] [--sentences 500]

Prints for each translator, by beam search of 4: how many dev sentences have the same tokens as Python's on its graph,
with the weights that ship; sacreBLEU of both, and of the weights that the site loads; and each sentence that differs.
Then milliseconds of one sentence of 15 tokens with all patterns, the median of 40 and the least, greedily and by beam,
and the size of what is loaded as gzip has it. Needs the test requirements, and `npm ci` (`make lint` runs it).
"""

import gzip
import statistics
from pathlib import Path

from benchmarks.command import parser_of, run_command
from benchmarks.site_translator import WASM, translate_by_node
from benchmarks.translation_speed import SENTENCE
from model.decoding.graph import find_graphs
from model.decoding.options import DecodingOptions
from model.device import use_one_thread
from model.training.translation.score import bleu_for
from pretrained import load_translator, shipped
from pretrained.graphs import GRAPHS
from pretrained.publishing.dev_sentences import dev_sentences
from pretrained.translators import FOLDER, WEIGHTS
from viz.site.weights import site_weights

BEAM = {"beamSize": 4}
_TURNS = 40


def compare(name: str, data_dir: Path | None, n_sentences: int) -> None:
    """Print how ``name`` translates its first dev sentences in Python and on the site."""
    translator, dev = load_translator(name, "cpu"), dev_sentences(name, data_dir)
    pairs = dev.scoring[:n_sentences]
    sources, references = [pair.source for pair in pairs], [pair.target for pair in pairs]
    options = DecodingOptions(length_penalty=translator.options.length_penalty)
    expected = [translator.translate(source, options) for source in sources]
    bleu = bleu_for(dev.target_language)
    scores = {"Python": bleu.corpus_score([each.text for each in expected], [references]).score}
    stored = {"float16": (FOLDER / name / WEIGHTS).read_bytes(), "int8": site_weights(translator.model.state_dict())}
    for kind, weights in stored.items():
        answers = [answer["translation"] for (answer,) in translate_by_node(name, weights, sources, [BEAM]).by_text]
        scores[kind] = bleu.corpus_score([each["text"] for each in answers], [references]).score
        differing = [
            f"  {one.text} ({one.hypotheses[0].score:.7f})\n  {other['text']} ({other['hypotheses'][0]['score']:.7f})"
            for one, other in zip(expected, answers, strict=True)
            if list(one.hypotheses[0].tokens) != other["hypotheses"][0]["tokens"]
        ]
        print(f"{name}, {kind}: {len(answers) - len(differing)} of {len(answers)} alike")
        if kind == "float16":
            print("".join(f"{line}\n" for line in differing), end="")
    print(f"{name}, sacreBLEU: " + ", ".join(f"{kind} {score:.2f}" for kind, score in scores.items()), flush=True)


def measure(name: str) -> None:
    """Print what ``name`` weighs, and how fast it translates one sentence."""
    translator = load_translator(name, "cpu")
    graphs = find_graphs(GRAPHS, translator.model.config)
    assert graphs is not None
    weights = site_weights(translator.model.state_dict())
    sizes = {
        "wasm": WASM.read_bytes(),
        "graphs": graphs.encoder.read_bytes() + graphs.step.read_bytes(),
        "float16": (FOLDER / name / WEIGHTS).read_bytes(),
        "int8": weights,
        "pieces": "\n".join(translator.tokenizer.pieces(range(translator.tokenizer.vocabulary_size))).encode(),
    }
    for kind, content in sizes.items():
        print(f"{name}, {kind}: {len(content):,} bytes, {len(gzip.compress(content)):,} gzipped")
    answers = translate_by_node(name, weights, [SENTENCE] * _TURNS, [{"beamSize": 1}, BEAM])
    for beam, each in zip((1, 4), zip(*answers.by_text, strict=True), strict=True):
        took = [answer["milliseconds"] for answer in each]
        print(f"{name}, beam {beam}: {statistics.median(took):.1f} ms, least {min(took):.1f}")
    print(f"{name}: loaded in {answers.loaded:.0f} ms, {answers.n_bytes / 1e6:.0f} MB at the end", flush=True)


def main() -> None:
    """Compare and measure what is asked for."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("names", nargs="*", help="shipped translators; all when none is given")
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--sentences", type=int, default=500)
    arguments = parser.parse_args()
    use_one_thread()
    for name in arguments.names or shipped():
        compare(name, arguments.data_dir, arguments.sentences)
        measure(name)


if __name__ == "__main__":
    run_command(main)
