"""Slips of translations: found where they are, and not where a good translation only looks like one."""

import pytest

from viz.pages.translate.study.records import LineToken
from viz.pages.translate.study.slips import Slip, mark_slips, slips

CASES = [
    ("English", "German", "The dog.", "Der Hund den Hund den Hund.", [("repeated", "Hund den")]),
    ("English", "German", "No, no, no!", "Nein, nein, nein!", []),
    ("English", "German", "WHERE ARE YOU GOING?", "WHERE ARE YOU GOING?", [("copied", "WHERE ARE YOU GOING")]),
    (
        "English",
        "German",
        "CC Committee: meets daily.",
        "CC Committee: meets daily.",
        [("copied", "CC Committee: meets daily")],
    ),
    ("English", "German", "I love you.", "Ich love you.", [("copied", "love you")]),
    ("English", "German", "Tom Miller is in Boston.", "Tom Miller ist in Boston.", []),
    ("English", "German", "The ticket costs 25 dollars.", "Das Ticket kostet 350 Dollar.", [("number", "25")]),
    ("English", "German", "It costs 300 dollars.", "Es kostet dreihundert Dollar.", []),
    ("English", "German", "It costs $5 or €7.", "Es kostet 5 oder 7.", [("currency", "$")]),
    ("English", "Japanese", "It costs $5 or £7.", "5ドルか7です。", [("currency", "£")]),
    ("English", "French", "It costs $5 or €7.", "Ça coûte 5 dollars ou 7 €.", []),
    ("English", "German", "I have 3 dogs.", "Ich habe drei Hunde.", []),
    ("English", "German", "It is 7:45 p.m.", "Es ist 19:45 Uhr.", []),
    ("English", "German", "It is 10,000.50.", "Es sind 10.000,50.", []),
    ("English", "German", "He didn't cross the street.", "Er überquerte die Straße.", [("negation", "didn't")]),
    ("English", "German", "I have no time.", "Ich habe keine Zeit.", []),
    ("English", "German", "You know him, don't you?", "Du kennst ihn, oder?", []),
    ("German", "English", "Ich habe keinen Hund.", "I have a dog.", [("negation", "keinen")]),
    ("French", "English", "Je ne l'ai pas vue.", "I saw her.", [("negation", "ne")]),
    ("English", "French", "I don't know.", "Je ne sais pas.", []),
    ("Japanese", "English", "彼は来ない。", "He will come.", [("negation", "ない")]),
    ("Japanese", "English", "彼は来るに違いない。", "He must come.", []),
    ("Japanese", "English", "１２３番です。", "It is number 123.", []),
    ("English", "German", "", "", []),
]


@pytest.mark.parametrize(("source_language", "target_language", "source", "translation", "expected"), CASES)
def test_slips_are_found(
    source_language: str, target_language: str, source: str, translation: str, expected: list[tuple[str, str]]
) -> None:
    found = slips(source, translation, source_language=source_language, target_language=target_language)
    assert [(slip.kind, slip.words) for slip in found] == expected


def test_the_tokens_of_a_slip_are_marked_and_no_others() -> None:
    labels, text = ["Ich", "lo", "ve", "you", "."], "Ich love you."
    tokens = [LineToken(label, True, 0.5, (), None) for label in labels]
    marked = mark_slips(tokens, text, [Slip("copied", "love you", 4, 12)])
    assert [token.is_slip for token in marked] == [False, True, True, True, False]
    assert not any(token.is_slip for token in mark_slips(tokens, text, []))
    assert not any(token.is_slip for token in mark_slips(tokens, text, [Slip("negation", "not")]))
