"""LEGO: follow a chain of signed variables (Zhang et al. 2022)."""

import random
import re
import string

from model.tasks.base import ASK, Task, TaskDescription, Tokens, lengths_to_measure
from model.tasks.registry import register

VARIABLES: Tokens = tuple(string.ascii_letters)
_CLAUSE = re.compile(r"([A-Za-z])=([+-])([A-Za-z1])")


@register
class Lego(Task):
    """A chain of signed variables, each plus or minus the one before it; the answer is the last sign."""

    description = TaskDescription(
        name="lego",
        title="LEGO",
        explanation="Each letter is plus or minus the one before; write whether the last one is + or - 1.",
        example="k=+1;b=-k;s=-b",
        unit="clauses",
        symbols="clauses of letters, =, + or -, with semicolons between them",
        alphabet=(*VARIABLES, "1", "=", "+", "-", ";"),
        train_lengths=(1, 8),
        test_lengths=lengths_to_measure(8),
        longest=40,
        more_tokens=(ASK,),
        guessed=1 / 2,
        paper="Zhang et al. 2022, arXiv:2206.04301; Kazemnejad et al. 2023, arXiv:2305.19466",
        family="state",
    )

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return a chain of ``length`` different variables."""
        names = rng.sample(VARIABLES, length)
        clauses = (f"{name}={rng.choice('+-')}{before}" for name, before in zip(names, ("1", *names[:-1]), strict=True))
        return tuple(";".join(clauses))

    def length(self, inputs: Tokens) -> int:
        """Return the number of clauses."""
        return inputs.count("=")

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return ``tokens`` if they are a chain of different variables."""
        clauses = [_CLAUSE.fullmatch(clause) for clause in "".join(tokens).split(";")]
        names = [clause[1] for clause in clauses if clause]
        read = [clause[3] for clause in clauses if clause]
        if not all(clauses) or read != ["1", *names[:-1]] or len(set(names)) < len(names):
            form = "clauses that each name a new letter as + or - the letter before, the first as + or - 1"
            raise self.refuse(tokens, f"{form}, for example {self.description.example}")
        return tokens

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the sign of the last variable."""
        return ("-" if inputs.count("-") % 2 else "+",)
