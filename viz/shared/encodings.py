"""Positional encodings on every page: names, effects, styles, and the message about an invalid one."""

import re
from collections.abc import Collection

from model.positional import EncodingError, PositionalConfig, registered
from model.zoo.plan import ENCODINGS
from viz.base.colours import LineLook, line_look
from viz.base.numbers import in_full
from viz.base.words import listed, page_text
from viz.shared.model_words import model_words

TEXT = page_text("shared/encodings")
_NAMES = page_text("shared/encoding_names")
# They say only for how long an input there is room, which makes no other encoding of one.
_ROOM = {"max_length", "max_position", "longest"}
_LINK = r"\[[^\]]*\]\([^)]*\)"


def encoding_title(config: PositionalConfig, *, with_room: bool = False) -> str:
    """Return the label of ``config``: the encoding's title, and each parameter that is not its default.

    How long an input may be is no part of the name, unless ``with_room``.
    """
    description = registered()[config.name].description
    title = model_words(description.title)
    if description.inner is not None:
        inner = encoding_title(config.inner or PositionalConfig(description.inner))
        title = _NAMES["around"].format(
            inner=inner, outer=title if title[1:2].isupper() else title[:1].lower() + title[1:]
        )
    changed = [_named(name, value) for name, value in _changed(config).items() if with_room or name not in _ROOM]
    return _NAMES["changed"].format(title=title, changed=listed(changed)) if changed else title


def planned_title(name: str) -> str:
    """Return the title of what is called ``name`` in the zoo's plan, or else of the encoding of that name."""
    return encoding_title(ENCODINGS.get(name) or PositionalConfig(name))


def encoding_anchor(name: str) -> str:
    """Return the anchor of the encoding ``name`` in the glossary."""
    # A heading has an anchor of its own, which Streamlit makes of its text.
    return f"encoding-{name}"


def with_meanings(text: str) -> str:
    """Return Markdown ``text`` in which the first mention of each encoding links to the glossary.

    Its explanation is the link's tooltip. Titles that could be other words, such as *Learned*, stay as they are.
    """
    names = {written: name for name in registered() for written in _written(name)}
    longest_first = sorted(names, key=len, reverse=True)
    mention = rf"(?<![A-Za-z0-9-])(?P<written>{'|'.join(map(re.escape, longest_first))})(?![A-Za-z0-9-])"
    linked = set()

    def link(match: re.Match[str]) -> str:
        name = names.get(match["written"])
        if name is None or name in linked:
            return match[0]
        linked.add(name)
        meaning = model_words(registered()[name].description.explanation)
        return f'[{match[0]}](glossary?part=encodings#{encoding_anchor(name)} "{meaning}")'

    return re.sub(f"{_LINK}|{mention}", link, text)


def _written(name: str) -> tuple[str, ...]:
    """Return the names of the encoding ``name`` in texts: aliases, and a title in the form of a name."""
    description = registered()[name].description
    titles = {description.title, model_words(description.title)}
    return (*description.other_names, *(title for title in titles if re.search(r"(?<!^)[A-Z0-9]", title)))


def most_used(names: Collection[str]) -> tuple[str, ...]:
    """Return, of each kind of encoding among ``names``, the one that most well-known models use.

    The kinds are those of `Properties`: without positions, absolute and relative.
    """
    of_kind: dict[str, list[str]] = {}
    for name in filter(registered().__contains__, names):
        of_kind.setdefault(registered()[name].description.properties.kind, []).append(name)
    return tuple(max(own, key=lambda name: len(registered()[name].description.used_in)) for own in of_kind.values())


def encoding_look(config: PositionalConfig) -> LineLook:
    """Return the colour and the dashes of ``config`` everywhere."""
    return line_look(look_number(config))


def look_number(config: PositionalConfig) -> int:
    """Return the number of the look of ``config``: its own in the zoo's plan, else its encoding's."""
    titled, names = _titled(config), [planned.name for planned in ENCODINGS.values()]
    for number, planned in enumerate(ENCODINGS.values()):
        if _titled(planned) == titled:
            return number
    if config.name in names:
        return names.index(config.name)
    others = [name for name in registered() if name not in names]
    return len(names) + others.index(config.name)


def _titled(config: PositionalConfig) -> tuple[object, ...]:
    """Return what the title of ``config`` says, before it is put into words."""
    inner = registered()[config.name].description.inner
    changed = {name: value for name, value in _changed(config).items() if name not in _ROOM}
    return config.name, changed, _titled(config.inner or PositionalConfig(inner)) if inner is not None else None


def _changed(config: PositionalConfig) -> dict[str, float]:
    """Return the parameters of ``config`` that are not as by default."""
    default = {parameter.name: parameter.default for parameter in registered()[config.name].description.parameters}
    return {
        name: config.parameters[name] for name in default if config.parameters.get(name, default[name]) != default[name]
    }


def _named(parameter: str, value: float) -> str:
    name = _NAMES.get(parameter)
    return f"{parameter} {in_full(value)}" if name is None else name.format(value=value, percent=100 * value)


def encoding_refusal(error: Exception) -> str:
    """Return the message about ``error``, without a capital and a full stop; else the error's own text."""
    if isinstance(error, EncodingError) and error.key in TEXT:
        return TEXT[f"{error.key}"].format(**error.values)
    return str(error)
