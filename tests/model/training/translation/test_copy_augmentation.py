"""Pairs to copy from: what stands on both sides is exchanged on both, and nothing else."""

import re

import pytest

from model.data.loading import Pair
from model.training.translation.copy_augmentation import CopyAugmentation

TOM = Pair("Tom has lived in Boston since 1997.", "Tom wohnt seit 1997 in Boston.")
PAIRS = [
    TOM,
    Pair("Mary is here.", "Mary ist hier."),
    Pair("The winter is cold.", "Der Winter ist kalt."),
    Pair("I paid 3.50 for 2 apples!", "Ich zahlte 3.50 für 2 Äpfel!"),
    Pair("John saw John.", "John sah John."),
    Pair("Bring a winter coat.", "Bring einen Wintermantel."),
    Pair("We bring it.", "Wir bringen es."),
    Pair("Gwendolyn met Alexander in Valparaiso.", "Gwendolyn traf Alexander in Valparaiso."),
]


def test_what_is_shared_stays_shared_and_the_rest_stays() -> None:
    seen = set()
    for seed in range(30):
        source, target = (getattr(CopyAugmentation(PAIRS, 1.0).varied(seed)[0], side) for side in ("source", "target"))
        found = re.match(r"(\S+) has lived in (\S+) since ([0-9]+)\b(.*)", source)
        assert found
        name, city, year, end = found.groups()
        assert target == f"{name} wohnt seit {year} in {city}{end}"
        seen.add((name, city, year))
    assert len(seen) == 30


def test_words_that_are_not_shared_or_stand_twice_or_are_no_names_stay() -> None:
    varied = CopyAugmentation(PAIRS, 1.0).varied(1)
    assert varied[2].source.startswith("The winter is cold")
    assert varied[2].target.startswith("Der Winter ist kalt")
    assert varied[4].source.startswith("John saw John")
    assert varied[5].source.startswith("Bring a winter coat")


def test_numbers_keep_their_form() -> None:
    for seed in range(30):
        pair = CopyAugmentation(PAIRS, 1.0).varied(seed)[3]
        assert re.match(r"I paid [1-9]\.[0-9]{2} for [1-9][0-9]? apples( \S+)?!( \S+)?$", pair.source)


def test_years_are_often_exchanged_for_other_years() -> None:
    years = [re.search(r"[0-9]+", CopyAugmentation(PAIRS, 1.0).varied(seed)[0].source)[0] for seed in range(100)]
    assert sum(year.startswith("19") for year in years) > 20
    assert len(set(years)) > 50


def test_what_has_a_number_comes_again_with_others() -> None:
    again = CopyAugmentation(PAIRS, 0.5).varied(1)[len(PAIRS) :]
    assert [pair.source.split()[-1] == "apples!" for pair in again] == [False] * 5 + [True] * 5
    assert not {"1997", "3.50"} & {number for pair in again for number in re.findall(r"[0-9.]*[0-9]", pair.source)}
    assert len({*again}) == 10


JAPANESE = [
    *[Pair(f"Tom is {age}.", f"\u30c8\u30e0\u306f{age}\u6b73\u3060\u3002") for age in "789"],
    Pair("I saw Tom in 1997.", "\u79c1\u306f\u30c8\u30e0\u3092\uff11\uff19\uff19\uff17\u5e74\u306b\u898b\u305f\u3002"),
    Pair("Gwendolyn met Alexander in Valparaiso.", "\u4f1a\u3063\u305f\u3002"),
    Pair("Tommy saw \uff26\uff22\uff29 agents.", "\u30c8\u30e0\u30df\u30fc\u306f\u898b\u305f\u3002"),
]


@pytest.mark.parametrize("is_turned", [False, True])
def test_beside_japanese_names_spelled_by_sound_and_numbers_of_any_width_are_exchanged(is_turned: bool) -> None:
    pairs = [Pair(pair.target, pair.source) for pair in JAPANESE] if is_turned else JAPANESE
    seen = set()
    for seed in range(30):
        pair = CopyAugmentation(pairs, 1.0).varied(seed)[3]
        english, japanese = (pair.target, pair.source) if is_turned else (pair.source, pair.target)
        found = re.match(r"I saw (\S+) in ([0-9]+)\b", english)
        assert found
        name, year = found.groups()
        assert japanese.startswith(f"\u79c1\u306f{name}\u3092{year}\u5e74\u306b\u898b\u305f")
        seen.add((name, year))
    assert len({name for name, _ in seen}) > 15
    assert len({year for _, year in seen}) > 15


def test_what_only_begins_like_a_name_in_japanese_stays_and_so_does_the_width_of_what_is_not_exchanged() -> None:
    found = CopyAugmentation(JAPANESE, 1.0).varied(1)[5]
    assert found.source.startswith("Tommy saw \uff26\uff22\uff29 agents")
    assert found.target.startswith("\u30c8\u30e0\u30df\u30fc\u306f\u898b\u305f")


def test_the_share_decides_how_many() -> None:
    many = [TOM] * 2000
    fewer, more = (CopyAugmentation(many, share).varied(1)[:2000] for share in (0.3, 0.4))
    years = sum("1997" not in pair.source for pair in fewer)
    added = sum(pair.source.count(" ") == TOM.source.count(" ") + 1 for pair in more)
    assert years == pytest.approx(600, abs=80)
    assert added == pytest.approx(200, abs=50)
    assert CopyAugmentation(many, 0.0).varied(1) == many


@pytest.mark.parametrize(("yes", "mark"), [("Ja", "."), ("\u306f\u3044", "\u3002")])
def test_what_is_added_stands_at_the_same_end_of_both(yes: str, mark: str) -> None:
    pairs = CopyAugmentation([Pair("Yes.", yes + mark)] * 400, 1.0).varied(1)
    assert any(not pair.source.startswith("Yes.") for pair in pairs)
    for pair in pairs:
        assert pair.target == re.sub(r"\.(?=$| )", mark, pair.source.replace("Yes", yes), count=1)


def test_the_seed_decides_all() -> None:
    copying = CopyAugmentation(PAIRS, 1.0)
    assert copying.varied(1) == CopyAugmentation(PAIRS, 1.0).varied(1)
    assert copying.varied(1) != copying.varied(2)
