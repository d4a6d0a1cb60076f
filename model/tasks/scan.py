"""SCAN: commands in a small language, translated to actions (Lake & Baroni 2018)."""

import random
from collections import defaultdict
from functools import cache

from model.tasks.base import ASK, Task, TaskDescription, Tokens
from model.tasks.registry import register

_VERBS = ("walk", "look", "run", "jump")
_TIMES = {"twice": 2, "thrice": 3}
_TURNS = {"left": "LTURN", "right": "RTURN"}
_MAX_LENGTH = 48


@register
class Scan(Task):
    """All 20,910 commands of the published grammar; the length is that of the answer, in actions.

    Training draws a length uniformly, and then a command of that length; the published split has each command once.
    """

    description = TaskDescription(
        name="scan",
        title="SCAN",
        explanation="Write the actions that the command asks for, one by one.",
        example="walk left twice and jump",
        unit="actions",
        symbols="commands of the words walk, look, run, jump, turn, left, right, opposite, around, twice, thrice, "
        "and, after",
        alphabet=(*_VERBS, "turn", *_TURNS, "opposite", "around", *_TIMES, "and", "after"),
        train_lengths=(1, 25),
        test_lengths=(6, 12, 18, 24, 25, 26, 27, 28, 30, 32, 33, 36, 40, 48),
        longest=_MAX_LENGTH,
        more_tokens=(ASK, *(verb.upper() for verb in _VERBS), *_TURNS.values()),
        paper="Lake & Baroni 2018, arXiv:1711.00350; Kazemnejad et al. 2023, arXiv:2305.19466",
    )

    separator = " "

    def draw(self, length: int, rng: random.Random) -> Tokens:
        """Return a command of ``length`` actions."""
        return rng.choice(_commands()[length])

    def training_lengths(self) -> tuple[int, ...]:
        """Return the trained lengths that have commands."""
        low, high = self.description.train_lengths
        return tuple(length for length in sorted(_commands()) if low <= length <= high)

    def length(self, inputs: Tokens) -> int:
        """Return the number of actions."""
        return len(self.solve(inputs))

    def arrange(self, tokens: Tokens) -> Tokens:
        """Return ``tokens`` if they are a command."""
        if not all(part in _phrases() for part in _parts(tokens)):
            raise self.refuse(tokens, f"one command, or two joined by and or after, such as {self.description.example}")
        return tokens

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the actions."""
        parts = [_phrases()[part] for part in _parts(inputs)]
        ordered = parts[::-1] if "after" in inputs else parts
        return tuple(action for part in ordered for action in part)


def _parts(command: Tokens) -> list[Tokens]:
    for word in ("and", "after"):
        if word in command:
            index = command.index(word)
            return [command[:index], command[index + 1 :]]
    return [command]


@cache
def _phrases() -> dict[Tokens, Tokens]:
    """Return the actions of every command without "and" or "after"."""
    once: dict[Tokens, Tokens] = {(verb,): (verb.upper(),) for verb in _VERBS}
    for verb in (*_VERBS, "turn"):
        act = () if verb == "turn" else (verb.upper(),)
        for side, turn in _TURNS.items():
            once[verb, side] = (turn, *act)
            once[verb, "opposite", side] = (turn, turn, *act)
            once[verb, "around", side] = (turn, *act) * 4
    repeated = {(*words, times): actions * n for words, actions in once.items() for times, n in _TIMES.items()}
    return once | repeated


@cache
def _commands() -> dict[int, list[Tokens]]:
    """Return all commands, grouped by their number of actions."""
    phrases = _phrases()
    commands: dict[int, list[Tokens]] = defaultdict(list)
    for words, actions in phrases.items():
        commands[len(actions)].append(words)
        for others, more in phrases.items():
            commands[len(actions) + len(more)] += [(*words, "and", *others), (*words, "after", *others)]
    return dict(commands)
