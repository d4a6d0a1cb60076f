"""The project can be cited: CITATION.cff keeps its schema, and every place that names a version names the same one."""

import json
import re
import tomllib
from pathlib import Path

import jsonschema
import pytest
import yaml

ROOT = Path(__file__).parents[1]
# Of the Citation File Format 1.2.0 (citation-file-format.github.io, CC BY 4.0), as cffconvert 2.0.0 has it.
SCHEMA = ROOT / "tests" / "fixtures" / "citation_schema.json"
CARDS = ROOT / "benchmarks" / "cards.md"


@pytest.fixture
def citation() -> dict[str, object]:
    return yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_citation_keeps_its_schema(citation: dict[str, object]) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.validate(citation, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**citation, "authors": []}, schema)


def test_the_newest_version_is_one_in_every_file(citation: dict[str, object]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    changes = (ROOT / "docs" / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.findall(r"^## (\d+\.\d+\.\d+)$", changes, re.MULTILINE)[0]
    assert citation["version"] == project["version"] == newest


@pytest.mark.parametrize("path", sorted(ROOT.glob("benchmarks/*.tsv")), ids=lambda path: path.name)
def test_every_text_has_a_card_with_its_size(path: Path) -> None:
    (row,) = (line for line in CARDS.read_text(encoding="utf-8").splitlines() if f"`{path.name}`" in line)
    assert f"| {len(path.read_text(encoding='utf-8').splitlines())} |" in row


@pytest.mark.parametrize("card", ["pretrained/alignments/guidelines.md", "pretrained/minimal_pairs/card.md"])
def test_what_was_written_here_and_ships_says_its_licence(card: str) -> None:
    assert re.search(r"Apache-2\.0|CC BY", (ROOT / card).read_text(encoding="utf-8"))
