"""What a link says is off, and the steps back and forth."""

import pytest

from viz.base.link_parameters import is_readable
from viz.pages.interventions import state
from viz.pages.interventions.state import AblatedRun, Runs, SwitchedOff, Timeline, ablated
from viz.shared.shipped import DEFAULT_TRANSLATOR

OFF = SwitchedOff("off", None, ("encoder.1.1", "encoder.1.2", "encoder.positions"))


@pytest.mark.parametrize("codes", [(), ("encoder.1.2",), ("encoder.positions", "encoder.1.1")])
def test_what_is_written_is_read_again(codes: tuple[str, ...]) -> None:
    assert OFF.read(OFF.write(codes)) == codes


def test_a_code_twice_counts_once() -> None:
    assert OFF.read("encoder.1.1,encoder.1.1") == ("encoder.1.1",)


@pytest.mark.parametrize("text", ["", "encoder.1", "encoder.1.1,", "none,encoder.1.1", "encoder.1.9", " encoder.1.1"])
def test_what_the_model_has_not_is_refused(text: str) -> None:
    assert not is_readable(OFF, text)


def test_steps_are_taken_back_and_forth_and_forgotten_by_a_new_one() -> None:
    line = Timeline().to(("a",)).to(("a", "b"))
    assert line.moved(-1).now == ("a",)
    assert line.moved(-1).can_redo
    assert line.moved(-1).moved(1) == line
    assert line.moved(-9).now is None
    assert line.moved(9) == line
    other = line.moved(-1).to(("c",))
    assert other.states == (None, ("a",), ("c",))
    assert not other.can_redo


def test_a_line_of_many_steps_is_bounded() -> None:
    line = Timeline()
    for number in range(500):
        line = line.to((str(number),))
    assert line.now == ("499",)
    assert len(line.states) <= 100


def test_runs_are_those_of_the_text_and_the_model() -> None:
    one, other = AblatedRun("a", "m", by_mean=False, off=()), AblatedRun("b", "m", by_mean=False, off=())
    assert Runs((one, other)).of("a", "m") == (one,)


def test_a_run_is_kept_without_its_attention() -> None:
    made = ablated(AblatedRun("A dog runs.", DEFAULT_TRANSLATOR, by_mean=False, off=("cross.1.1",)))
    assert made.translation.text
    assert made.translation.patterns == {}


@pytest.mark.parametrize(
    ("now", "left"),
    [(None, None), ((), ()), (("encoder.1.8",), None), (("encoder.1.8", "encoder.1.1"), ("encoder.1.1",))],
)
def test_what_another_model_lacks_is_not_nothing_off(
    now: tuple[str, ...] | None, left: tuple[str, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "timeline", lambda: Timeline((now,)))
    assert state.off_of(("encoder.1.1", "encoder.1.2")) == left
