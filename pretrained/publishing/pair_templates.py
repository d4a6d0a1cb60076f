"""Templates of minimal pairs, English to German: two sources that differ in a word, and the German words that must too.

A template is one entry of :data:`TEMPLATES`. Its texts have fields such as ``{a}``, which every combination of its
lists fills in; ``{a.the}`` is a property of what stands there. A ``|`` separates words that are equally right.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class TemplateNoun:
    """An English noun with its German translation, that one's article in the nominative, and the English plural."""

    english: str
    german: str
    the: str
    plural: str = ""

    def __str__(self) -> str:
        """The English noun, which a field alone is filled with."""
        return self.english

    @property
    def many(self) -> str:
        """The English plural, a regular one where none is given."""
        return self.plural or f"{self.english}s"


@dataclass(frozen=True)
class Phrase:
    """English words and their German translation; both in another form too, such as a verb's past tense."""

    english: str
    german: str
    other: str = ""
    german_other: str = ""

    def __str__(self) -> str:
        """The English words, which a field alone is filled with."""
        return self.english


Filling = TemplateNoun | Phrase | str


@dataclass(frozen=True)
class Template:
    """Minimal pairs of one phenomenon.

    Attributes:
        name: the phenomenon.
        sources: the clean and the corrupted source.
        expected: the German word of either at the step at which the two translations part.
        lists: what the fields are filled with.
        begun: how each translation begins; both run on by themselves where it is empty.
    """

    name: str
    sources: tuple[str, str]
    expected: tuple[str, str]
    lists: Mapping[str, Sequence[Filling]]
    begun: tuple[str, str] = field(default=("", ""))


@dataclass(frozen=True)
class TemplatePair:
    """A pair of a template: sources, beginnings of their translations, and the words that are right for each."""

    sources: tuple[str, str]
    begun: tuple[str, str]
    expected: tuple[tuple[str, ...], tuple[str, ...]]


def candidates(template: Template) -> Iterator[TemplatePair]:
    """Return all pairs of ``template`` whose right words differ, in an order that is drawn at random once."""
    lists = [*template.lists.values()]
    sizes = tuple(map(len, lists))
    for place in np.random.default_rng(0).permutation(int(np.prod(sizes))):
        chosen = (entries[index] for entries, index in zip(lists, np.unravel_index(place, sizes), strict=True))
        filled = dict(zip(template.lists, chosen, strict=True))
        (a, b), (x, y), (one, other) = (
            tuple(text.format(**filled) for text in texts)
            for texts in (template.sources, template.begun, template.expected)
        )
        right = _options(one), _options(other)
        if not {*right[0]} & {*right[1]}:
            yield TemplatePair((_capital(a), _capital(b)), (_capital(x), _capital(y)), right)


def _options(text: str) -> tuple[str, ...]:
    return tuple(text.split("|"))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _nouns(text: str) -> tuple[TemplateNoun, ...]:
    return tuple(TemplateNoun(*entry.split()) for entry in text.split(", "))


def _phrases(text: str, separator: str = ", ") -> tuple[Phrase, ...]:
    return tuple(Phrase(*entry.split("/")) for entry in text.split(separator))


