"""The navigation: every page is found by its two files, and stands where its words say."""

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from viz.base import words
from viz.base.languages import ENGLISH
from viz.base.words import page_text, sections_in
from viz.shell import navigation
from viz.shell.navigation import SECTIONS, Place, moved_to, places, sections

VIZ = Path(words.__file__).parents[1]
RUNS_ALONE = '\n\n\nif __name__ == "__main__":\n    show()\n'


def forget() -> None:
    """Have words and pages read anew."""
    words.sections_in.cache_clear()
    navigation._pages.cache_clear()


def test_every_section_has_a_name_and_a_place() -> None:
    assert list(sections()) == [name for name in SECTIONS if name in sections()]
    assert all(page_text("shell/page")[f"section {name}"] for name in SECTIONS)


def test_a_new_page_is_two_new_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "pages" / "topic" / "words" / "en"
    folder.mkdir(parents=True)
    for name, order in (("second_one", "2"), ("first_one", "1")):
        content = f"# A\n\n## section\nmemory\n\n## order\n{order}\n\n## title\n{name}\n\n## question\nWhy {name}?\n"
        (folder / f"{name}.md").write_text(content, encoding="utf-8")
    (folder / "no_page.md").write_text("# B\n\n## word\nx\n", encoding="utf-8")
    monkeypatch.setattr(words, "_VIZ", tmp_path)
    monkeypatch.setattr(navigation, "_VIZ", tmp_path)
    forget()
    found = sections()
    forget()
    assert list(found) == ["memory"]
    assert [(page.title, page.question, page.url_path) for page in found["memory"]] == [
        ("first_one", "Why first_one?", "first-one"),
        ("second_one", "Why second_one?", "second-one"),
    ]
    assert found["memory"][0].path == tmp_path / "pages" / "topic" / "first_one.py"


def test_a_part_of_a_page_is_two_new_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "pages" / "topic" / "words" / "en"
    folder.mkdir(parents=True)
    for name, place in (
        ("third_one", "part of\nfirst_one\n\n## order\n2"),
        ("second_one", "part of\nfirst_one\n\n## order\n1"),
        ("first_one", "section\nmemory\n\n## order\n5\n\n## title\nThe first"),
    ):
        content = f"# A\n\n## {place}\n\n## part\n{name}\n\n## question\nWhy {name}?\n"
        (folder / f"{name}.md").write_text(content, encoding="utf-8")
    monkeypatch.setattr(words, "_VIZ", tmp_path)
    monkeypatch.setattr(navigation, "_VIZ", tmp_path)
    forget()
    ((page,),) = sections().values()
    seen = [(place.address, place.part.label, place.part.question, place.part.module) for place in places()]
    forget()
    assert (page.title, page.question) == ("The first", "Why first_one?")
    assert seen == [
        ("first-one", "first_one", "Why first_one?", "viz.pages.topic.first_one"),
        ("first-one?part=second-one", "second_one", "Why second_one?", "viz.pages.topic.second_one"),
        ("first-one?part=third-one", "third_one", "Why third_one?", "viz.pages.topic.third_one"),
    ]


@pytest.mark.parametrize("place", places(), ids=lambda place: place.part.url_path)
def test_the_code_of_a_page_draws_it_where_it_is_run_and_that_of_a_further_part_is_imported(place: Place) -> None:
    code = place.part.path.read_text(encoding="utf-8")
    assert code.endswith(RUNS_ALONE) == (place.part == place.page.first), (
        f"the first part of a page, and no other, ends in {RUNS_ALONE}"
    )


def test_what_runs_alone_is_a_page_and_has_the_words_of_one() -> None:
    by_path = {place.part.path: place for place in places()}
    alone = [path for path in VIZ.glob("pages/*/*.py") if path.read_text(encoding="utf-8").endswith(RUNS_ALONE)]
    assert [path.name for path in alone if path not in by_path] == [], "its words have no '## section'"
    assert all(place.part.question for place in places())
    assert all(place.page.title for place in places())


