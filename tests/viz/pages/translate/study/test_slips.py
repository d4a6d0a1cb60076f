"""Slips of translations: found where they are, and not where a good translation only looks like one."""

import random
from itertools import cycle, product

import pytest

from viz.pages.translate.study.records import LineToken, SourceToken
from viz.pages.translate.study.slips import Slip, mark_slips, mark_source, slips

NUMBERS = ("number", "new number")
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
    (
        "English",
        "German",
        "The ticket costs 25 dollars.",
        "Das Ticket kostet 350 Dollar.",
        [("number", "25"), ("new number", "350")],
    ),
    ("English", "German", "It costs 300 dollars.", "Es kostet dreihundert Dollar.", []),
    ("English", "German", "It costs $5 or €7.", "Es kostet 5 oder 7.", [("currency", "$")]),
    ("English", "Japanese", "It costs $5 or £7.", "5ドルか7です。", [("currency", "£")]),
    ("English", "French", "It costs $5 or €7.", "Ça coûte 5 dollars ou 7 €.", []),
    ("Japanese", "English", "\uffe55000です。", "It is 5000 dollars.", [("currency", "¥")]),
    ("English", "German", "It costs ₩5000 or ₹7.", "Es kostet 5000 Won oder 7.", [("currency", "₹")]),
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


