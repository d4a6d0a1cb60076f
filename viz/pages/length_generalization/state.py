"""Session state of the pages on length generalization."""

from dataclasses import dataclass

from model.tasks.base import Tokens


@dataclass(frozen=True)
class AskedInput:
    """The last input of ``task`` with an answer, None before the first, and the error of the last draw."""

    task: str
    inputs: Tokens | None = None
    trouble: str = ""
