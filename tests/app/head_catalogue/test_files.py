"""The pages of what was measured of heads, without its files and with damaged ones."""

from pathlib import Path

import pytest

from pretrained import head_catalogue, head_pruning, zoo
from tests.app.running import charts, open_in_app, open_page, warnings

PAGES = {
    "heads": (head_catalogue, "roles_path", "head_catalogue NAME"),
    "heads_needed": (head_pruning, "pruning_path", "head_pruning NAME"),
    "word_alignment": (head_catalogue, "alignment_path", "alignment_errors NAME"),
}


@pytest.mark.parametrize("content", [b"no parquet", None])
@pytest.mark.parametrize("page", PAGES)
def test_a_file_that_cannot_be_read_or_is_not_there_gets_one_sentence(
    page: str, content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, path, command = PAGES[page]
    monkeypatch.setattr(module, path, lambda name, *_: tmp_path / f"{name}.parquet")
    monkeypatch.setattr(zoo, "ZOO", tmp_path)
    if content:
        (tmp_path / "translation-en-de.parquet").write_bytes(content)
    (warning,) = warnings(open_page(page))
    assert f"python -m pretrained.publishing {command}" in warning


def test_a_damaged_table_of_the_small_decoders_leaves_the_translators(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zoo, "ZOO", tmp_path)
    (tmp_path / zoo.HEADS).write_bytes(b"no parquet")
    app = open_in_app("heads")
    (warning,) = warnings(app)
    assert "python -m pretrained.publishing zoo_heads" in warning
    assert "heads" in charts(app)