# What has the value, in digits of other marks or in words: nothing is lost.
KEPT = [
    (
        "English",
        "German",
        "1,000,000 people, 1 000 000 and 1'000'000.",
        "1.000.000 Menschen, 1 Million und eine Million.",
    ),
    ("English", "French", "It is 12,500.75 or 3.5.", "C'est 12 500,75 ou 3,5."),
    ("English", "French", "The 1,234,567th.", "Le 1 234 567e."),
    ("German", "English", "Es kostet 75,5 Euro.", "It costs 75.5 euros."),
    ("German", "English", "8'700'000 und 1.249,90", "8.7 million and 1,249.90"),
    ("German", "English", "Um 20.15 Uhr, um halb neun, Viertel vor eins.", "At 8:15, at 8:30, at 12:45."),
    ("German", "English", "Am 3.5.1987 und am 25.8. kam er.", "He came on May 3, 1987 and on August 25th."),
    ("French", "English", "J'ai soixante-dix-sept livres.", "I have 77 books."),
    (
        "English",
        "French",
        "I am 97, he is 71 and she 80.",
        "J'ai quatre-vingt-dix-sept ans, lui soixante et onze, elle quatre-vingts.",
    ),
    ("English", "German", "It takes 121 days, 2.5 hours.", "Es dauert hunderteinundzwanzig Tage, zweieinhalb Stunden."),
    ("English", "German", "On the 3rd floor, the 21st time.", "Im dritten Stock, das einundzwanzigste Mal."),
    ("English", "Japanese", "It costs 25,000 yen for 12.", "12人で2万5千円です。"),
    ("English", "Japanese", "3 dogs, 21 cats.", "犬三匹、猫二十一匹。"),
    ("Japanese", "English", "\uff12、\uff13日待った。", "I waited for a few days."),
    ("Japanese", "English", "人口は100万人です。", "The population is one million."),
    ("English", "Korean", "I have 12 apples and 3 dogs, 25 won.", "사과 열두 개와 개 세 마리, 이십오 원."),
    ("English", "German", "Both men have a pair.", "Zwei Männer haben ein Paar."),
    ("English", "French", "In the 19th century, World War II.", "Au XIXe siècle, la Seconde Guerre mondiale."),
    (
        "English",
        "German",
        "Write to anna.k@example.org or @anna, read a.pdf on www.example.com/x?a=3.",
        "www.example.com/x?a=3 a.pdf @anna anna.k@example.org",
    ),
    ("English", "German", "Meet me at 7:00.", "Triff mich um 19 Uhr."),
    ("English", "German", "It has 12,34,567 people, 1,00,000 cars.", "Es hat 1.234.567 Leute, 100.000 Autos."),
    ("English", "German", "I drank 3\u00bd cups and \u00bd litre.", "Ich trank 3,5 Tassen und einen halben Liter."),
    ("English", "German", "I drank 3\u00bd cups, 3\u00be hours.", "Ich trank dreieinhalb Tassen, 3 3/4 Stunden."),
    ("English", "French", "1/2 or 3 1/4 of it.", "0,5 ou 3,25."),
    ("English", "German", "\u00be of them, \u00bc of us", "0,75 von ihnen, ein Viertel von uns"),
    ("English", "German", "On 3/5/2024, 24/7.", "Am 3.5.2024, 24/7."),
    ("English", "German", "It is 10\u207b\u00b3 or 10\u2078.", "Es ist 10^-3 oder 10\u2078."),
    ("English", "German", "5 m\u00b2 of grass.", "5 Quadratmeter Gras."),
    ("English", "German", "It is -5 degrees, \u221212 at night.", "Es ist minus 5 Grad, minus zwölf in der Nacht."),
    ("French", "English", "Il faut au moins cinq jours ; il fait moins 5.", "It takes at least five days; it is -5."),
    ("English", "French", "It is 5 degrees below zero.", "Il fait -5 degrés."),
    ("Japanese", "English", "氷点下5度、マイナス3度。", "It is -5 degrees, minus 3 degrees."),
    (
        "English",
        "German",
        "3-4 people, 10\u201312 dogs, 7 - 5, seven minus five.",
        "3-4 Leute, 10-12 Hunde, 7 minus 5, 7 - 5.",
    ),
    ("English", "German", "$1.5M, 2k, 3bn.", "1,5 Millionen Dollar, 2000, 3 Milliarden."),
    ("English", "German", "$5k, a 10K run, 5 m long.", "5000 Dollar, ein Lauf von 10 km, 5 m lang."),
    ("English", "German", "Louis XIV in chapter IX.", "Ludwig der Vierzehnte in Kapitel 9."),
    ("French", "English", "Au XVIIIe siècle, Louis XIV.", "In the 18th century, Louis XIV."),
    ("English", "German", "I VISIT XII OF II.", "ICH BESUCHE."),
]
# What has another value, or none.
LOST = [
    ("English", "German", "I have 1,000,000 friends.", "Ich habe tausend Freunde.", ["1,000,000"], ["tausend"]),
    ("English", "German", "I have 1 000 000 friends.", "Ich habe 1000 Freunde.", ["1 000 000"], ["1000"]),
    ("English", "German", "I have 1'000'000 friends.", "Ich habe 1000 Freunde.", ["1'000'000"], ["1000"]),
    ("German", "English", "1.000.000", "1,000", ["1.000.000"], ["1,000"]),
    ("German", "English", "Der Berg ist 2.962 Meter hoch.", "The mountain is 2.962 meters high.", ["2.962"], ["2.962"]),
    ("German", "English", "Es kostet 75,5 Euro.", "It cost 75, 75 euros.", ["75,5"], ["75", "75"]),
    ("English", "German", "3, 7, 12.", "3, 12, 12.", ["7"], ["12"]),
    ("English", "German", "I have 7 dogs.", "Ich habe Hunde.", ["7"], []),
    ("English", "German", "I have 3 dogs.", "Ich habe vier Hunde.", ["3"], ["vier"]),
    ("English", "German", "I have three dogs.", "Ich habe vier Hunde.", ["three"], ["vier"]),
    ("English", "German", "I have 12 dogs.", "Ich habe zwanzig Hunde.", ["12"], ["zwanzig"]),
    ("Japanese", "English", "12匹の犬がいます。", "I have two dogs.", ["12"], ["two"]),
    ("Japanese", "English", "2万5千円です。", "It's 25 yen.", ["2万5千"], ["25"]),
    ("English", "Japanese", "He was born on May 3, 1990.", "彼は1990年3日に生まれた。", ["May"], []),
    ("German", "English", "Ich komme um halb neun.", "I'll come at nine-thirty.", ["neun"], ["nine"]),
    ("French", "English", "Il a soixante-dix ans.", "He is sixty.", ["soixante-dix"], ["sixty"]),
    ("English", "German", "No number.", "Zimmer 5.", [], ["5"]),
    ("English", "German", "It has 12,34,567 people.", "Es hat 1234,567 Leute.", ["12,34,567"], ["1234,567"]),
    ("English", "German", "I drank 3\u00bd cups.", "Ich trank 3 Tassen.", ["3\u00bd"], ["3"]),
    ("English", "German", "I drank \u00bd litre.", "Ich trank einen Liter.", ["\u00bd"], []),
    ("English", "German", "It is 10\u207b\u00b3.", "Es ist 103.", ["10", "\u207b\u00b3"], ["103"]),
    ("English", "German", "It is 10\u2078.", "Es ist 10.", ["\u2078"], []),
    ("English", "German", "It is -5 degrees.", "Es ist 5 Grad.", ["-5"], ["5"]),
    ("English", "German", "It is 5 degrees.", "Es ist -5 Grad.", ["5"], ["-5"]),
    ("English", "German", "It is -5 °C.", "Es ist -5 -5°C.", [], ["-5"]),
    ("Japanese", "English", "氷点下5度です。", "It is 5 degrees.", ["氷点下5"], ["5"]),
    ("English", "German", "Henry VIII died.", "Heinrich starb.", ["VIII"], []),
    ("English", "German", "$1.5M", "1,5 Milliarden Dollar", ["1.5"], ["1,5 Milliarden"]),
]
BROKEN = [
    (
        "Write to anna.k@example.org today.",
        "Schreiben Sie heute an nacha.k@exam.org.",
        "anna.k@example.org",
        "anna.k@example",
    ),
    ("See https://example.org/a/b?x=3 now.", "Siehe https://example.org/a.", "https://example.org/a/b?x=3", "b?x=3"),
    ("Follow @anna_k.", "Folgen Sie @anna.", "@anna_k", "k"),
    ("I like #cats2.", "Ich mag # cats2.", "#cats2", "#cats2"),
    ("Open report.pdf.", "Öffne Bericht.pdf.", "report.pdf", "report"),
    ("Go to Example.com.", "Geh zu exampl.com.", "Example.com", "Example"),
]


