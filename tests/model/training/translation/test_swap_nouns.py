"""Nouns to exchange: found in a corpus, exchanged for like ones on both sides, and nothing else with them."""

import re
from itertools import product

import pytest

from model.data.loading import Pair
from model.training.translation.swap_nouns import Noun, NounSwap, find_nouns

ANIMALS = {"dog": "\u72ac", "cat": "\u732b", "horse": "\u99ac", "lion": "\u30e9\u30a4\u30aa\u30f3"}
SHOES = {"shoes": "\u9774", "socks": "\u9774\u4e0b"}
UMBRELLAS = {"umbrella": "\u5098", "apartment": "\u30a2\u30d1\u30fc\u30c8"}
NOUNS = ANIMALS | SHOES | UMBRELLAS
GA, WO, HA, DESU, STOP = "\u304c", "\u3092", "\u306f", "\u3067\u3059", "\u3002"
SAW, HERE, QUICK = "\u898b\u305f", "\u3053\u3053\u3060", "\u5143\u6c17"


def article(noun: str) -> str:
    """Return what stands before ``noun``."""
    return {True: "the", False: "an" if noun in UMBRELLAS else "a"}[noun in SHOES]


def corpus() -> list[Pair]:
    """Sentences in which every noun does, is done to and is talked about, and an adjective that is like a noun."""
    pairs = [
        Pair(f"{NOUNS[who]}{GA}{NOUNS[what]}{WO}{SAW}{STOP}", f"{article(who)} {who} saw {article(what)} {what}.")
        for who, what in product(NOUNS, NOUNS)
        if who != what
    ]
    pairs += [Pair(f"{word}{HA}{HERE}{STOP}", f"Here sits {article(noun)} {noun}.") for noun, word in NOUNS.items()]
    return pairs + [Pair(f"{word}{HA}{QUICK}{DESU}{STOP}", f"My {noun} looks lively.") for noun, word in NOUNS.items()]


@pytest.fixture(scope="module", autouse=True)
def few_common_words() -> object:
    """Take fewer words for common ones than of a corpus of thousands of sentences."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("model.training.translation.swap_nouns._N_COMMON", 3)
        yield


def test_nouns_are_found_and_what_is_like_them_is_not() -> None:
    assert set(find_nouns(corpus())) == {Noun(*noun) for noun in NOUNS.items()}


@pytest.mark.parametrize("is_turned", [False, True])
def test_a_noun_is_exchanged_with_its_translation_for_one_of_the_same_form(is_turned: bool) -> None:
    pairs = [Pair(pair.target, pair.source) if is_turned else pair for pair in corpus()]
    exchange = NounSwap(pairs, 1.0)
    seen = set()
    for seed in range(20):
        for old, pair in zip(pairs, exchange.varied(pairs, seed), strict=True):
            japanese, english = (pair.target, pair.source) if is_turned else (pair.source, pair.target)
            words = [word for word in re.findall(r"\w+", english) if word in NOUNS]
            particles = (GA, WO) if len(words) == 2 else (HA,)
            places = [japanese.index(NOUNS[word] + mark) for word, mark in zip(words, particles, strict=True)]
            assert places == sorted(places)
            assert old not in exchange.varied([old], seed)
            for before, noun in re.findall(r"\b(a|an|the) (\w+)", english):
                assert before == article(noun)
            seen.update(words)
    assert seen == set(NOUNS)


def test_a_noun_that_stands_twice_or_has_another_translation_stays() -> None:
    exchange = NounSwap(corpus(), 1.0)
    others = [
        Pair(f"{NOUNS['dog']}{GA}{NOUNS['dog']}{WO}{SAW}{STOP}", "a dog saw a dog."),
        Pair(f"{NOUNS['dog']}{GA}{SAW}{STOP}", "a puppy saw."),
        Pair(f"{HERE}{STOP}", "Here sits a dog."),
        Pair("Der dog ist da.", "the dog is here."),
    ]
    for seed in range(10):
        assert exchange.varied(others, seed) == others


def test_singular_and_plural_are_exchanged_for_their_like_and_not_where_both_stand() -> None:
    plurals = [
        Pair(f"{word}{HA}{number}{HERE}{STOP}", f"The {noun}s sit there.")
        for noun, word in ANIMALS.items()
        for number in "12345"
    ]
    exchange = NounSwap([*corpus(), *plurals], 1.0)
    assert Noun("dogs", NOUNS["dog"]) in find_nouns([*corpus(), *plurals])
    both = Pair(f"{NOUNS['dog']}{HA}{SAW}{STOP}", "One dog saw the dogs.")
    for seed in range(10):
        for before, after in zip(plurals, exchange.varied(plurals, seed), strict=True):
            noun = re.findall(r"The (\w+) sit there", after.target)[0]
            japanese = SHOES[noun] if noun in SHOES else ANIMALS[noun.removesuffix("s")]
            assert after.source == before.source.replace(before.source.split(HA)[0], japanese)
            assert after != before
        assert exchange.varied([both], seed) == [both]


def test_what_has_a_rare_verb_comes_again_with_other_nouns() -> None:
    chases = Pair(f"{NOUNS['dog']}{WO}\u8ffd\u3044\u304b\u3051\u308b{STOP}", "He chases a dog.")
    keeps = [Pair(f"{word}{WO}\u98fc\u3046{STOP}", f"He keeps a {noun}.") for noun, word in ANIMALS.items()]
    known = [*keeps * 6, chases]
    exchange = NounSwap([*corpus(), *known], 0.0)
    varied = exchange.varied(known, 1)
    assert varied[: len(known)] == known
    assert len(varied) == len(known) + 3
    for pair in varied[len(known) :]:
        noun = pair.target.removeprefix("He chases a ").removesuffix(".")
        assert noun in {*ANIMALS} - {"dog"}
        assert pair.source == chases.source.replace(NOUNS["dog"], NOUNS[noun])


def test_two_nouns_that_are_alike_trade_places_half_of_the_time() -> None:
    exchange = NounSwap(corpus(), 1.0)
    pair = Pair(f"{NOUNS['dog']}{GA}{NOUNS['cat']}{WO}{SAW}{STOP}", "a dog saw a cat.")
    traded = Pair(f"{NOUNS['cat']}{GA}{NOUNS['dog']}{WO}{SAW}{STOP}", "a cat saw a dog.")
    unlike = Pair(f"{NOUNS['dog']}{GA}{NOUNS['shoes']}{WO}{SAW}{STOP}", "a dog saw the shoes.")
    found = [exchange.varied([pair, unlike], seed) for seed in range(300)]
    # By chance each takes the other's place in a ninth: there are three other animals.
    assert sum(one == traded for one, _ in found) == pytest.approx((1 / 2 + 1 / 18) * 300, rel=0.15)
    assert all("dog" not in other.target.split() for _, other in found)


def test_the_share_decides_how_many_and_the_seed_which() -> None:
    many = corpus() * 20
    exchange = NounSwap(many, 0.3)
    varied = exchange.varied(many, 1)
    n_changed = sum(after != before for after, before in zip(varied, many, strict=True))
    assert n_changed == pytest.approx(0.3 * len(many), rel=0.2)
    assert varied == NounSwap(many, 0.3).varied(many, 1)
    assert varied != exchange.varied(many, 2)
    assert NounSwap(many, 0.0).varied(many, 1) == many