_ANIMALS = _nouns(
    "dog Hund der, cat Katze die, horse Pferd das, cow Kuh die, bird Vogel der, bear Bär der, elephant Elefant der, "
    "monkey Affe der, snake Schlange die, lion Löwe der"
)
_PEOPLE = _nouns(
    "man Mann der men, woman Frau die women, child Kind das children, girl Mädchen das, boy Junge der, "
    "teacher Lehrer der, doctor Arzt der, king König der, queen Königin die, mother Mutter die, father Vater der, "
    "baby Baby das babies, sister Schwester die, brother Bruder der"
)
_THINGS = _nouns(
    "house Haus das, car Auto das, table Tisch der, book Buch das, chair Stuhl der, bag Tasche die, door Tür die, "
    "lamp Lampe die, key Schlüssel der, clock Uhr die, bed Bett das, boat Boot das, church Kirche die, "
    "bridge Brücke die, train Zug der, ship Schiff das, knife Messer das, letter Brief der, city Stadt die"
)
_OWN = _nouns(
    "brother Bruder der, son Sohn der, dog Hund der, horse Pferd das, teacher Lehrer der, child Kind das children, "
    "bird Vogel der, father Vater der, doctor Arzt der, friend Freund der, boy Junge der, baby Baby das babies, "
    "elephant Elefant der, monkey Affe der"
)
_MASCULINE = tuple(noun for noun in _ANIMALS + _PEOPLE if noun.the == "der")
_NAMES = (
    *("Tom", "Anna", "Peter", "Paul", "Laura", "Julia", "David", "Thomas", "Robert", "Michael", "Sarah", "Linda"),
    *("Jack", "Bill", "Bob", "Kate", "Martin", "Maria"),
)
_LOOKS = _phrases("old/alt, new/neu, big/groß, small/klein, beautiful/schön, black/schwarz, white/weiß, good/gut")
_MOODS = _phrases(
    "tired/müde, sick/krank, old/alt, happy/glücklich, sad/traurig, rich/reich, busy/beschäftigt, here/hier"
)
_BEINGS = _phrases(
    "he/er, she/sie, Tom/Tom, Mary/Maria, my brother/mein, my sister/meine, the man/der, the woman/die, the dog/der, "
    "your brother/dein, the child/das, the king/der"
)
_DOINGS = _phrases(
    "sleeps/schläft/sleep, cries/weint/cry, laughs/lacht/laugh, swims/schwimmt/swim, sings/singt/sing, "
    "works/arbeitet/work, runs/läuft/run, eats/isst/eat, waits/wartet/wait, plays/spielt/play"
)
_DEEDS = _phrases(
    "buys/kauft/bought/kaufte, reads/liest/read/las, has/hat/had/hatte, opens/öffnet/opened/öffnete, "
    "sells/verkauft/sold/verkaufte, finds/findet/found/fand, needs/braucht/needed/brauchte, loves/liebt/loved/liebte"
)
_CLAUSES = _phrases(
    "I think/ich glaube, dass//ich glaube,; I hope/ich hoffe, dass//ich hoffe,; I know/ich weiß, dass//ich weiß,; "
    "he says/er sagt, dass//er sagt,; she thinks/sie denkt, dass//sie denkt,; "
    "we can go because/wir können gehen, weil//wir können gehen, denn",
    "; ",
)

TEMPLATES = (
    Template(
        "gender",
        ("The {a} is {x}.", "The {b} is {x}."),
        ("{a.the}", "{b.the}"),
        {"a": _ANIMALS + _PEOPLE + _THINGS, "b": _ANIMALS + _PEOPLE + _THINGS, "x": _LOOKS},
    ),
    Template(
        "number",
        ("My {a} {x}.", "My {a.many} {x.other}."),
        ("Mein", "Meine"),
        {"a": _OWN, "x": _DOINGS},
    ),
    Template(
        "negation",
        ("{s} a {a}.", "{s} no {a}."),
        ("ein|eine|einen", "kein|keine|keinen"),
        {"s": ("I have", "he has", "she has", "we have", "they have", "Tom has", "I need", "I see"), "a": _THINGS},
    ),
    Template(
        "verb-end",
        ("{c} {s} is {x}.", "{c} {s} is {x}."),
        ("{x.german}", "ist|sei"),
        {"c": _CLAUSES, "s": _BEINGS[:4], "x": _MOODS},
        ("{c.german} {s.german}", "{c.german_other} {s.german}"),
    ),
    Template(
        "relative",
        ("The {a} who lives here is {x}.", "The {b} who lives here is {x}."),
        ("{a.the}", "{b.the}"),
        {"a": _PEOPLE, "b": _PEOPLE, "x": _MOODS},
        ("{a.the} {a.german},", "{b.the} {b.german},"),
    ),
    Template(
        "roles",
        ("The {a} {x} the {b}.", "The {b} {x} the {a}."),
        ("{a.german}", "{b.german}"),
        {"a": _MASCULINE, "b": _MASCULINE, "x": ("sees", "loves", "knows", "hears")},
    ),
    Template(
        "tense",
        ("{s} {x} {a}.", "{s} {x.other} {a}."),
        ("{x.german}", "{x.german_other}|hat"),
        {
            "s": ("he", "she", "Tom", "my brother", "the woman", "the man"),
            "x": _DEEDS,
            "a": ("a book", "the car", "the house", "a letter", "the door"),
        },
    ),
    Template(
        "name",
        ("{x} {a}.", "{x} {b}."),
        ("{a}", "{b}"),
        {"a": _NAMES, "b": _NAMES, "x": ("I know", "we saw", "this is", "he lives with", "she loves")},
    ),
    Template(
        "distance",
        ("The very {x} and {y} {a} is here.", "The very {x} and {y} {b} is here."),
        ("{a.the}", "{b.the}"),
        {"a": _ANIMALS + _PEOPLE, "b": _ANIMALS + _PEOPLE, "x": _LOOKS[:2], "y": _LOOKS[2:5]},
    ),
    Template(
        "question",
        ("Is {s} {x}?", "{s} is {x}."),
        ("Ist", "{s.german}"),
        {"s": _BEINGS, "x": _MOODS + _LOOKS[1:]},
    ),
)
