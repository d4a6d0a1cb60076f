"""What a language has is as in English: files, keys, fields, links and lines. What it lacks is told, and in English."""

import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from threading import Barrier

import pytest

import viz
from viz.base import words
from viz.base.languages import ENGLISH, LANGUAGES, in_language, language
from viz.base.words import between, ended, listed, listed_apart, page_text, paragraph, sections_in, text_names

VIZ = Path(viz.__file__).parent
OTHERS = [name for name in LANGUAGES if name != ENGLISH]
# A language that is begun may lack some.
COMPLETE = {"ja", "ko"}
# Other languages alone have something to say there.
NAMES_ALONE = {"base/terms", "shared/model_words"}
# Labels of tokens are alike in every language.
ALIKE = {"base/tokens"}
# What the code reads, and nobody sees.
NOT_WORDS = {"section", "part of", "order", "old links"}
# What these join is ids, or numbers to type.
NO_LIST_OF_WORDS = {"pages/dot_product/dot_product.py", "shared/translation.py"}
# The shape of an array in NumPy's file, and numbers to type.
NO_LIST_OF_WORDS_IN_THE_BROWSER = {
    "components/browser/save.js",
    "pages/dot_product/components/matrix_editor/main.js",
}
# What a link may carry is a list of ids.
NO_IDS = "".join(rf"(?<!\b{name})" for name in ("names", "known", "there", "allowed", "options"))
HEADING = re.compile(r"^(#{2,3}) (.+)$", re.MULTILINE)
FIELD = re.compile(r"(?<![\\$])(?<!\\text)(?<!\\text\{)\{[a-z_0-9]*(?:[:!.][^{}$]*)?\}")
FORMULA = re.compile(r"\$[^$\n]+\$")
CODE = re.compile(r"`[^`\n]+`")
QUOTED = "*「」\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}"
LINK = re.compile(r"\[(?P<label>[^\[\]]*)\]\((?P<address>[^)\"]+)\)")


def sections(reading: str, name: str) -> dict[str, str] | None:
    folder, _, file = name.rpartition("/")
    path = VIZ / folder / "words" / reading / f"{file}.md"
    if not path.is_file():
        return None
    found, parent = {}, ""
    content = path.read_text(encoding="utf-8")
    headings = [*HEADING.finditer(content)]
    ends = [*(heading.start() for heading in headings[1:]), len(content)]
    for heading, end in zip(headings, ends, strict=False):
        parent = heading[2].strip() if heading[1] == "##" else parent
        key = parent if heading[1] == "##" else f"{parent}/{heading[2].strip()}"
        found[key] = content[heading.end() : end].strip()
    return found


def skeleton(text: str) -> dict[str, object]:
    """Return what a text has in every language: fields, code, addresses, and how many formulas and lines."""
    links = (
        f"term:{found['label']}" if found["address"] == "term" else found["address"] for found in LINK.finditer(text)
    )
    return {
        "fields": {*FIELD.findall(text)},
        "code": {*CODE.findall(text)},
        "addresses": {*links},
        "formulas": len(FORMULA.findall(text)),
        "lines": len(text.splitlines()),
    }


@pytest.mark.parametrize("reading", OTHERS)
def test_a_text_has_the_keys_fields_and_links_of_english(reading: str) -> None:
    faults = []
    for name in text_names():
        english, own = sections(ENGLISH, name), sections(reading, name)
        assert english is not None
        if own is None or name in NAMES_ALONE:
            continue
        if [*own] != [key for key in english if key in own]:
            faults.append((name, "keys", [*own]))
        for key in own.keys() & english.keys():
            if skeleton(own[key]) != skeleton(english[key]):
                faults.append((name, key, skeleton(own[key]), skeleton(english[key])))
            if key in NOT_WORDS and own[key] != english[key]:
                faults.append((name, key, own[key], english[key]))
    assert faults == []


@pytest.mark.parametrize("reading", OTHERS)
def test_there_is_no_file_that_english_has_not(reading: str) -> None:
    files = {(path.parents[2] / path.stem).relative_to(VIZ).as_posix() for path in VIZ.rglob(f"words/{reading}/*.md")}
    assert files <= {*text_names()}


