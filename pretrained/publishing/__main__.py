"""Command line: ``python -m pretrained.publishing KIND …`` ships, measures or continues a model."""

import argparse
import ast
import inspect
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from model.checkpoint import DamagedWeightsError
from model.data.loading import CorpusMissingError
from model.training.history import commit
from pretrained.publishing.command import PROGRAM, command_line


@dataclass(frozen=True)
class _Kind:
    """A marked function, by its module and name, and the first line of its docstring."""

    module: str
    function: str
    summary: str


def kinds() -> dict[str, _Kind]:
    """Return what ``@command`` marks in the modules of this package, in alphabetical order."""
    marked = {
        ast.literal_eval(mark.args[0]): _Kind(path.stem, node.name, (ast.get_docstring(node) or "").partition("\n")[0])
        for path in Path(__file__).parent.glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        for mark in node.decorator_list
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "command"
    }
    return dict(sorted(marked.items()))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the kind that the arguments name; return the process's exit status."""
    words, known = list(sys.argv[1:] if arguments is None else arguments), kinds()
    if not words or words[0] not in known:
        _overview(known).parse_args(words[:1] or ["--help"])
    kind, *rest = words
    function = getattr(import_module(f"pretrained.publishing.{known[kind].module}"), known[kind].function)
    options = vars(parser_of(kind, function).parse_args(rest))
    if "command" in inspect.signature(function).parameters:
        options["command"] = command_line(*words)
    commit()  # a measurement takes a while, in which files may change
    try:
        output = function(**options)
        for line in [output] if isinstance(output, str) else output:
            sys.stdout.write(f"{line}\n")
    except (OSError, ValueError, CorpusMissingError, DamagedWeightsError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _overview(known: dict[str, _Kind]) -> argparse.ArgumentParser:
    width = max(map(len, known))
    lines = "\n".join(f"  {name:{width}}  {kind.summary}" for name, kind in known.items())
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        usage=f"{PROGRAM} KIND …",
        description="Ship, measure or continue a model; KIND --help explains each kind.",
        epilog=f"kinds:\n{lines}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kind", choices=known, metavar="KIND", help="one of those below")
    return parser


def parser_of(kind: str, function: Callable[..., str | Iterable[str]]) -> argparse.ArgumentParser:
    """Return the parser of a kind's arguments, which are the annotated parameters of its ``function``."""
    parser = argparse.ArgumentParser(
        prog=f"{PROGRAM} {kind}",
        description=inspect.getdoc(function),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        if get_origin(hints[name]) is not Annotated:
            continue
        hint, text = get_args(hints[name])
        option, default = _type_options(hint), parameter.default
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            parser.add_argument(name, metavar=name.upper(), help=text, **option)
        elif default is inspect.Parameter.empty:
            parser.add_argument(f"--{name.replace('_', '-')}", required=True, help=text, **option)
        else:
            shown = "" if default is None or hint is bool else f" (default: {_shown(default)})"
            parser.add_argument(f"--{name.replace('_', '-')}", default=default, help=text + shown, **option)
    return parser


def _shown(default: object) -> str:
    return " ".join(map(str, default)) if isinstance(default, list | tuple) else str(default)


def _type_options(hint: Any) -> dict[str, Any]:
    """Return what argparse needs to know of a parameter's type."""
    if get_origin(hint) is UnionType:
        (hint,) = (option for option in get_args(hint) if option is not NoneType)
    if hint is bool:
        return {"action": "store_true"}
    if get_origin(hint) is Literal:
        return {"choices": get_args(hint)}
    if get_origin(hint) is Sequence:
        return {"type": get_args(hint)[0], "nargs": "+"}
    return {"type": hint}


if __name__ == "__main__":
    sys.exit(main())
