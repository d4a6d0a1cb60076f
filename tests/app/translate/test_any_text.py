"""Any text of Unicode's planes: typed, pasted or linked, it gives one view or one sentence, and no error.

What typed and linked texts have in common is drawn 1,000 times each time; whole pages a few times, and 1,000 times
where slow tests run.
"""

import re
from urllib.parse import parse_qs, quote

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from model.text.normalization import changed_characters, normalize
from tests.app.running import open_in_app, run
from viz.base.link_parameters import Lines
from viz.pages.translate.study.slips import slips
from viz.shared.sentence import MAX_CHARACTERS
from viz.shared.shipped import guess_translator, offered, translator
from viz.shared.translators import TEXT_KEY
from viz.shared.unread import why_unread

MOST = 1_000
PAGES = {"translate": "text", "start": "sentence"}
FIELD = Lines(TEXT_KEY, "", MAX_CHARACTERS)
KNOWN = offered()
TYPED_FIRST = "The dog sleeps."

# Words, so that a text also has what is translated, and what is known to be hard, whole.
PIECES = st.sampled_from(
    [
        *(
            "A dog sleeps. ",
            "Der Hund ",
            "Où est-il ? ",
            "猫が眠る。",
            "3,5 or 1.000 ",
            "a@b.example ",
            "「猫。",
            "§ 3. ",
        ),
        *("\n", "\r\n", "\r", "\n\n", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\t", "\xa0", "\u3000"),
        *("\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}", "\U0001f1e9\U0001f1ea", "\N{WAVING BLACK FLAG}\U000e0067\U000e007f"),
        *("\u202e", "\u2066", "\u2069", "\u200e", "\u061c", "\ufeff", "\u200b", "\xad", "e\u0301\u0301", "\ufe0f"),
        *("\ud83d", "\udc68", "\ud83d\ud83d", "\ufffd", "\ufdd0", "\uffff", "\U0010ffff", "\ue000", "\U000f0000"),
        *("\x00", "\x1b[31m", "\x7f", "<b>&amp;", "$x$ `a` **b** [c](d) :red[e]", "%00%zz+", "▁", "ß", "I\u0307"),
    ]
)
PLANES = st.one_of(
    *(st.characters(min_codepoint=plane << 16, max_codepoint=(plane << 16) | 0xFFFF) for plane in range(17))
)
TEXTS = st.lists(st.one_of(PIECES, PLANES, st.text(st.characters(), max_size=8)), max_size=12).map("".join)


def drawn(times: int) -> settings:
    return settings(
        max_examples=times,
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )


def linked(text: str) -> str:
    """Return what the server has of a link with ``text``, where half of a surrogate pair is written as it is."""
    query = f"{TEXT_KEY}={quote(text, errors='surrogatepass')}"
    return parse_qs(query, keep_blank_values=True, errors="replace")[TEXT_KEY][0]


def typed(text: str) -> str:
    """Return what a browser's box sends of ``text``."""
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", re.sub("\r\n?", "\n", joined))


@drawn(MOST)
@example("dog\r\n\rcat\ud83d")
@example("a\r" * 600 + "\n" * 600)
@given(TEXTS)
def test_one_text_is_read_of_what_is_typed_and_what_is_linked(text: str) -> None:
    read = FIELD.read(text)
    assert FIELD.read(linked(text)) == FIELD.read(typed(text)) == FIELD.read(read) == read
    # The link that the page writes carries the same.
    assert FIELD.read(linked(FIELD.write(read))) == read
    assert FIELD.is_allowed(read)


@drawn(MOST)
@given(TEXTS)
def test_what_is_read_of_it_is_cut_compared_and_guessed_without_an_error(text: str) -> None:
    read = FIELD.read(text)
    info = guess_translator(read, KNOWN).info
    loaded = translator(info.name)
    plain = loaded.simplify(read)
    parts = loaded.parts(plain)
    assert all(part == part.strip() and "\n" not in part for part in parts)
    assert all(loaded.parts(part) == (part,) for part in parts)
    changed_characters(read, normalize(plain))
    why_unread(read)
    slips(read, plain, source_language=info.source_language, target_language=info.target_language)


def view(app: AppTest) -> tuple[object, ...]:
    """Return what the page shows of a text: box, link, HTML, captions, and the sentence on why it is not read."""
    # A session that has read a text before shows that one below the sentence, another an example.
    sentences = [re.split("(?<=[.:]) ", warning.value)[0] for warning in app.warning]
    html = [] if sentences else [element.proto.body for element in app.get("html")]
    captions = [] if sentences else [caption.value for caption in app.caption]
    boxes = [box.value for box in app.text_area]
    return boxes, app.query_params.get(TEXT_KEY), html, captions, sentences


def hold_one_view(page: str, key: str, text: str) -> None:
    by_link = open_in_app(page, **{key: text.encode("utf-8", "surrogatepass")})
    by_hand = open_in_app(page, **{key: TYPED_FIRST})
    by_hand.text_area(key=key).set_value(typed(text))
    assert view(run(by_hand)) == view(by_link)


@pytest.mark.parametrize("times", [5, pytest.param(MOST // 2, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("page", "key"), PAGES.items())
def test_a_page_gives_one_view_or_one_sentence(page: str, key: str, times: int) -> None:
    @drawn(times)
    @example("One dog.\n- Two cats\n\nThree\r\nfour \ud83d five.")
    @example("The dog sleeps.\n" * 100)
    @given(TEXTS)
    def hold(text: str) -> None:
        hold_one_view(page, key, text)

    hold()


def test_the_texts_are_of_all_planes() -> None:
    seen: set[int] = set()

    @drawn(300)
    @given(TEXTS)
    def draw(text: str) -> None:
        seen.update(ord(character) >> 16 for character in text)

    draw()
    assert seen == {*range(17)}
