"""Links that people made: whose folder is damaged gets a sentence."""

from pathlib import Path

import pytest

from pretrained.alignments import EN_DE
from pretrained.publishing.alignment_errors import folder_pairs, gold_languages


def test_links_name_their_languages() -> None:
    assert gold_languages(EN_DE) == ("en", "de")
    assert gold_languages(Path("links/hansards-en-fr")) == ("en", "fr")
    with pytest.raises(ValueError, match=r"^links names no two languages"):
        gold_languages(Path("links"))


def test_files_of_unequal_length_are_refused_by_their_names(tmp_path: Path) -> None:
    for name, lines in (("en", 2), ("de", 2), ("gold", 1)):
        (tmp_path / f"{name}.txt").write_text("1-1\n" * lines)
    with pytest.raises(ValueError, match=r"a line for each pair; they have: en\.txt 2, de\.txt 2, gold\.txt 1$"):
        folder_pairs(tmp_path, "en", "de")