@pytest.mark.parametrize(("source_language", "target_language", "source", "translation"), KEPT)
def test_a_number_of_the_same_value_is_no_slip(
    source_language: str, target_language: str, source: str, translation: str
) -> None:
    found = slips(source, translation, source_language=source_language, target_language=target_language)
    assert [slip for slip in found if slip.kind in NUMBERS] == []


@pytest.mark.parametrize("case", LOST)
def test_every_number_of_another_value_is_named_at_its_place(
    case: tuple[str, str, str, str, list[str], list[str]],
) -> None:
    source_language, target_language, source, translation, missing, new = case
    found = slips(source, translation, source_language=source_language, target_language=target_language)
    assert [source[slip.source_start : slip.source_stop] for slip in found if slip.kind == "number"] == missing
    assert [translation[slip.start : slip.stop] for slip in found if slip.kind == "new number"] == new
    assert [slip.words for slip in found if slip.kind in NUMBERS] == missing + new


@pytest.mark.parametrize(("source", "translation", "address", "part"), BROKEN)
def test_of_a_broken_address_the_lost_part_is_marked(source: str, translation: str, address: str, part: str) -> None:
    (slip,) = slips(source, translation, source_language="English", target_language="German")
    assert (slip.kind, slip.words) == ("address", address)
    assert source[slip.source_start : slip.source_stop] == part


def test_any_text_has_slips_or_none() -> None:
    languages = ["English", "German", "French", "Japanese", "Korean"]
    marks = [
        *"0123456789.,:/' -@#九十万열",
        *"\u00a0\u202f",
        " two ",
        "zwei ",
        "halb ",
        "mille ",
        " million",
        "Uhr",
        "h",
    ]
    rng = random.Random(0)
    for _ in range(300):
        source, translation = ("".join(rng.choices(marks, k=30)) for _ in range(2))
        source_language, target_language = rng.choices(languages, k=2)
        for slip in slips(source, translation, source_language=source_language, target_language=target_language):
            assert slip.words, (source, translation)


# Words are of a language, and digits of all of them: each language has some.
@pytest.mark.parametrize(
    ("digit", "language"),
    [
        *zip("09٣\uff19²⁹½⅓IX", cycle(["English", "German", "French", "Japanese", "Korean"]), strict=False),
        *product("一万億", ["English", "Japanese", "Korean"]),
    ],
)
def test_a_number_of_any_length_has_slips_or_none(digit: str, language: str) -> None:
    endings = ("", "s", "'s", "er", "k", " million", "⁹", "⁻⁹", "/0", " 1/0", "万", "億", "千", "h", " Uhr", "e9")
    for n, mark, ending in product((4, 36), ("", ".", " "), endings):
        number = mark.join([digit * 3] * (n // 3)) if mark else digit * n
        for one in (f"It is {number}{ending}.", f"minus -{number}{ending}"):
            slips(one, "It is 7.", source_language=language, target_language="English")
            slips("It is 7.", one, source_language="English", target_language=language)


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


def test_the_tokens_of_the_source_that_are_lost_are_marked() -> None:
    tokens = [SourceToken(label, True) for label in ["I", "have", "1,", "000", "dogs", "."]]
    marked = mark_source(tokens, "I have 1,000 dogs.", [Slip("number", "1,000", source_start=7, source_stop=12)])
    assert [token.is_slip for token in marked] == [False, False, True, True, False, False]
