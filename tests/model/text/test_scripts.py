"""The script of a text."""

import pytest

from model.text.languages import LANGUAGES, identify_language
from model.text.scripts import CHINESE, main_script


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("I read \u30ab.", "LATIN"),
        ("\ufb01ne \uff21\uff22", "LATIN"),
        ("나는 학교에 간다.", "HANGUL"),
        ("犬が猫を追いかける。", "HIRAGANA"),
        ("東京 2020", "CJK"),
        ("日本語学校", "CJK"),
        ("你喜欢猫吗?", CHINESE),
        ("我喜歡這本書", CHINESE),
        ("东京是日本的首都", CHINESE),
        ("缓缓走来", CHINESE),
        ("髙﨑氏𠮟責、凜々", "CJK"),
        ("彼女は你好と言った。", "CJK"),
        ("Apple에서 일해요.", "HANGUL"),
        ("BMWを買った。", "HIRAGANA"),
        ("1 + 2 = 3 😀", None),
        ("", None),
    ],
)
def test_the_script_of_most_letters_is_told(text: str, script: str | None) -> None:
    assert main_script(text) == script


@pytest.mark.parametrize("text", ["나는 학교에 간다.", "Я читаю книгу.", "你喜欢猫吗?"])
def test_no_language_is_identified_that_is_not_written_so(text: str) -> None:
    assert identify_language(text, LANGUAGES, at_least=0) is None
