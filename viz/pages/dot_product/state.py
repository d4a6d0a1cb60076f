"""State of the page Dot product by hand: examples, typed text, problems of a link, the last result."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from viz.base.link_parameters import LinkParameter, in_link, parameters_of, such_as
from viz.pages.dot_product.study.by_hand import (
    AttentionInputs,
    AttentionOptions,
    AttentionSteps,
    MatrixError,
    compute,
    parse_matrix,
)
from viz.shell.state import keep_in_session, kept

_IDENTITY = "1 0; 0 1"
_THREE_TOKENS = "1 0 1 0; 0 1 0 1; 1 1 0 0"
_FOUR = "1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1"
_MIXING = "1 0; 0 1; 1 0; 0 1"
_CROSSING = "1 0; 0 1; 0 1; 1 0"


@dataclass(frozen=True)
class MatrixText(LinkParameter[str]):
    """A matrix as text: rows between semicolons, numbers between spaces."""

    def read(self, text: str) -> str:
        """Return ``text``; raises MatrixError where it is no matrix."""
        parse_matrix(self.key, text)
        return text

    def write(self, value: str) -> str:
        """Return ``value`` as it is."""
        return value

    @property
    def allowed(self) -> str:
        """The form, by an example."""
        return such_as(_IDENTITY)


@dataclass(frozen=True)
class Matrices:
    """The typed matrices, as text that may be invalid."""

    X: str = in_link(MatrixText("X", "1 0 1 0; 0 1 0 1"))
    W_Q: str = in_link(MatrixText("W_Q", _MIXING))
    W_K: str = in_link(MatrixText("W_K", _CROSSING))
    W_V: str = in_link(MatrixText("W_V", _MIXING))
    W_O: str = in_link(MatrixText("W_O", _IDENTITY))

    def inputs(self) -> AttentionInputs:
        """Return the matrices that are written here; raises MatrixError at the first that is none."""
        return AttentionInputs(**{name: parse_matrix(name, text) for name, text in vars(self).items()})


def sent_matrices(sent: object) -> Matrices | None:
    """Return what a browser has sent as typed; None where it is no text for each matrix."""
    names = parameters_of(Matrices)
    if not isinstance(sent, Mapping) or not all(isinstance(sent.get(name), str) for name in names):
        return None
    return Matrices(**{name: sent[name] for name in names})


@dataclass(frozen=True)
class MatrixExample:
    """Matrices, and the options that go with them."""

    matrices: Matrices
    options: AttentionOptions = field(default_factory=AttentionOptions)


EXAMPLES: dict[str, MatrixExample] = {
    "heads": MatrixExample(
        Matrices(
            _THREE_TOKENS,
            "2 0 0 1; 0 2 1 0; 0 0 2 0; 1 0 0 2",
            "2 1 0 0; 0 2 0 0; 0 0 1 2; 0 0 2 1",
            _FOUR,
            "1 0; 0 1; 1 0; 0 -1",
        ),
        AttentionOptions(n_heads=2),
    ),
    "worked": MatrixExample(Matrices()),
    "identity": MatrixExample(Matrices(*(_IDENTITY,) * 5)),
    "causal": MatrixExample(
        Matrices(_THREE_TOKENS, _MIXING, _MIXING, _MIXING, _IDENTITY), AttentionOptions(mask="causal")
    ),
    "overflow": MatrixExample(Matrices("40 0; 0 1", *(_IDENTITY,) * 4), AttentionOptions(subtract_maximum=False)),
}
OPENING = "heads"
"""The example that the page opens on."""
FIRST = EXAMPLES["worked"]
"""What a link means where it says nothing."""


@dataclass(frozen=True)
class LinkProblem:
    """The error in the matrices of the opening link; None where there is none, or after an edit."""

    error: MatrixError | None


@dataclass(frozen=True)
class Result:
    """A computed example: inputs, options and steps."""

    inputs: AttentionInputs
    options: AttentionOptions
    steps: AttentionSteps


def matrices_from_link(link: Mapping[str, str]) -> tuple[Matrices, MatrixError | None]:
    """Return the matrices that ``link`` names, the first example's for others, and the first error.

    Of a link with anything wrong nothing is taken.
    """
    texts = {name: link[name] for name in parameters_of(Matrices) if name in link}
    try:
        for name, text in texts.items():
            parse_matrix(name, text)
    except MatrixError as error:
        return FIRST.matrices, error
    return replace(FIRST.matrices, **texts), None


def result_of(matrices: Matrices, options: AttentionOptions) -> tuple[Result, MatrixError | None]:
    """Return the result of what is typed; where that cannot be computed, the session's last one, and why."""
    try:
        inputs = matrices.inputs()
        result = Result(inputs, options, compute(inputs, options))
    except MatrixError as error:
        return kept(Result) or _result(FIRST), error
    keep_in_session(result)
    return result, None


def result_at_hand(link: Mapping[str, str]) -> Result:
    """Return the session's last result, else that of the matrices in ``link``, else the opening one."""
    last = kept(Result)
    if last is not None:
        return last
    matrices, error = matrices_from_link(link)
    if error is None and not parameters_of(Matrices).keys().isdisjoint(link):
        try:
            return _result(MatrixExample(matrices))
        except MatrixError:
            # Each can be read, and they do not fit each other.
            pass
    return _result(EXAMPLES[OPENING])


def _result(example: MatrixExample) -> Result:
    inputs = example.matrices.inputs()
    return Result(inputs, example.options, compute(inputs, example.options))
