"""Runs a script in Node that imports the site's engine."""

import json
from typing import Any

from tests.node import run_module


def by_node(script: str, given: Any) -> Any:
    """Return what ``script`` writes to ``answer``, from ``given``; it imports from ``engine/``."""
    whole = f"""
    import {{ readFileSync }} from "node:fs";
    {script.replace('"engine/', '"./viz/site/engine/')}
    process.stdout.write(JSON.stringify(await answer(JSON.parse(readFileSync(0, "utf-8")))));
    """
    return json.loads(run_module(whole, given=json.dumps(given).encode()))
