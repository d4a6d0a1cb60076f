"""The stepper's scripts ask for words that are there, and make no markup of a text."""

import re
from pathlib import Path

from viz.base.words import page_text
from viz.pages.transformer_xl.components import segment_stepper as package

SCRIPTS = {path.name: path.read_text(encoding="utf-8") for path in Path(package.__file__).parent.glob("*.js")}
# What a script puts in the place of a name.
PARTS = {"name": "segment|memory|deeper|lost|bits|flow|previous|next"}


def asked_for() -> list[re.Pattern[str]]:
    source = "\n".join(SCRIPTS.values())
    plain = re.findall(r"\bwords\.(\w+)|\bwords\[\"([^\"]+)\"\]", source)
    templates = re.findall(r"\bwords\[`([^`]+)`\]", source) + ["${name}"] * ("words[name]" in source)
    filled = [re.sub(r"\\\$\\\{(\w+)\\\}", lambda part: f"({PARTS[part[1]]})", re.escape(one)) for one in templates]
    return [re.compile(pattern) for pattern in (*(re.escape(first or second) for first, second in plain), *filled)]


def test_every_word_that_a_script_asks_for_is_there_and_none_is_left_over() -> None:
    words, patterns = page_text("pages/transformer_xl/segment_stepper"), asked_for()
    all_words = [*words, *page_text("base/lists")]
    assert [one.pattern for one in patterns if not any(one.fullmatch(word) for word in all_words)] == []
    assert [word for word in words if not any(one.fullmatch(word) for one in patterns)] == []


def test_scripts_make_no_markup_of_texts() -> None:
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b"
    assert {name: re.findall(forbidden, source) for name, source in SCRIPTS.items()} == {name: [] for name in SCRIPTS}
    assert not re.search(r"</script|<!--", package.SCRIPT, re.IGNORECASE)
