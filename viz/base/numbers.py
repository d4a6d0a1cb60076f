"""Numbers as people read them."""

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def scientific(value: float) -> str:
    """Return ``value`` to two places; one below 0.01 as a digit with a power of ten."""
    if value == 0 or abs(value) >= 0.01:
        return f"{value:.2f}".rstrip("0").rstrip(".")
    digit, exponent = f"{value:.0e}".split("e")
    return times_power_of_ten(digit, int(exponent))


def times_power_of_ten(digits: str, exponent: int) -> str:
    """Return ``digits`` times 10 to the power of ``exponent``, as people write it."""
    return f"{digits}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10{str(exponent).translate(_SUPERSCRIPTS)}"


def in_full(value: float) -> str:
    """Return ``value`` without an exponent: a whole or large one to the last place, else to six digits."""
    return f"{value:,.0f}" if float(value).is_integer() or abs(value) >= 100_000 else f"{value:,g}"


def rounded(value: float, digits: int = 3) -> str:
    """Return ``value`` to so many significant digits, up to millions without an exponent."""
    return f"{float(f'{value:.{digits}g}'):,.7g}"


def signed(value: float, places: int = 2) -> str:
    """Return ``value`` to so many places, with a true minus sign and none before a zero."""
    return f"{value:z.{places}f}".replace("-", "\N{MINUS SIGN}")


def with_sign(value: float, places: int = 2) -> str:
    """Return ``value`` as a change: a plus for a rise, a true minus for a fall, no sign for zero."""
    return f"+{signed(value, places)}" if round(value, places) > 0 else signed(value, places)