def test_no_two_pages_of_a_section_and_no_two_parts_of_a_page_have_one_place() -> None:
    for name, pages in sections().items():
        assert len({page.order for page in pages}) == len(pages), name
        for page in pages:
            orders = [sections_in(ENGLISH, part.name)["order"] for part in page.parts[1:]]
            assert len({*orders}) == len(orders), page.url_path


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("section\nnowhere\n\n## order\n1", "'## section' is 'nowhere'; it must be one of ('start', "),
        ("section\nmemory\n\n## order\nlast", "'## order' is 'last'; it must be a number"),
        ("section\nmemory", "'## order' is ''; it must be a number"),
        ("part of\nother", "'## order' is ''; it must be a number"),
    ],
)
def test_a_place_that_is_none_names_the_file(
    place: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "pages" / "topic" / "words" / "en"
    folder.mkdir(parents=True)
    (folder / "one.md").write_text(f"# A\n\n## {place}\n", encoding="utf-8")
    monkeypatch.setattr(words, "_VIZ", tmp_path)
    forget()
    with pytest.raises(ValueError, match=re.escape(f"viz/pages/topic/words/en/one.md: {message}")):
        sections()
    monkeypatch.undo()
    forget()


@pytest.mark.parametrize("place", places(), ids=lambda place: place.part.url_path)
def test_a_link_to_a_place_keeps_its_page_and_its_query(place: Place) -> None:
    there = urlsplit(place.address_with({"text": "a b?"}))
    assert there.path == place.page.url_path
    assert dict(parse_qsl(there.query)) == {**place.query, "text": "a b?"}


@pytest.mark.parametrize("place", places(), ids=lambda place: place.part.url_path)
def test_the_address_of_a_part_leads_to_it(place: Place) -> None:
    assert moved_to(place.part.url_path, places(), ()) == place


@pytest.mark.parametrize(
    ("address", "parameters", "part"),
    [
        ("length-generalization", (), "cliff"),
        ("length-generalization", ("task", "encodings"), "cliff"),
        ("length-generalization", ("task", "encodings", "pin"), "race"),
        ("cliff", ("task", "encodings", "length"), "cliff"),
        ("cliff", ("task", "input"), "race"),
        ("cliff", ("pin", "beside", "head"), "race"),
        ("length-generalization", ("task", "reach-tau"), "edit-model"),
        ("length-generalization", ("probe-at",), "probes"),
        ("length-generalization", ("wear",), "checkpoints"),
        ("positional-encoding", (), "sinusoid"),
        ("positional-encoding", ("d_model", "position"), "sinusoid"),
        ("positional-encoding", ("sum_text",), "word-order"),
        ("positional-encoding", ("order_by", "d_model"), "word-order"),
        ("positional-encoding", ("claims_base",), "claims"),
        ("transformer-xl", (), "segments"),
        ("transformer-xl", ("text", "segment"), "segments"),
        ("transformer-xl", ("xl-place", "xl-changed"), "microscope"),
        ("transformer-xl", ("gain-b",), "terms"),
        ("transformer-xl", ("terms-segment",), "terms"),
        ("transformer-xl", ("shift-queries",), "shift"),
        ("transformer-xl", ("xl-seed",), "generation"),
        ("transformer-xl", ("hardest",), "context"),
        ("transformer-xl", ("close-up",), "results"),
        ("results", ("close-up",), "results"),
        ("results", ("hardest", "step"), "context"),
        ("", (), ""),
        ("", ("sentence",), ""),
        ("", ("text", "heads"), "translate"),
        ("translate", (), "translate"),
        ("translate", ("text", "search", "kind", "heads", "begin"), "translate"),
        ("translate", ("text", "search-tree"), "beam-search"),
        ("translate", ("why",), "beam-search"),
        ("translate", ("why", "instead"), "beam-search"),
        ("dot-product", (), "dot-product"),
        ("dot-product", ("X", "W_Q", "n_heads", "scale", "n_padding", "head"), "dot-product"),
        ("dot-product", ("kind", "layer", "head", "sentence", "decoding-seed", "head-keys"), "dot-product"),
        ("dot-product", ("X", "samples"), "scale"),
        ("dot-product", ("keys",), "scale"),
        ("dot-product", ("X", "seed"), "scale"),
        ("dot-product", ("hidden",), "scale"),
        ("dot-product", ("additive-seed",), "scale"),
        ("models-and-hooks", (), "models"),
        ("models-and-hooks", ("hook",), "hooks"),
    ],
)
def test_an_old_link_leads_to_the_part_whose_parameters_it_carries(
    address: str, parameters: tuple[str, ...], part: str
) -> None:
    meant = moved_to(address, places(), parameters)
    assert meant is not None
    assert meant.part.url_path == part
