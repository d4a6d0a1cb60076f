"""House rules that no linter knows."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# With every dot a class of its own, a rule does not match its own text.
MACHINE_BOUND = re.compile(
    r"pypi[.]org|pythonhosted[.]org|download[.]pytorch[.]org|registry[.]npmjs[.]org|deb[.]debian[.]org"
    r"|index[-]url|find[-]links"
    r"|(?<![\w.-])/(?:work|root|home/\w+|opt/wheels)/"
)
LOADS_FROM_NETWORK = re.compile(
    r"""<(?:script|link|img)\b[^>]*https?://"""
    r"""|@import\s+['"]https?://"""
    r"""|\burl\(\s*['"]?https?://"""
    r"""|\b(?:from|import|import\(|fetch\(|require\()\s*['"]https?://"""
)
# A capital, words, and what ends a sentence; no references (et al.) and no tags.
SENTENCE = re.compile(r"(?:^|[.!?] )[A-Z“][^<>]* [^<>]*[a-z)”}](?<! et al)[.!?…](?:\s|$)")
# What a task or an encoding says of itself stands in its one file; the rest prints for those who train.
WITH_DESCRIPTIONS = {("model", "tasks"), ("model", "positional"), ("model", "training"), ("pretrained", "publishing")}
# They put an error into words and know no other words for one that is not theirs; BertViz's error is made of the words.
SAYING_ERRORS = {
    Path("viz/shared/encodings.py"),
    Path("viz/shared/shipped.py"),
    Path("viz/pages/translate/components/bertviz_view/__init__.py"),
}
TRAINING = ("model.training", "pretrained.publishing")
LISTING = Path("docs/training.md")
QUOTING_NOTHING = {Path("docs/CHANGELOG.md"), Path("benchmarks/cards.md")}


