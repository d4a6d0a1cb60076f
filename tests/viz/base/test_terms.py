"""Each term has one form a language: those that docs/terms.md rules out stand nowhere in its words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from viz.base.languages import ENGLISH, LANGUAGES
from viz.base.words import sections_in, text_names

ROOT = Path(__file__).parents[3]
OTHERS = [language for language in LANGUAGES if language != ENGLISH]
ROW = re.compile(r"^\| (?P<english>.+?) \| (?P<form>.*?) \| (?P<forbidden>.*?) ?\| (?P<right>.*?) ?\|$", re.MULTILINE)
CODE = re.compile(r"`([^`]+)`")
NOT_READ = re.compile(r"^#+ .*$|\$\$.*?\$\$|\$[^$\n]*\$|`[^`\n]*`|(?<=\])\([^)\n]*\)|https?://\S+", re.MULTILINE)


@dataclass(frozen=True)
class Term:
    """One row of the table: a term, its form, the expressions that are not used, and the texts that may hold them."""

    english: str
    form: str
    forbidden: tuple[str, ...]
    right: tuple[tuple[str, str], ...] = ()

    def wrong_in(self, file: str, text: str) -> list[str]:
        """Return what stands in ``text``, that of ``file``, in a form that is not used."""
        for name, allowed in self.right:
            text = text.replace(allowed, "") if name == file else text
        read = NOT_READ.sub("", text)
        return [match[0] for form in self.forbidden for match in re.finditer(form, read, re.MULTILINE)]


@cache
def terms(language: str) -> tuple[Term, ...]:
    """Return the rows of the table of ``language``."""
    tables = (ROOT / "docs/terms.md").read_text(encoding="utf-8")
    table = tables.partition(f"\n## {language}\n")[2].partition("\n## ")[0]
    rows = [*ROW.finditer(table.replace(r"\|", "\0"))][1:]
    return tuple(
        Term(
            row["english"],
            row["form"],
            tuple(form.replace("\0", "|") for form in CODE.findall(row["forbidden"])),
            tuple((file, text) for file, _, text in (right.partition(": ") for right in CODE.findall(row["right"]))),
        )
        for row in rows
    )


def files(language: str) -> Iterator[Path]:
    """Yield the files that a reader of ``language`` sees words of."""
    yield ROOT / ("README.md" if language == ENGLISH else f"README.{language}.md")
    yield from sorted((ROOT / "viz").rglob(f"words/{language}/*.md"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_form_stands_in_the_words_that_is_not_used(language: str) -> None:
    wrong = {
        (file.relative_to(ROOT).as_posix(), term.english): forms
        for file in files(language)
        for term in terms(language)
        if (forms := term.wrong_in(file.stem, file.read_text(encoding="utf-8")))
    }
    assert wrong == {}


@pytest.mark.parametrize("language", OTHERS)
def test_terms_of_the_glossary_have_the_forms_of_the_table(language: str) -> None:
    forms = {term.english: term.form for term in terms(language)}
    named = sections_in(language, "base/terms")
    assert {key: forms.get(key) for key in named} == dict(named)
    assert {*sections_in(ENGLISH, "base/glossary")} <= {*forms}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_term_is_listed_once_and_its_form_is_not_forbidden(language: str) -> None:
    rows = terms(language)
    assert len({term.english for term in rows}) == len(rows)
    assert {(term.english, form) for term in rows for form in term.forbidden if re.search(form, term.form)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_in_which_a_form_is_right_are_there(language: str) -> None:
    texts = [(file.stem, file.read_text(encoding="utf-8")) for file in files(language)]
    rights = [right for term in terms(language) for right in term.right]
    assert [
        (name, right) for name, right in rights if not any(right in text for file, text in texts if file == name)
    ] == []


def test_a_planted_form_is_seen_but_not_in_code_formulas_fields_and_addresses() -> None:
    term = Term("induction", "インダクション", ("誘導",), (("heads", "誘導電流"),))
    assert term.wrong_in("heads", "誘導スコアと誘導電流") == ["誘導"]
    assert term.wrong_in("cliff", "誘導電流") == ["誘導"]
    assert term.wrong_in("heads", "## 誘導\n`誘導` $誘導$ [インダクション](誘導)") == []


@pytest.mark.parametrize(
    ("language", "sought"),
    [
        ("ja", ("位置エンコーディング", "スケール化内積注意", "長さ汎化")),
        ("ko", ("위치 인코딩", "스케일드 닷 프로덕트 어텐션", "길이 일반화", "논문 함께 읽기")),
    ],
)
def test_what_a_reader_looks_for_is_in_the_menu(language: str, sought: tuple[str, ...]) -> None:
    titles = [sections_in(language, name).get("title", "") for name in text_names() if name.startswith("pages/")]
    assert [name for name in sought if not any(name in title for title in titles)] == []
