from model.training.zoo.plan import ENCODINGS
from viz.colours import OKABE_ITO
from viz.zoo_names import colour_of, encoding_title, in_order


def test_every_encoding_of_the_zoo_has_a_title_of_its_own() -> None:
    titles = [encoding_title(name) for name in ENCODINGS]
    assert not set(titles) & set(ENCODINGS)
    assert len(set(titles)) == len(titles)


def test_an_encoding_that_is_no_longer_planned_keeps_its_name_and_has_a_colour() -> None:
    assert encoding_title("gone") == "gone"
    assert colour_of("gone") in OKABE_ITO


def test_encodings_come_in_the_plan_s_order_after_those_asked_for_first() -> None:
    assert in_order({"gone", "fire", "none", "t5"}, first=("t5", "alibi")) == ("t5", "none", "fire", "gone")
