"""What is read of a shipped translator before its weights are: one error for every kind of damage."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from model.checkpoint import DamagedWeightsError
from pretrained import load_translator, read_card, shipped, translators
from tests.app.running import ROOT, open_page, open_script

NAME = "translation-ja-en"


def cut(path: Path) -> None:
    path.write_text("{", encoding="utf-8")


def emptied(path: Path) -> None:
    path.write_text("{}", encoding="utf-8")


def without_training(path: Path) -> None:
    metrics = json.loads(path.read_text(encoding="utf-8"))
    del metrics["training"]
    path.write_text(json.dumps(metrics), encoding="utf-8")


def not_utf8(path: Path) -> None:
    path.write_bytes(b"\xff\xfe")


def lost(path: Path) -> None:
    path.unlink()


DAMAGES = [
    *((file, damage) for file in ("config.json", "metrics.json") for damage in (cut, emptied, not_utf8)),
    ("metrics.json", without_training),
    *(("card.md", damage) for damage in (not_utf8, lost)),
]


@pytest.fixture(params=DAMAGES, ids=lambda pair: f"{pair[0]} {pair[1].__name__}")
def damaged(request, tmp_path: Path, monkeypatch) -> str:
    """Have all shipped translators in a folder of their own, one of them with one damaged file; return its name."""
    file, damage = request.param
    for name in shipped():
        for path in (translators.FOLDER / name).iterdir():
            target = tmp_path / name / path.name
            target.parent.mkdir(exist_ok=True)
            target.symlink_to(path)
    path = tmp_path / NAME / file
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content)
    apply: Callable[[Path], None] = damage
    apply(path)
    monkeypatch.setattr(translators, "FOLDER", tmp_path)
    return NAME


def test_every_kind_of_damage_is_one_error(damaged: str) -> None:
    with pytest.raises(DamagedWeightsError):
        read_card(damaged)


def test_a_translator_that_does_not_say_how_it_was_trained_is_damaged(tmp_path: Path, monkeypatch) -> None:
    shutil.copytree(translators.FOLDER / NAME, tmp_path / NAME)
    without_training(tmp_path / NAME / "metrics.json")
    monkeypatch.setattr(translators, "FOLDER", tmp_path)
    with pytest.raises(DamagedWeightsError, match="no training"):
        load_translator(NAME)


# The pages see the one error, whatever the damage.
@pytest.mark.parametrize("damaged", [("config.json", cut), ("card.md", lost)], indirect=True, ids=["cut", "lost"])
def test_with_one_damaged_translator_the_pages_live(damaged: str) -> None:
    assert not open_script(ROOT / "app.py").warning
    said = [warning.value for warning in open_page("models").warning]
    assert len(said) == 1
    assert damaged in said[0]
