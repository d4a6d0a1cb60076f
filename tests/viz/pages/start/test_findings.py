"""Every finding has a sentence, a picture in both themes, and a page; what it says is what was measured."""

import pandas as pd
import pytest
import torch
from PIL import Image

from model.analysis.ablation import Part, ablation
from model.hooks import intervene
from pretrained import load_translator, zoo
from viz.base.words import page_text
from viz.pages.start.findings import FINDINGS, THUMBNAILS, Finding
from viz.pages.start.paths import PATHS
from viz.shell.navigation import page_at

TEXT = page_text("pages/start/findings")


def test_there_are_twelve_of_different_views() -> None:
    assert len({finding.address for finding in FINDINGS}) == len({finding.name for finding in FINDINGS}) == 12


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.name)
def test_a_finding_has_its_sentence_its_page_and_its_pictures(finding: Finding) -> None:
    assert TEXT[finding.name]
    assert page_at(finding.page).path.is_file()
    for theme in ("light", "dark"):
        with Image.open(THUMBNAILS / f"{finding.name}-{theme}.webp") as picture:
            assert picture.width == 2.75 * picture.height


def test_every_path_leads_to_pages() -> None:
    assert all(page_at(address).path.is_file() for addresses in PATHS.values() for address in addresses)


def test_of_nineteen_encodings_only_path_reverses_twice_the_trained_length() -> None:
    rows = pd.read_parquet(zoo.ZOO / "results.parquet").query("checkpoint == 'best' and task == 'reverse'")
    assert set(rows.longest_trained) == {20}
    far = rows[rows.length == 40].groupby("encoding").exact_match
    assert len(far) == 19
    assert far.min()["path"] > 0.5
    assert far.max().drop("path").max() < 0.1


def test_a_probe_reads_positions_behind_the_first_layer_of_a_model_without_encoding() -> None:
    rows = pd.read_parquet(zoo.ZOO / "probes.parquet")
    there = rows.query("encoding == 'none' and subject == 'trained' and region == 'trained'").groupby("layer").r2.mean()
    assert there[0] < 0.1
    assert there[1] > 0.5


def test_without_the_head_of_the_finding_the_translation_is_another() -> None:
    (query,) = (finding.query for finding in FINDINGS if finding.name == "heads")
    _, layer, head = query["off"].split(".")
    without = Part(f"decoder.{int(layer) - 1}.cross_attention.z", int(head) - 1)
    translator = load_translator("translation-en-de")
    whole = translator.translate(query["text"]).text
    with intervene(ablation([without])):
        assert translator.translate(query["text"]).text != whole


def test_one_head_turned_round_changes_the_gender_of_the_article() -> None:
    (query,) = (finding.query for finding in FINDINGS if finding.name == "gender")
    layer, _, head = query["edit-head"].removeprefix("Cross ").partition(".")

    def scale(z: torch.Tensor) -> torch.Tensor:
        factors = torch.ones(z.shape[1])
        factors[int(head) - 1] = float(query["head-scale"])
        return z * factors[:, None, None]

    translator = load_translator("translation-en-de", "cpu")
    assert "das alte Haus" in translator.translate(query["text"]).text
    with intervene({f"decoder.{int(layer) - 1}.cross_attention.z": scale}):
        assert "den alten Haus" in translator.translate(query["text"]).text
