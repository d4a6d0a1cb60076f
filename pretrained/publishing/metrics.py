"""The metrics file of a shipped model: what was measured, and the checksums of what it was measured on."""

import json
from pathlib import Path
from typing import Any


def read_metrics(path: Path) -> dict[str, Any]:
    """Return the content of a metrics file, or nothing where there is none yet."""
    if not path.is_file():
        return {}
    metrics: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return metrics


def write_metrics(path: Path, **entries: Any) -> None:
    """Replace ``entries`` in the metrics file and keep the others."""
    path.write_text(json.dumps(read_metrics(path) | entries, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def written_bleu(scores: dict[str, Any]) -> str:
    """Return the sacreBLEU of ``scores`` and, where its signature says so, that it counts characters."""
    counts_characters = "tok:char" in scores["sacrebleu_signature"]
    return f"{scores['sacrebleu']} (of characters)" if counts_characters else str(scores["sacrebleu"])
