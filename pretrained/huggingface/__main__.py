"""The process in which a model of others is loaded and run; ``apart.py`` asks it."""

import os
import sys

from pretrained.huggingface.apart import answer


def main() -> None:
    """Answer the one request on standard input."""
    # What a library prints must not end up in the answer.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        answer(sys.stdin.buffer.read(), out)


if __name__ == "__main__":
    main()
