"""Plain English in code and documents: names that say what they hold, docstrings opened by one line, no archaisms."""

import ast
import io
import re
import subprocess
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PRODUCT = ("app.py", "model", "pretrained", "viz", "benchmarks")
"""What has no archaic word."""
NAMED = ("app.py", "model", "pretrained", "viz")
"""What has no name that says nothing."""
DESCRIBED = ("model", "viz")
"""What has docstrings that open with a short noun phrase or imperative."""
UNIQUE = ("model", "pretrained", "viz")
"""What has, all together, no two public classes of one name."""

SAYS_NOTHING = re.compile(r"_?(?:found|said|told|wanted|given)|_(?:found|said|told)_\w+")
ARCHAIC = re.compile(r"\b(?:anew|shall|meanwhile|of which|himself|herself|his|he)\b", re.IGNORECASE)
OPENS_A_CLAUSE = re.compile(r"(?:What|How|Why|Where|Who)\b")
MAX_FIRST_LINE = 100

Defined = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def texts_of(*paths: str, ending: str) -> dict[str, str]:
    """Return the files at or below ``paths`` with this ending, committed or about to be, by path."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *paths]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {
        name: (ROOT / name).read_text(encoding="utf-8")
        for name in listing.stdout.split("\0")
        if name.endswith(ending) and (ROOT / name).is_file()
    }


def names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the variables, parameters and functions that a module defines, with their lines."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, Defined) and (text := ast.get_docstring(node)) is not None:
            yield node.body[0].lineno, text


def prose(source: str) -> Iterator[tuple[int, str]]:
    """Yield the docstrings, comments and names of a module, with their lines."""
    yield from docstrings(ast.parse(source))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
        elif token.type == tokenize.NAME:
            yield token.start[0], token.string.replace("_", " ")


def test_a_name_says_what_it_holds() -> None:
    assert [
        f"{path}:{line}: {name}"
        for path, source in texts_of(*NAMED, ending=".py").items()
        for line, name in names(ast.parse(source))
        if SAYS_NOTHING.fullmatch(name)
    ] == []


def test_no_word_is_archaic() -> None:
    assert [
        f"{path}:{line}: {word[0]}"
        for path, source in texts_of(*PRODUCT, ending=".py").items()
        for line, text in prose(source)
        if (word := ARCHAIC.search(" ".join(text.split())))
    ] == []


def test_no_word_of_a_document_is_archaic() -> None:
    assert [
        f"{path}:{line}: {word[0]}"
        for path, text in texts_of("README.md", "docs", ending=".md").items()
        for line, row in enumerate(text.splitlines(), start=1)
        if (word := ARCHAIC.search(row))
    ] == []


def test_a_docstring_opens_with_a_short_noun_phrase_or_imperative() -> None:
    assert [
        f"{path}:{line}: {first}"
        for path, source in texts_of(*DESCRIBED, ending=".py").items()
        for line, text in docstrings(ast.parse(source))
        if len(first := text.partition("\n")[0]) > MAX_FIRST_LINE or OPENS_A_CLAUSE.match(first)
    ] == []


def test_no_two_public_classes_have_one_name() -> None:
    places = defaultdict(list)
    for path, source in texts_of(*UNIQUE, ending=".py").items():
        for node in ast.parse(source).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path)
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}
