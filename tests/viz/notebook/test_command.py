"""The command that writes a view of a model in a folder."""

import sys
from pathlib import Path

import pytest

from tests.fixtures.foreign_models import TEXT, random_model, small_tokenizer
from viz.base.attention_files import kinds_of_file
from viz.notebook.__main__ import main


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    monkeypatch.setattr(sys, "argv", ["viz.notebook", *map(str, arguments)])
    main()


def test_what_is_written_opens_as_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random_model("T5").save_pretrained(tmp_path / "t5")
    small_tokenizer().save_pretrained(tmp_path / "t5")
    run(monkeypatch, tmp_path / "t5", TEXT, tmp_path / "maps.npz", "--target", "the cat")
    kinds = kinds_of_file("maps.npz", (tmp_path / "maps.npz").read_bytes())
    assert [kind.name for kind in kinds] == ["encoder", "decoder", "cross"]
    assert kinds[2].queries.labels == ("[CLS]", "the", "cat", "[SEP]")


@pytest.mark.parametrize(("file", "said"), [("maps.txt", "ends with none of"), ("maps.npz", "no model of this name")])
def test_what_is_wrong_is_one_sentence(
    file: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, tmp_path / "none", TEXT, tmp_path / file)
    assert said in capsys.readouterr().err
