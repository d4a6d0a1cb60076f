"""Names as Japanese spells them by their sound, told by how often they stand together."""

from model.data.loading import Pair
from model.training.translation.transliteration import find_transliterated

TOM, PARIS, FRANCE, YORK = (
    "\u30c8\u30e0",
    "\u30d1\u30ea",
    "\u30d5\u30e9\u30f3\u30b9",
    "\u30cb\u30e5\u30fc\u30e8\u30fc\u30af",
)
IN, LANGUAGE, TENNIS = "\u306b", "\u8a9e", "\u30c6\u30cb\u30b9"
PAIRS = [
    *[Pair(f"Tom {verb} here.", f"{TOM}\u306f{verb}\u3002") for verb in ("sat", "was", "ran", "ate")],
    *[Pair(f"We {verb} in Paris.", f"{PARIS}{IN}{verb}\u3002") for verb in ("sat", "were", "ran", "ate")],
    Pair("Tom sat in Paris.", f"{TOM}\u306f{PARIS}{IN}sat\u3002"),
    *[Pair(f"They {verb} French.", f"{FRANCE}{LANGUAGE}\u3092{verb}") for verb in ("speak", "know", "like", "read")],
    *[Pair(f"We {verb} in New York.", f"{YORK}{IN}{verb}") for verb in ("sat", "were", "ran", "ate")],
    *[Pair(f"Tennis {verb} fun.", f"{TENNIS}\u306f{verb}") for verb in ("is", "was", "seems", "stays")],
    Pair("She plays tennis.", f"{TENNIS}\u3092\u3059\u308b"),
    Pair("Anna came.", "\u30a2\u30f3\u30ca\u304c\u6765\u305f\u3002"),
]


def test_a_name_and_its_spelling_are_found_in_either_order() -> None:
    turned = [Pair(pair.target, pair.source) for pair in PAIRS]
    assert find_transliterated(PAIRS) == find_transliterated(turned) == {"Paris": PARIS, "Tom": TOM}


def test_what_has_a_small_form_or_stands_in_a_longer_name_or_word_or_is_rare_is_none() -> None:
    assert not {"French", "New", "York", "Tennis", "Anna", "They", "She"} & {*find_transliterated(PAIRS)}


def test_other_languages_have_none() -> None:
    assert find_transliterated([Pair("Tom is here.", "Tom ist hier.")] * 9) == {}
