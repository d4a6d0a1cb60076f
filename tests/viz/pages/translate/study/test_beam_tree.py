"""The tree of a translation's search as it is shown, and where a visitor can go on from."""

import csv
import io
import re
from pathlib import Path

import pytest

from model.decoding.options import GREEDY, DecodingOptions
from model.decoding.translator import Translation, Translator
from model.text.tokenizer import EOS_ID
from viz.base.words import page_text
from viz.pages.translate.components import beam_tree
from viz.pages.translate.study.beam_tree import beginning_at, given_tokens, tree_as_csv, tree_of

TEXT = "The dog chases the cat."
BEAM = DecodingOptions(beam_size=4, n_best=4)


@pytest.fixture(scope="module")
def found(translator: Translator) -> Translation:
    return translator.translate(TEXT, BEAM)


def test_every_whole_translation_is_the_text_of_a_node_that_ended(translator: Translator, found: Translation) -> None:
    tree = tree_of(found, translator.tokenizer, start="start", key="k")
    ended = {node.text: node.score for node in tree.nodes if node.fate == "finished"}
    for hypothesis in found.hypotheses:
        text = translator.tokenizer.decode(hypothesis.tokens)
        assert ended[text] == pytest.approx(hypothesis.score, abs=1e-4)
    assert tree.beginning == "start"
    assert all(0 <= node.probability <= 1 for node in tree.nodes)
    assert not any(node.can_go_on for node in tree.nodes if node.fate == "finished")


@pytest.mark.parametrize("options", [BEAM, GREEDY])
def test_what_goes_on_from_a_node_begins_with_its_text(translator: Translator, options: DecodingOptions) -> None:
    found = translator.translate(TEXT, options)
    tree = tree_of(found, translator.tokenizer, start="start", key="k")
    left = [number for number, node in enumerate(tree.nodes) if node.fate == "pruned" and node.can_go_on]
    assert left
    for number in left[:3] + left[-3:]:
        begin = beginning_at(found, number)
        other = translator.translate(TEXT, options, prefix=begin)
        assert tuple(token.id for token in other.tokens[: len(begin)]) == begin == given_tokens(other)
        again = tree_of(other, translator.tokenizer, start="start", key="k")
        assert again.beginning == tree.nodes[number].text
        # A character of several tokens is none until its last one stands.
        whole = again.beginning.rstrip("\N{REPLACEMENT CHARACTER}")
        assert all(node.text.startswith(whole) for node in again.nodes)


def test_from_what_is_no_node_or_has_ended_nothing_goes_on(found: Translation) -> None:
    ended = next(number for number, one in enumerate(found.tree) if one.token == EOS_ID)
    for number in (-1, len(found.tree), ended):
        with pytest.raises(ValueError, match="tree"):
            beginning_at(found, number)


def test_the_table_holds_every_node_below_its_parent(translator: Translator, found: Translation) -> None:
    tree = tree_of(found, translator.tokenizer, start="start", key="k")
    rows = list(csv.DictReader(io.StringIO(tree_as_csv(tree))))
    assert len(rows) == len(tree.nodes)
    for row, node in zip(rows, tree.nodes, strict=True):
        assert (row["token"], row["fate"], int(row["step"])) == (node.label, node.fate, node.step + 1)
        assert row["parent"] == "" or int(rows[int(row["parent"])]["step"]) == node.step


def test_every_word_of_the_script_is_written_down() -> None:
    folder = Path(beam_tree.__file__).parent
    source = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.js"))
    wanted = set(re.findall(r'words(?:\["([^"]+)"\])', source)) | set(re.findall(r"words\.(\w+)", source))
    wanted |= {f"fate {fate}" for fate in ("kept", "finished", "pruned")}
    assert wanted == set(page_text("pages/translate/beam_tree"))
