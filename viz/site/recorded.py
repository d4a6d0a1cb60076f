"""Pages with pictures that need no Python: a component, its data, and the words around it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from pretrained.minimal_pairs import PHENOMENA, TRANSLATOR, minimal_pairs
from viz.base.languages import language
from viz.base.markdown import plain
from viz.base.words import page_text
from viz.components.browser import with_less_header
from viz.pages.interventions.circuit_picture import picture_of as circuit_picture
from viz.pages.interventions.circuit_words import seen_in, sentences_of
from viz.pages.interventions.study.attributed import Attribution
from viz.pages.interventions.study.circuit.explained import Explanation
from viz.pages.interventions.study.phenomena.measured import examples
from viz.pages.positional_encoding.components.playground import playground_data
from viz.pages.positional_encoding.components.playground.state import PlaygroundState
from viz.pages.positional_encoding.sinusoid import exact_values
from viz.pages.training.study.shipped import RECORDED, shipped_recordings
from viz.pages.training.train import QUESTION_VIEWS, answer_to, opening_step, picture_of
from viz.shared.shipped import translator
from viz.shared.translation import DecodingChoice, translated

# Of a header, what is read beside the numbers: what a link may set.
_SLIDERS = ("view", "sliders")
# Heads and hidden units of each circuit.
_STRONGEST = 10


@dataclass(frozen=True)
class RecordedView:
    """One view of such a page.

    Attributes:
        payload: what the component takes, in one language and light.
        above: Markdown over the picture.
        below: Markdown under it, in columns.
        step: what the link calls a step that is chosen; empty where none can be.
    """

    payload: bytes
    above: str
    below: tuple[str, ...]
    step: str = ""


@dataclass(frozen=True)
class RecordedPage:
    """A page of the site, with the words of the page of the app that it is.

    Attributes:
        text: the file of its words.
        component: the name of its component.
        parameter: what the link calls the view; empty where there is one alone.
        label: of the choice between views.
        views: the name of each view, by its id in the link.
    """

    text: str
    component: str
    parameter: str
    label: str
    views: Mapping[str, str]


def recorded_pages() -> dict[str, RecordedPage]:
    """Return these pages by address, in the language of whoever reads."""
    text = page_text("pages/training/train")
    phenomena = page_text("pages/interventions/phenomena")
    names = {name: text[f"question {name}"] for name in RECORDED}
    return {
        "why-this-word": RecordedPage(
            "pages/interventions/why_this_word",
            "circuit",
            "phenomenon",
            phenomena["phenomenon"],
            {name: phenomena[f"name {name}"] for name in PHENOMENA},
        ),
        "sinusoid": RecordedPage("pages/positional_encoding/sinusoid", "playground", "", "", {"": ""}),
        "train": RecordedPage("pages/training/train", "player", "question", text["ask"], names),
    }


def recorded_files() -> Iterator[tuple[str, bytes]]:
    """Yield the name and the numbers of what each view takes; the rest of its header is among the words."""
    for address, page in recorded_pages().items():
        for view in page.views:
            yield (
                f"{'-'.join(filter(None, ('recorded', address, view)))}",
                with_less_header(recorded(address, view).payload, _SLIDERS),
            )


@cache
def _in(_language: str, page: str, view: str) -> RecordedView:
    views: dict[str, Callable[[str], RecordedView]] = {
        "why-this-word": _circuit,
        "sinusoid": lambda _: _sinusoid(),
        "train": _training,
    }
    return views[page](view)


def recorded(page: str, view: str) -> RecordedView:
    """Return ``view`` of the page at the address ``page``, in the language of whoever reads."""
    return _in(language(), page, view)


def _circuit(phenomenon: str) -> RecordedView:
    """Return the circuit of the word that the first pair of ``phenomenon`` is about."""
    text, names = page_text("pages/interventions/why_this_word"), page_text("pages/interventions/phenomena")
    pair, *_ = examples(minimal_pairs(), phenomenon)
    loaded, translation = translator(TRANSLATOR), translated(pair.clean, DecodingChoice(model=TRANSLATOR)).translation
    foil = Attribution(loaded, translation).token_of(pair.other_word, pair.step)
    explained = Explanation(loaded, translation, pair.step, foil)
    circuit = explained.circuit(_STRONGEST, None)
    chosen = max(circuit.by_code.values(), key=lambda part: (part.kind == "head", abs(part.effect)))
    sentence = page_text("site/site")["explained sentence"].format(
        source=plain(pair.clean), target=plain(translation.text)
    )
    curves = explained.curves(None)
    above = "\n\n".join([names[f"about {phenomenon}"], sentence, *seen_in(explained, _STRONGEST, curves)])
    explanation = "\n\n".join(sentences_of(explained, _STRONGEST, curves))
    payload = circuit_picture(explained, circuit, chosen, theme="light")
    return RecordedView(payload, above, (explanation, f"{text['formula']}\n\n{text['paper']}"))


def _sinusoid() -> RecordedView:
    text, words = page_text("pages/positional_encoding/sinusoid"), page_text("pages/positional_encoding/playground")
    state = PlaygroundState()
    payload = playground_data(state, exact_values(state), theme="light", words=words)
    below = f"{text['what is seen']}\n\n{text['formula']}\n\n{text['paper']}"
    return RecordedView(payload, "", (below, text["what to try"]))


def _training(question: str) -> RecordedView:
    text, runs = page_text("pages/training/train"), shipped_recordings(question)
    payload = picture_of(question, runs, opens_at=opening_step(question, runs), shown_in="light")
    above = text[f"see {question}"].format(n=int(runs[-1].steps[-1]))
    formula = f"{text[f'formula {question}']}\n\n{text[f'paper {question}']}"
    return RecordedView(
        payload, above, ("\n\n".join(answer_to(question, runs)), formula), QUESTION_VIEWS[question].step
    )
