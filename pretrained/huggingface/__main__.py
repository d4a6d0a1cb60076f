"""The process in which a model of others is loaded and run; ``apart.py`` begins it and asks it."""

import socket
import sys

from pretrained.huggingface.answering import answer_all


def main() -> None:
    """Answer what comes by the socket of the number given, with the lease given in seconds."""
    number, lease = sys.argv[1:]
    with socket.socket(fileno=int(number)) as calls:
        answer_all(calls, float(lease))


if __name__ == "__main__":
    main()