@pytest.mark.parametrize("reading", OTHERS)
def test_names_of_terms_are_those_of_the_glossary(reading: str) -> None:
    assert {*(sections(reading, "base/terms") or {})} <= {*page_text("base/glossary")}


@pytest.mark.parametrize("name", sorted(NAMES_ALONE))
def test_what_english_has_in_the_code_has_the_same_keys_in_all_other_languages(name: str) -> None:
    keys = {reading: {*(sections(reading, name) or {})} for reading in OTHERS}
    every = {key for own in keys.values() for key in own}
    assert {reading: every - own for reading, own in keys.items() if every - own} == {}


@pytest.mark.parametrize("reading", OTHERS)
def test_a_link_with_the_title_of_its_page_has_it_in_every_language(reading: str) -> None:
    pages = {name.rpartition("/")[2].replace("_", "-"): name for name in text_names() if name.startswith("pages/")}
    others = []
    for text in text_names():
        own = sections_in(reading, text)
        for key, section in sections_in(ENGLISH, text).items():
            links = {(found["address"], found["label"].strip(QUOTED)) for found in LINK.finditer(own[key])}
            for label, address in LINK.findall(section):
                page = pages.get(re.split("[?#]", address)[0], "")
                title = page and sections_in(ENGLISH, page).get("title")
                if title == label.strip(QUOTED) and (address, sections_in(reading, page)["title"]) not in links:
                    others.append(f"{text}: {key}: {address}")
    assert others == []


@pytest.mark.parametrize("reading", OTHERS)
def test_what_is_not_translated_yet_is_told(reading: str) -> None:
    lacking = {}
    for name in text_names():
        missing = {*(sections(ENGLISH, name) or {})} - {*(sections(reading, name) or {})}
        if missing and name not in ALIKE | NAMES_ALONE:
            lacking[name] = sorted(missing)
    assert not lacking or reading not in COMPLETE, lacking
    if lacking:
        told = "; ".join(f"{name}: {', '.join(keys)}" for name, keys in lacking.items())
        pytest.skip(f"{LANGUAGES[reading]} lacks {told}")


