"""What the pages on length generalization keep in the session."""

from dataclasses import dataclass

from model.tasks.base import Tokens


@dataclass(frozen=True)
class AskedInput:
    """The last input of ``task`` that could be answered, None before the first, and why the last draw failed."""

    task: str
    inputs: Tokens | None = None
    trouble: str = ""
