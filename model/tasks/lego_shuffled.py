"""LEGO with its clauses in any order: a variable is looked up by its name, among others."""

import random
import re

from model.tasks.base import Task, TaskDescription, Tokens, lengths_to_measure
from model.tasks.lego import VARIABLES
from model.tasks.registry import register

QUERY = "?"
_LONGEST_CHAIN, _GOES_ON = 3, 2 / 3
_CLAUSE = re.compile(r"([A-Za-z])([+-])([A-Za-z1])")


@register
class LegoShuffled(Task):
    """Chains of one to three signed variables with shuffled clauses; the answer follows one chain.

    A clause such as b-k says that b = -k. The answer ends with the sign that its clauses come to. The other chains are
    distractors: the parity of all signs is wrong in half of the inputs, unlike in LEGO.
    """

    description = TaskDescription(
        name="lego_shuffled",
        title="LEGO, shuffled",
        explanation=(
            "Follow the letter after ? from clause to clause down to 1; write each sign and letter on the way, and "
            "then whether it is + or - 1."
        ),
        example="b-k;s+1;k-1?b",
        unit="clauses",
        symbols="clauses of a letter, + or -, and a letter or 1, with semicolons between them, then ? and a letter",
        alphabet=(*VARIABLES, "1", "+", "-", ";", QUERY),
        train_lengths=(1, 8),
        test_lengths=lengths_to_measure(8),
        longest=40,
        more_tokens=(),
        guessed=1 / 4,
        paper="Zhang et al. 2022, arXiv:2206.04301",
        family="content",
    )

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return ``length`` clauses in any order, and any of their variables."""
        names = rng.sample(VARIABLES, length)
        clauses, chain = [], ["1"]
        for name in names:
            clauses.append(f"{name}{rng.choice('+-')}{chain[-1]}")
            chain = [*chain, name] if len(chain) < _LONGEST_CHAIN and rng.random() < _GOES_ON else ["1"]
        rng.shuffle(clauses)
        return (*";".join(clauses), QUERY, rng.choice(names))

    def prompt(self, inputs: Tokens) -> Tokens:
        """Return the inputs alone: the answer goes on from the letter that is asked for."""
        return inputs

    def length(self, inputs: Tokens) -> int:
        """Return the number of clauses."""
        return inputs.count("+") + inputs.count("-")

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return ``tokens`` if every variable is given once and leads to 1, and one of them is asked for."""
        clauses, _, asked = "".join(tokens).partition(QUERY)
        read = [_CLAUSE.fullmatch(clause) for clause in clauses.split(";")]
        before = {clause[1]: clause[3] for clause in read if clause}
        if not all(read) or len(before) < len(read) or asked not in before or not _all_lead_to_1(before):
            form = "clauses that each name a new letter as + or - 1 or a letter that leads to 1, then ? and a letter"
            raise self.refuse(tokens, f"{form}, for example {self.description.example}")
        return tokens

    def solve(self, inputs: Tokens) -> Tokens:
        """Return sign and letter of each clause from the one asked for to 1, and the sign that they come to."""
        clauses, _, name = "".join(inputs).partition(QUERY)
        links = {clause[0]: (clause[1], clause[2]) for clause in clauses.split(";")}
        steps: list[str] = []
        while name != "1":
            sign, name = links[name]
            steps += (sign, name)
        return (*steps, "-" if steps.count("-") % 2 else "+")


def _all_lead_to_1(before: dict[str, str]) -> bool:
    known = {"1"}
    for _ in before:
        known |= {name for name, other in before.items() if other in known}
    return known >= set(before)
