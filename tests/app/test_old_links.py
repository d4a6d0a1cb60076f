"""Links from before: with the labels of choices, and with other names of parameters, they open what they opened."""

import csv
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from tests.app.links import PAGES, each_page, opened, parameters_read, view_of
from viz.base.languages import LANGUAGES, in_language
from viz.base.link_parameters import Choice
from viz.shell.navigation import Place
from viz.shell.old_links import old_names, renewed

# By the page: a parameter, what a link carried for one of its values before it had ids, and the id.
OLD_LINKS: dict[str, list[tuple[str, str, str]]] = {page.part.path.stem: [] for page in PAGES}
with Path(__file__).with_name("old_links.csv").open(encoding="utf-8", newline="") as file:
    for row in csv.DictReader(file):
        OLD_LINKS[row["page"]].append((row["parameter"], row["old"], row["id"]))
# By the page: an old link, and the names that its parameters now have.
OLD_NAMES: list[tuple[str, dict[str, str], dict[str, str]]] = [
    ("as_it_learned", {"caption": "Two dogs are running."}, {"caption": "learned-caption"}),
    ("cliff", {"step": "2000"}, {"step": "training-step"}),
    ("compare_encodings", {"length": "16"}, {"length": "compared-length"}),
    ("compare_encodings", {"show": "trained", "task": "copy_letters"}, {"task": "trained-task"}),
    ("context", {"step": "64"}, {"step": "context-step"}),
    (
        "heads",
        {"head": "encoder.1.2", "measure": "entropy"},
        {"head": "measured-head", "measure": "head-measure"},
    ),
    ("heads_needed", {"by": "mean"}, {"by": "replaced-by"}),
    (
        "labs",
        {"lab": "by_hand", "lab-step": "1", "stop-layer": "3", "stop-head": "5"},
        {"stop-layer": "cross-layer", "stop-head": "cross-head"},
    ),
    ("lasting_circuits", {"model": "sort-none"}, {"model": "lasting-model"}),
    ("longer_sentences", {"measure": "chrf"}, {"measure": "longer-measure"}),
    ("longer_sentences", {"sentence": "Two dogs are running."}, {"sentence": "longer-sentence"}),
    ("models", {"model": "translation-ja-en"}, {"model": "shown-model"}),
    ("read_along", {"stop": "6", "n": "16"}, {"n": "mask-n"}),
    (
        "read_along",
        {"stop": "7", "stop-layer": "3", "stop-head": "5"},
        {"stop-layer": "cross-layer", "stop-head": "cross-head"},
    ),
    ("read_along", {"stop": "9", "step": "2"}, {"step": "stop-step"}),
    (
        "read_along",
        {"stop": "10", "d_model": "128", "length": "10"},
        {"d_model": "sinusoids-d_model", "length": "sinusoids-length"},
    ),
    ("read_along", {"stop": "11", "k": "3"}, {"k": "move-k"}),
    ("read_along", {"stop": "12", "d": "512"}, {"d": "cost-d"}),
    ("read_along", {"stop": "13", "d_model": "256"}, {"d_model": "schedule-d_model"}),
    ("read_along", {"stop": "14", "rate": "0.3"}, {"rate": "dropout-rate"}),
    ("read_along", {"stop": "20", "task": "reverse"}, {"task": "stop-task"}),
    ("scale", {"seed": "7"}, {"seed": "scale-seed"}),
    ("word_alignment", {"part": "caption"}, {"part": "aligned-part"}),
]


@each_page("page")
def test_a_link_is_the_same_in_every_language_and_an_old_one_means_what_its_id_does(page: Place) -> None:
    for parameter in (each for each in parameters_read(page) if isinstance(each, Choice)):
        for option in parameter.options:
            assert len({written_in(name, parameter, option) for name in LANGUAGES}) == 1
    for name, old, new in OLD_LINKS[page.part.path.stem]:
        assert renewed({name: [old]}) == renewed({name: [new]}) == {name: [new]}


@pytest.mark.slow
@each_page("page")
def test_an_old_link_opens_what_the_link_with_ids_opens(page: Place) -> None:
    rows = OLD_LINKS[page.part.path.stem]
    by_parameter = [[row for row in rows if row[0] == name] for name in dict.fromkeys(name for name, _, _ in rows)]
    for together in zip_longest(*by_parameter):
        given = [row for row in together if row]
        by_label = opened(page, {name: [old] for name, old, _ in given})
        by_id = opened(page, {name: [new] for name, _, new in given})
        assert not by_label.exception
        assert view_of(by_label) == view_of(by_id), given


@pytest.mark.slow
@pytest.mark.parametrize(("stem", "old", "renamed"), OLD_NAMES)
def test_an_old_name_of_a_parameter_opens_what_its_new_name_opens(
    stem: str, old: dict[str, str], renamed: dict[str, str]
) -> None:
    (page,) = [page for page in PAGES if page.part.path.stem == stem]
    by_old, by_new = (
        opened(page, {renamed.get(name, name) if is_new else name: [value] for name, value in old.items()})
        for is_new in (False, True)
    )
    assert not by_old.exception
    assert {*renamed.values()} <= {*by_old.query_params}
    assert not {*renamed} & {*by_old.query_params}
    assert view_of(by_old) == view_of(by_new)


def test_a_name_goes_before_its_old_one_and_all_old_names_are_tried() -> None:
    assert renewed({"task": ["reverse"], "trained-task": ["sort"]}, "compare_encodings") == {"trained-task": ["sort"]}
    assert renewed({"task": ["reverse"]}, "cliff") == {"task": ["reverse"]}
    tried = {(stem, name) for stem, _, renamed in OLD_NAMES for name in renamed.items()}
    assert tried == {(page.part.path.stem, (o, n)) for page in PAGES for n, o in old_names(page.part.path.stem).items()}


def written_in(language: str, parameter: Choice[Any], option: Any) -> str:
    with in_language(language):
        return parameter.write(option)
