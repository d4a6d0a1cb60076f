"""The scripts of Japanese, as ranges for a character class of a regular expression."""

IDEOGRAPHS = "\u3005\u4e00-\u9fff"
HIRAGANA = "\u3041-\u3096"
KATAKANA = "\u30a1-\u30fa\u30fc"
