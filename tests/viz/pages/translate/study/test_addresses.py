"""Addresses end where a reader ends them, also before letters and marks that follow without a blank."""

import pytest

from viz.pages.translate.study.addresses import addresses_of
from viz.pages.translate.study.slips import slips

CASES = [
    ("https://example.com/を見て", ["https://example.com/"]),
    ("https://example.comを見てください。", ["https://example.com"]),
    ("詳しくはhttps://example.com/a?b=1「ここ」へ", ["https://example.com/a?b=1"]),
    ("(https://example.com/)を見て", ["https://example.com/"]),
    ("『https://example.com/a』を、【www.example.com】と〈example.org〉も", None),
    ("https://example.com/을 보세요.", ["https://example.com/"]),
    ("example.com에서 anna@example.org로 보내세요", ["example.com", "anna@example.org"]),
    ("メールはanna@example.orgへ", ["anna@example.org"]),
    ("サイトはexample.comです", ["example.com"]),
    ("https://例え.jp/パスを", ["https://例え.jp/"]),
    ("资料在https://example.com/a\uff0c请看", ["https://example.com/a"]),
    ("資料report.pdfを見て", ["report.pdf"]),
    ("この資料.pdfを開いて", ["資料.pdf"]),
    ("보고서.pdf를 여세요", ["보고서.pdf"]),
    ("@annaさんに聞いて", ["@anna"]),
    ("こちらは@annaです", ["@anna"]),
    ("@anna에게", ["@anna"]),
    ("#cats2が好き", ["#cats2"]),
    ("#猫 が好き", ["#猫"]),
    ("#1位です", []),
    ("“https://example.com/a” and \u2018www.example.com\u2019", ["https://example.com/a", "www.example.com"]),
    ("«https://example.com/a»", ["https://example.com/a"]),
    ("„www.example.com“ und \u203aexample.org\u2039", ["www.example.com", "example.org"]),
    ("https://example.com/a—and https://example.com…", ["https://example.com/a", "https://example.com"]),
    ("https://example.com/🎉", ["https://example.com/"]),
    ("**https://example.com/a**, `https://example.com/b`", ["https://example.com/a", "https://example.com/b"]),
    ("<https://example.com/a> [text](https://example.com/b)", ["https://example.com/a", "https://example.com/b"]),
    ("(see https://en.example.org/wiki/Set_(mathematics)).", ["https://en.example.org/wiki/Set_(mathematics)"]),
    ("{https://example.com/a} [https://example.com/b]", ["https://example.com/a", "https://example.com/b"]),
    ("https://example.com's page, example.com\u2019s too", ["https://example.com", "example.com"]),
    ("https://de.example.org/wiki/Straße ist", ["https://de.example.org/wiki/Straße"]),
    ("http://[2001:db8::1]:8080/x and 2001:db8::1 or ::1", ["http://[2001:db8::1]:8080/x", "2001:db8::1", "::1"]),
    ("192.168.0.1 or 10.0.0.1:8080.", ["192.168.0.1", "10.0.0.1:8080"]),
    ("example.com:8080/x+y, a.b+c@example.co.uk.", ["example.com:8080/x+y", "a.b+c@example.co.uk"]),
    ("He left.It was late. At 14:05:30 he came.No!", []),
    ("jürgen@example.de", ["jürgen@example.de"]),
]


@pytest.mark.parametrize(("text", "addresses"), CASES)
def test_an_address_ends_where_a_reader_ends_it(text: str, addresses: list[str] | None) -> None:
    expected = addresses or (["https://example.com/a", "www.example.com", "example.org"] if addresses is None else [])
    assert [address.text for address in addresses_of(text)] == expected
    assert all(text[address.start : address.stop] == address.text for address in addresses_of(text))


@pytest.mark.parametrize(
    "follows", ["を見て", "\uff01", "、", "\uff09", "」", "”", "から", "로", "\uff0cと", "\uff1aそう", "\u3000"]
)
@pytest.mark.parametrize(
    "address", ["https://example.com/a", "www.example.com", "anna@example.org", "report.pdf", "@anna", "#cats"]
)
def test_what_follows_a_kept_address_breaks_it_in_no_translation(address: str, follows: str) -> None:
    source, translation = f"これは{address}{follows}", f"This is {address}."
    named = [
        slip
        for slip in slips(source, translation, source_language="Japanese", target_language="English")
        if slip.kind == "address"
    ]
    assert named == []
    (slip,) = [
        slip
        for slip in slips(source, "This is it.", source_language="Japanese", target_language="English")
        if slip.kind == "address"
    ]
    assert slip.words == address


def test_full_width_marks_between_an_address_and_a_word_are_not_of_the_address() -> None:
    (slip,) = slips("https://example.com/\uff01Great", "Great!", source_language="Japanese", target_language="English")
    assert slip.words == "https://example.com/"


@pytest.mark.parametrize("address", ["www.example.com", "anna@example.org", "report.pdf", "https://example.com/a"])
@pytest.mark.parametrize("around", ["こちら{}です。", "「{}」", "이것은 {}입니다.", "({})", "{}\u2019s"])
def test_an_address_that_stands_whole_between_other_letters_is_kept(address: str, around: str) -> None:
    named = slips(f"It is {address}.", around.format(address), source_language="English", target_language="Japanese")
    assert [slip for slip in named if slip.kind == "address"] == []


@pytest.mark.parametrize("changed", ["www.example.comm", "awww.example.com", "www.example.comé", "www.exam ple.com"])
def test_an_address_with_more_letters_is_broken(changed: str) -> None:
    (slip,) = slips("It is www.example.com.", changed, source_language="English", target_language="German")
    assert slip.kind == "address"


def test_of_a_broken_address_between_letters_of_japanese_the_lost_part_is_marked() -> None:
    source = "See https://example.com/stra\xdfe/x now."
    (slip,) = slips(source, "今https://example.com/x見て", source_language="English", target_language="Japanese")
    assert source[slip.source_start : slip.source_stop] == "stra\xdfe"