@pytest.fixture
def two_languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mapping[str, str]:
    for name, content in {
        "base/words/en/glossary.md": "## head\nA part.\n\n[A](a)\n",
        "base/words/ja/glossary.md": "## head\n部品。\n\n[A](a)\n",
        "base/words/en/page.md": "## a\nOne\n\n## b\nTwo [head](term)\n",
        "base/words/ja/page.md": "## b\n二 [ヘッド](term:head)\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.setattr(words, "_VIZ", tmp_path)
    words.sections_in.cache_clear()
    yield page_text("base/page")
    words.sections_in.cache_clear()


def test_words_are_looked_up_in_the_language_of_the_moment(two_languages: Mapping[str, str]) -> None:
    assert two_languages["b"] == 'Two [head](glossary#head "A part.")'
    with in_language("ja"):
        assert two_languages["b"] == '二 [ヘッド](glossary#head "部品。")'
        with in_language("ko"):
            assert two_languages["b"].startswith("Two")
    assert language() == ENGLISH


def test_what_a_language_lacks_is_in_english(two_languages: Mapping[str, str]) -> None:
    with in_language("ja"):
        assert [*two_languages] == ["a", "b"]
        assert two_languages["a"] == "One"


def test_a_line_break_within_a_japanese_paragraph_is_no_blank() -> None:
    blocks = "\n\n- 表です。\n- 式です。\n\n| 行。 |\n|---|\n\n式は、\n$$a$$\n# 題"
    text = {
        "text": f"列を見ます。\n`)NP`は、\n  1つの単語です。{blocks}",
        "list": "犬。\n猫。",
        "korean": "행을 봅니다.\n열은 단어입니다.",
    }
    page = words.PageText("page", lambda: text)
    assert page["text"] == f"列を見ます。`)NP`は、1つの単語です。{blocks}"
    assert page["korean"] == text["korean"]
    assert page.lines("list") == ["犬。", "猫。"]


def test_no_japanese_paragraph_has_a_blank_from_a_line_break() -> None:
    begins_a_block = re.compile(r"[-|#>]|\$\$|```|\d+\. ")
    with in_language("ja"):
        broken = {
            (name, key): after
            for name in text_names()
            for key, section in page_text(name).items()
            for after in re.findall(r"[。、]\n[ \t]*(\S.*)", section)
            if not begins_a_block.match(after)
        }
    assert broken == {}


def test_no_japanese_sentence_or_bracket_is_followed_by_a_blank() -> None:
    japanese = r"[\u3041-\u30ff\u4e00-\u9fff\u300c\uff08]"
    blanks = {
        f"{path.relative_to(VIZ).as_posix()}: {blank[0]}"
        for path in VIZ.rglob("words/ja/*.md")
        for blank in re.finditer(
            rf".{{0,20}}[\u3001\u3002\u300d\uff09](?:\*\*)? {japanese}.{{0,10}}", path.read_text("utf-8")
        )
    }
    assert blanks == set()


def test_eight_visitors_at_once_read_their_own_language(two_languages: Mapping[str, str]) -> None:
    together = Barrier(8)

    def visit(reading: str) -> set[str]:
        with in_language(reading):
            together.wait()
            return {two_languages["b"][:1] for _ in range(2_000)}

    readings = [*islice(cycle(("ja", "en")), 8)]
    with ThreadPoolExecutor(8) as visitors:
        assert [*visitors.map(visit, readings)] == [{"二" if reading == "ja" else "T"} for reading in readings]


def test_a_list_is_written_as_the_language_does() -> None:
    assert listed(["a", "b", "c"]) == "a, b, c"
    assert listed([]) == listed_apart([]) == paragraph([]) == ""
    assert listed_apart(["a, b", "c"]) == "a, b; c"
    with in_language("ja"):
        assert listed(["a", "b", "c"]) == "a、b、c"
        assert listed_apart(["a、b", "c"]) == "a、b\uff1bc"


def test_sentences_stand_one_after_the_other_as_the_language_does() -> None:
    assert paragraph(["A.", "", "B."]) == "A. B."
    with in_language("ja"):
        assert paragraph(["甲。", "", "乙。"]) == "甲。乙。"
    with in_language("ko"):
        assert paragraph(["가.", "나."]) == "가. 나."


def test_a_sentence_ends_as_the_language_does() -> None:
    ends = {}
    for reading in LANGUAGES:
        with in_language(reading):
            ends[reading] = ended("X")
    assert ends == {"en": "X.", "ja": "X。", "ko": "X."}


def test_a_range_is_written_as_the_language_does() -> None:
    ranges = {}
    for reading in LANGUAGES:
        with in_language(reading):
            ranges[reading] = between(2, 8)
    assert ranges == {"en": "2 – 8", "ja": "2〜8", "ko": "2\N{TILDE OPERATOR}8"}


def test_no_list_on_the_screen_has_the_marks_of_english_from_the_code() -> None:
    joins = {
        path.relative_to(VIZ).as_posix()
        for folder in ("figures", "pages", "shared", "shell")
        for path in (VIZ / folder).rglob("*.py")
        if re.search(r"""["'][;,] ["']\.join\(""", path.read_text(encoding="utf-8"))
    }
    assert {path for path in joins if "/study/" not in path} == NO_LIST_OF_WORDS


def test_no_sentence_follows_another_with_the_blank_of_english_from_the_code() -> None:
    blanks = [
        f"{path.relative_to(VIZ).as_posix()}: {line.strip()}"
        for folder in ("figures", "pages", "shared", "shell")
        for path in (VIZ / folder).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"""\bf["'].*\} \{(?:TEXT|WORDS)\[""", line)
    ]
    assert blanks == []


def test_no_list_in_the_browser_has_the_marks_of_english_from_the_script() -> None:
    joins = {
        path.relative_to(VIZ).as_posix()
        for path in VIZ.rglob("*.js")
        if "vendor" not in path.parts and re.search(rf"""{NO_IDS}\.join\(["'`][;,] ["'`]\)""", path.read_text())
    }
    assert joins == NO_LIST_OF_WORDS_IN_THE_BROWSER
