"""The metrics file keeps what it is not asked to replace."""

from pathlib import Path

from pretrained.publishing.shipping import read_metrics, write_metrics


def test_entries_are_replaced_and_the_others_kept(tmp_path: Path) -> None:
    path = tmp_path / "metrics.json"
    assert read_metrics(path) == {}
    write_metrics(path, step=3, title="grün")
    write_metrics(path, dev={"chrf": 5.5}, step=4)
    assert read_metrics(path) == {"step": 4, "title": "grün", "dev": {"chrf": 5.5}}
    assert path.read_text(encoding="utf-8").endswith("}\n")