@pytest.fixture(scope="module")
def texts() -> dict[Path, str]:
    """Every text file of the repository, committed or about to be."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not listing.returncode, "needs a git checkout to know which files are the project's"
    texts = {}
    for name in filter(None, listing.stdout.split("\0")):
        content = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b"\0"
        if b"\0" not in content:
            texts[Path(name)] = content.decode(errors="replace")
    return texts


def breaches(texts: dict[Path, str], rule: re.Pattern[str]) -> list[str]:
    return [
        f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]}"
        for path, text in texts.items()
        for match in rule.finditer(text)
    ]


def test_nothing_names_a_registry_or_one_machine_s_paths(texts: dict[Path, str]) -> None:
    assert breaches(texts, MACHINE_BOUND) == []


def test_browser_code_loads_nothing_from_the_network(texts: dict[Path, str]) -> None:
    served = {
        path: text
        for path, text in texts.items()
        if path.parts[0] == "viz" and path.suffix in {".css", ".html", ".js", ".mjs", ".py", ".svg"}
    }
    assert breaches(served, LOADS_FROM_NETWORK) == []


@pytest.fixture(scope="module")
def trees(texts: dict[Path, str]) -> dict[Path, ast.Module]:
    """The Python of the app and of what it stands on."""
    tops = ("app.py", "model", "pretrained", "viz")
    return {path: ast.parse(text) for path, text in texts.items() if path.suffix == ".py" and path.parts[0] in tops}


def opens_text(call: ast.Call) -> bool:
    """Whether ``call`` reads or writes text by a path: other things that are opened have no mode first."""
    if not isinstance(call.func, ast.Attribute):
        return False
    mode = ast.literal_eval(call.args[0]) if call.args and isinstance(call.args[0], ast.Constant) else None
    is_text = not call.args or (isinstance(mode, str) and "b" not in mode)
    return call.func.attr in {"read_text", "write_text"} or (call.func.attr == "open" and is_text)


def test_every_text_file_is_opened_with_its_encoding(trees: dict[Path, ast.Module]) -> None:
    without = [
        f"{path}:{call.lineno}"
        for path, tree in trees.items()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and opens_text(call) and "encoding" not in {one.arg for one in call.keywords}
    ]
    assert without == []


def shown_texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module with their lines, but for docstrings, commands' help and errors for programmers."""
    silent: set[ast.AST] = set()
    for node in ast.walk(tree):
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_help = isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("ArgumentParser", "add_argument"))
        if is_docstring or is_help or isinstance(node, ast.Raise | ast.Assert):
            silent |= set(ast.walk(node))
    for node in ast.walk(tree):
        if node in silent:
            continue
        if isinstance(node, ast.JoinedStr):
            silent |= set(node.values)
            yield (
                node.lineno,
                "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values),
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def test_no_sentence_for_the_screen_is_in_code(trees: dict[Path, ast.Module]) -> None:
    assert [
        f"{path}:{line}: {text}"
        for path, tree in trees.items()
        if path.parts[:2] not in WITH_DESCRIPTIONS
        for line, text in shown_texts(tree)
        if SENTENCE.search(text)
    ] == []


def messages_shown(tree: ast.Module) -> Iterator[int]:
    """Yield the lines that take an error's message as text, by ``str(error)`` or in an f-string."""
    errors = {node.name for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)}
    errors |= {
        node.arg
        for node in ast.walk(tree)
        if isinstance(node, ast.arg) and node.annotation and re.search("Error|Exception", ast.unparse(node.annotation))
    }
    raised = {inner for node in ast.walk(tree) if isinstance(node, ast.Raise) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        match node:
            case (
                ast.FormattedValue(value=ast.Name(id=name))
                | ast.Call(func=ast.Name(id="str"), args=[ast.Name(id=name)])
            ):
                if name in errors and node not in raised:
                    yield node.lineno


def test_an_error_is_shown_in_the_words_of_a_page_and_not_in_its_own(trees: dict[Path, ast.Module]) -> None:
    assert [
        f"{path}:{line}"
        for path, tree in trees.items()
        if path.parts[0] == "viz" and path not in SAYING_ERRORS
        for line in messages_shown(tree)
    ] == []


def imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def test_nothing_that_only_loads_and_shows_imports_training(trees: dict[Path, ast.Module]) -> None:
    assert [
        f"{path}:{line}: {name}"
        for path, tree in trees.items()
        if ".".join(path.parts[:2]) not in TRAINING
        for line, name in imported(tree)
        if name.startswith(TRAINING)
    ] == []


def test_the_number_of_threads_is_set_in_one_place(trees: dict[Path, ast.Module]) -> None:
    """Two threads of a small product wait for each other for seconds while another process keeps a core busy."""
    setting = {
        path
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "set_num_threads"
    }
    # A measurement of layers is asked for its number of threads.
    assert setting <= {Path("model/device.py"), Path("model/analysis/costs/layer_timing.py")}


def test_every_benchmark_is_quoted_or_built_on(texts: dict[Path, str]) -> None:
    quoting = {path: text for path, text in texts.items() if path.suffix in {".py", ".md", ".json"}}
    # A list of commands names a benchmark and quotes nothing of it, nor does the card of what it reads.
    quoting[LISTING] = re.sub(r"^python -m benchmarks[.].*", "", quoting[LISTING], flags=re.MULTILINE)
    unused = [
        path.stem
        for path in texts
        if path.parent == Path("benchmarks") and path.suffix == ".py" and path.stem != "__init__"
        if not any(
            re.search(rf"benchmarks[./]{path.stem}\b", text)
            for other, text in quoting.items()
            if other != path and other not in QUOTING_NOTHING
        )
    ]
    assert unused == []


def test_no_two_functions_have_one_body(trees: dict[Path, ast.Module]) -> None:
    places: dict[str, list[str]] = {}
    for path, tree in trees.items():
        if path.parts[:1] == ("viz",):
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef):
                    lines = node.body[1:] if ast.get_docstring(node) else node.body
                    places.setdefault("\n".join(map(ast.unparse, lines)), []).append(f"{path}: {node.name}")
    # A shorter body is no more than a call.
    assert [named for body, named in places.items() if len(body) > 60 and len(named) > 1] == []


def test_the_image_has_what_the_app_is_made_of(texts: dict[Path, str], trees: dict[Path, ast.Module]) -> None:
    dockerfile = texts[Path("docs/deployment/Dockerfile")]
    copied = {*re.findall(r"^COPY (\S+) ", dockerfile, re.MULTILINE)}
    allowed = texts[Path("docs/deployment/Dockerfile.dockerignore")].splitlines()
    assert copied == {line[1:] for line in allowed if line.startswith("!")}
    tops = {path.parts[0].removesuffix(".py") for path in texts if path.suffix == ".py"}
    imported = {
        name.partition(".")[0]
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
    }
    assert {"model", "pretrained", "viz"} <= tops & imported <= copied
    assert {"app.py", ".streamlit", "requirements.txt"} <= copied


def test_every_folder_with_python_is_a_package(texts: dict[Path, str]) -> None:
    """Import contracts and wheels leave out what is in a folder that is none."""
    folders = {
        path.parent for path in texts if path.suffix == ".py" and path.parts[0] in ("model", "pretrained", "viz")
    }
    assert sorted(str(folder / "__init__.py") for folder in folders if folder / "__init__.py" not in texts) == []
