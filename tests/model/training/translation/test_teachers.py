"""What finished translators add to the pairs that a later one learns from."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from model.data.loading import Pair, load_split
from model.decoding.options import DecodingOptions
from model.training.__main__ import main
from model.training.translation.finished import load_finished
from model.training.translation.teachers import teacher_pairs

PAIRS = (Pair("Tom loves bread.", "Tom liebt Brot."), Pair("She sees the ball.", "Sie sieht den Ball."))
FORTH, BACK = ("English", "German"), ("German", "English")
CPU = torch.device("cpu")


@pytest.fixture
def teacher(tiny_corpus, write_toml, tmp_path: Path) -> Path:
    """The folder of a run from English to German."""
    arguments = ["--folder", str(tmp_path / "teacher"), "--data-dir", str(tiny_corpus.data_dir), "--device", "cpu"]
    assert main([str(write_toml(n_steps=40, validate_every=40)), *arguments]) == 0
    return tmp_path / "teacher"


def test_one_of_the_same_direction_says_each_source_its_own_way(teacher: Path, tmp_path: Path) -> None:
    found = teacher_pairs([[teacher]], PAIRS, FORTH, folder=tmp_path, device=CPU)
    expected = load_finished(teacher, CPU).translator.translate_all(
        [pair.source for pair in PAIRS], DecodingOptions(beam_size=4, length_penalty=1.4)
    )
    assert [pair.source for pair in found] == [pair.source for pair in PAIRS]
    assert [pair.target for pair in found] == [" ".join(text.split()) for text in expected]


def test_one_of_the_opposite_direction_says_each_target_its_own_way(teacher: Path, tmp_path: Path) -> None:
    turned = [Pair(pair.target, pair.source) for pair in PAIRS]
    there = teacher_pairs([[teacher]], PAIRS, FORTH, folder=tmp_path / "there", device=CPU)
    back = teacher_pairs([[teacher]], turned, BACK, folder=tmp_path / "back", device=CPU)
    assert back == tuple(Pair(pair.target, pair.source) for pair in there)


def test_several_teach_as_one(teacher: Path, tmp_path: Path) -> None:
    twin = shutil.copytree(teacher, tmp_path / "twin")
    found = teacher_pairs([[teacher, twin], [twin]], PAIRS, FORTH, folder=tmp_path / "taught", device=CPU)
    assert found[:2] == found[2:] == teacher_pairs([[teacher]], PAIRS, FORTH, folder=tmp_path / "alone", device=CPU)
    assert {path.name for path in (tmp_path / "taught").iterdir()} == {"teacher+twin.txt", "twin.txt"}


def test_several_of_different_languages_are_refused(teacher: Path, tmp_path: Path) -> None:
    twin = shutil.copytree(teacher, tmp_path / "twin")
    history = json.loads((twin / "history.json").read_text())
    for entry in history:
        entry["training"]["data"]["target_language"] = "Dutch"
    (twin / "history.json").write_text(json.dumps(history))
    with pytest.raises(ValueError, match=r"teacher\+twin translates English to Dutch and English to German; a teacher"):
        teacher_pairs([[teacher, twin]], PAIRS, FORTH, folder=tmp_path, device=CPU)


def test_what_it_said_is_read_again_and_not_made_again(teacher: Path, tmp_path: Path) -> None:
    teacher_pairs([[teacher]], PAIRS, FORTH, folder=tmp_path, device=CPU)
    (tmp_path / "teacher.txt").write_text("Ja.\nNein.\n", encoding="utf-8")
    again = teacher_pairs([[teacher]], PAIRS, FORTH, folder=tmp_path, device=CPU)
    assert [pair.target for pair in again] == ["Ja.", "Nein."]


def test_what_was_said_of_other_pairs_is_refused(teacher: Path, tmp_path: Path) -> None:
    teacher_pairs([[teacher]], PAIRS, FORTH, folder=tmp_path, device=CPU)
    with pytest.raises(ValueError, match=r"has 2 translations of 1 sentences; delete it and start again"):
        teacher_pairs([[teacher]], PAIRS[:1], FORTH, folder=tmp_path, device=CPU)


def test_two_teachers_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"folders are called run, run; each must have a name of its own"):
        teacher_pairs([[tmp_path / "a" / "run"], [tmp_path / "b" / "run"]], PAIRS, FORTH, folder=tmp_path, device=CPU)


def test_a_teacher_of_other_languages_is_refused(teacher: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="teacher translates English to German; a teacher of English to French"):
        teacher_pairs([[teacher]], PAIRS, ("English", "French"), folder=tmp_path, device=CPU)


def test_a_run_learns_from_every_pair_again(teacher: Path, tiny_corpus, write_toml, tmp_path: Path) -> None:
    learned = load_split([tiny_corpus.name], 5, data_dir=tiny_corpus.data_dir).train

    def n_epochs(*teachers: str) -> int:
        folder = tmp_path / f"with-{len(teachers)}"
        (folder / "taught").mkdir(parents=True)
        said = "".join(f"{pair.target}\n" for pair in learned)
        (folder / "taught" / "teacher.txt").write_text(said, encoding="utf-8")
        toml = write_toml(n_steps=60, validate_every=60, log_every=1, teachers=list(teachers))
        places = ["--folder", str(folder), "--data-dir", str(tiny_corpus.data_dir), "--device", "cpu"]
        assert main([str(toml), *places]) == 0
        entries: list[dict[str, Any]] = list(map(json.loads, (folder / "log.jsonl").read_text().splitlines()))
        return max(entry.get("epoch", 0) for entry in entries) + 1

    assert n_epochs() >= 1.5 * n_epochs(str(teacher))


def test_no_run_and_one_that_has_not_validated_are_refused(
    teacher: Path, tiny_corpus, write_toml, tmp_path: Path, capsys
) -> None:
    (teacher / "best.pt").unlink()
    for folder in (teacher, tmp_path / "nowhere"):
        places = ["--folder", str(tmp_path / "run"), "--data-dir", str(tiny_corpus.data_dir), "--device", "cpu"]
        assert main([str(write_toml(teachers=[str(folder)])), *places]) == 2
        (line,) = [line for line in capsys.readouterr().err.splitlines() if "run that has been validated" in line]
        assert str(folder) in line
