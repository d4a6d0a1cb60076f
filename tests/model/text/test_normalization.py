"""The normal form of a text."""

from model.text.normalization import normalize


def test_control_characters_and_white_space_become_one_space() -> None:
    assert normalize("a\x00\x07b \t\r\n c\x85\u3000d") == "a b c d"
    for code in range(0x20):
        assert normalize(f"a{chr(code)}b") == "a b"
