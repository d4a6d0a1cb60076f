import re

from viz.pages.length_generalization.components.answer_line import AnswerLine, answer_line


def drawn(*right: bool, trained: int = 0) -> str:
    tokens = ["<b>", *("a" for _ in right[1:])]
    line = AnswerLine("<i>name", "<u>verdict", tokens, right, "red", trained)
    return answer_line(line, theme="light", mark_name='"end')


def kinds(html: str) -> list[str]:
    return re.findall(r'class="(answer-token(?!s)[^"]*|training-end)"', html)


def test_right_and_wrong_differ_and_the_first_mistake_stands_out() -> None:
    found = [kind.split()[1:] for kind in kinds(drawn(True, False, True, False))]
    assert found == [["right"], ["wrong", "first"], ["right"], ["wrong"]]


def test_the_end_of_training_stands_before_the_first_token_beyond_it() -> None:
    assert kinds(drawn(True, True, True, trained=2))[2] == "training-end"
    assert "training-end" not in drawn(True, True, trained=2)
    assert "training-end" not in drawn(True, True)


def test_nothing_given_is_markup() -> None:
    html = drawn(True)
    assert not re.search(r"<[biu]>", html)
    assert "&lt;b&gt;" in html
    assert "&lt;i&gt;name" in html
