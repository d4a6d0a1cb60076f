"""The engine's searches and constraints against Python's, on models that are tables of numbers."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.decoding.beam_search import beam_search
from model.decoding.constraints import NoRepeatedNgrams, NoTokens, WholeCharacters, text_constraints
from model.decoding.options import DecodingOptions
from tests.node import ROOT
from tests.viz.site.engine.node import by_node
from viz.components.browser import bundle

PIECES = ["<pad>", "<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁a", "b", "c", "d"]
SIZE = len(PIECES)
"""Of a vocabulary with every byte, and few others."""


@dataclass(frozen=True)
class Config:
    """What a search needs of a configuration."""

    pad_id: int = 0
    bos_id: int = 2
    eos_id: int = 3


class TableDecoder:
    """The next token depends on the last one and on how many there are, so that no two targets score the same."""

    def __init__(self, by_token: np.ndarray, by_place: np.ndarray) -> None:
        self.by_token, self.by_place, self.length = torch.from_numpy(by_token), torch.from_numpy(by_place), 0

    def step(self, tokens: Tensor) -> Tensor:
        places = self.length + torch.arange(tokens.shape[1])
        self.length += tokens.shape[1]
        return self.by_token[tokens % len(self.by_token)] + self.by_place[places % len(self.by_place)]

    def select(self, rows: Tensor) -> None:
        """Nothing is remembered of a row."""


SEARCHES = """
import { beamSearch } from "engine/beam_search.js";
import { textConstraints, wholeCharacters } from "engine/constraints.js";
import { greedySearch } from "engine/greedy_search.js";

function tableDecoder(byToken, byPlace) {
  let length = 0;
  const row = (token, place) => {
    const more = byPlace[place % byPlace.length];
    return byToken[token % byToken.length].map((each, next) => each + more[next]);
  };
  return {
    select() {},
    async step(rows) {
      const next = rows.flatMap((tokens) => tokens.flatMap((token, place) => row(token, length + place)));
      length += rows[0].length;
      return { logits: { values: Float32Array.from(next), shape: [rows.length, rows[0].length, byToken[0].length] } };
    },
  };
}

const answer = ({ cases, config, pieces }) =>
  Promise.all(
    cases.map(async ({ tables, nSource, options, prefix }) => {
      const constraints = [...textConstraints(config, options), wholeCharacters(pieces)];
      const search = { config, nSource, options, prefix, constraints };
      const hypotheses = await beamSearch({ ...search, decoder: tableDecoder(...tables) });
      const { hypothesis } = await greedySearch({ ...search, decoder: tableDecoder(...tables) }, []);
      return { hypotheses, hypothesis };
    }),
  );
"""


def case(number: int) -> dict[str, Any]:
    rng = np.random.default_rng(number)
    tables = [rng.normal(0, 2, (n, SIZE)).astype(np.float32) for n in (23, 13)]
    # A few tokens are probable, so that n-grams repeat and targets end, some at once and some never.
    tables[0][:, [3, 260, 261, 262, 0xE3 + 4, 0x81 + 4]] += rng.choice([0, 4, 8], (23, 6)).astype(np.float32)
    beam = int(rng.choice([1, 2, 4, 5]))
    options = {
        "beamSize": beam,
        "lengthPenalty": float(rng.choice([0, 0.6, 1.5])),
        "nBest": int(rng.integers(1, beam + 1)),
        "maxExtraLength": int(rng.choice([1, 8, 30])),
        "ngramSize": int(rng.choice([0, 1, 2, 4])),
        "maxNgramRepeats": int(rng.choice([1, 2])),
    }
    prefix = [260, 261][: rng.integers(0, 3)]
    return {
        "tables": [table.tolist() for table in tables],
        "nSource": int(rng.integers(1, 5)),
        "options": options,
        "prefix": prefix,
    }


def test_searches_of_many_tables_end_as_in_python() -> None:
    cases = [case(number) for number in range(40)]
    config = Config()
    answers = by_node(SEARCHES, {"cases": cases, "config": vars(config), "pieces": PIECES})
    for each, answer in zip(cases, answers, strict=True):
        asked = each["options"]
        options = DecodingOptions(
            beam_size=asked["beamSize"],
            length_penalty=asked["lengthPenalty"],
            n_best=asked["nBest"],
            max_extra_length=asked["maxExtraLength"],
            ngram_size=asked["ngramSize"],
            max_ngram_repeats=asked["maxNgramRepeats"],
        )
        constraints = [*text_constraints(config, options), WholeCharacters(PIECES)]
        (expected,) = beam_search(
            TableDecoder(*(np.array(table, np.float32) for table in each["tables"])),
            config,
            [each["nSource"]],
            options,
            each["prefix"],
            constraints=constraints,
        )
        assert [one["tokens"] for one in answer["hypotheses"]] == [list(one.tokens) for one in expected]
        scores = [one["score"] for one in answer["hypotheses"]]
        np.testing.assert_allclose(scores, [one.score for one in expected], atol=1e-4)
        if options.beam_size == 1:
            assert answer["hypothesis"]["tokens"] == list(expected[0].tokens)


RULES = """
import { noRepeatedNgrams, noTokens, wholeCharacters } from "engine/constraints.js";
const answer = ({ pieces, targets, ngrams }) => {
  const rules = [noTokens([0, 5]), wholeCharacters(pieces), ...ngrams.map((each) => noRepeatedNgrams(...each))];
  return rules.map((rule) =>
    targets.map((target) => {
      const scores = new Float32Array(pieces.length);
      rule([target], [scores]);
      return [...scores.keys()].filter((token) => scores[token] < 0);
    }),
  );
};
"""


def ruled_out(rule: Any, target: Sequence[int]) -> list[int]:
    scores = torch.zeros(1, SIZE)
    rule([target], scores)
    return scores[0].isinf().nonzero()[:, 0].tolist()


def test_constraints_rule_out_what_they_do_in_python() -> None:
    rng = random.Random(0)
    targets = [
        [rng.choice([260, 261, 262, rng.randrange(4, 260)]) for _ in range(rng.randrange(9))] for _ in range(200)
    ]
    ngrams = [(0, 1), (1, 2), (2, 1), (3, 2)]
    answers = by_node(RULES, {"pieces": PIECES, "targets": targets, "ngrams": ngrams})
    rules = [NoTokens([0, 5]), WholeCharacters(PIECES), *(NoRepeatedNgrams(*each) for each in ngrams)]
    assert answers == [[ruled_out(rule, target) for target in targets] for rule in rules]


def test_the_bundler_takes_the_engine() -> None:
    joined = bundle(ROOT / "viz" / "site" / "engine" / "translator.js")
    assert "export async function loadTranslator(" in joined
    assert "import " not in re.sub("//.*", "", joined)


SOFTMAX = """
import { highest, logSoftmax } from "engine/scores.js";
const answer = (rows) =>
  rows.map((row) => [[...logSoftmax(Float32Array.from(row))], highest(Float32Array.from(row), 6)]);
"""


@pytest.mark.parametrize("spread", [0.1, 5.0, 50.0])
def test_log_probabilities_and_the_best_are_those_of_pytorch(spread: float) -> None:
    logits = torch.from_numpy(np.random.default_rng(0).normal(0, spread, (4, 500)).astype(np.float32))
    for row, (log_p, best) in zip(logits, by_node(SOFTMAX, logits.tolist()), strict=True):
        torch.testing.assert_close(torch.tensor(log_p), row.log_softmax(-1), atol=2e-6, rtol=1e-6)
        assert best == row.topk(6).indices.tolist()
