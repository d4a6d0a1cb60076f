"""Caches of the app: each has a bound, and none may take most of a server's memory."""

import ast
from collections.abc import Iterator
from pathlib import Path

from model.decoding.translator import MAX_SOURCE_TOKENS

VIZ = Path(__file__).parents[3] / "viz"
MOST_BYTES = 700 * 10**6
# Of the largest that ship, of four layers of six heads in encoder, decoder and between them; in single precision.
LARGEST_TRANSLATION = 3 * 4 * 6 * MAX_SOURCE_TOKENS**2 * 4
TRANSLATIONS = {"Translation", "TranslationResult", "AblatedTranslation"}
SMALL = {
    # Kept without its maps.
    "pages/interventions/state.py ablated",
    # Of at most 40 tokens.
    "pages/interventions/edit_pattern.py _edited",
    # Of a short sentence of the lab's own, changed in few ways.
    "pages/start/course/heads/__init__.py _without",
    "pages/start/course/heads/__init__.py looking",
}
# By a name in the code or a text of the app, not by what a visitor writes.
OF_FEW_TEXTS = {
    "base/words.py _as_paragraphs",
    "base/words.py sections_in",
    "pages/head_catalogue/study/published.py _numbers",
    "pages/length_generalization/study/race.py longest_answer_trained",
    "pages/start/course/circuit/__init__.py _traced",
    "pages/start/course/heads/__init__.py _without",
    "pages/start/course/induction/__init__.py _recording",
    "pages/start/course/positions/__init__.py copied",
    "pages/start/study/published.py published",
    "pages/translate/study/number_words.py cjk_pattern",
    "site/models.py largest_difference",
    "site/recorded.py _in",
}


def cached() -> Iterator[tuple[str, ast.FunctionDef, ast.expr]]:
    """Yield every function of the app that is cached: its name with its file, its code, and the decorator."""
    for path in sorted(VIZ.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
                if "cache" in ast.unparse(decorator).split("(")[0] and "property" not in ast.unparse(decorator):
                    yield f"{path.relative_to(VIZ).as_posix()} {node.name}", node, decorator


def test_no_cache_of_translations_holds_most_of_the_memory() -> None:
    bounds: dict[str, int] = {}
    for name, node, decorator in cached():
        if name not in SMALL and node.returns and ast.unparse(node.returns).split(" ")[0] in TRANSLATIONS:
            assert isinstance(decorator, ast.Call)
            (bound,) = (word.value for word in decorator.keywords if word.arg == "max_entries")
            bounds[name] = ast.literal_eval(bound)
    assert len(bounds) > 2
    assert {name: bound for name, bound in bounds.items() if bound * LARGEST_TRANSLATION > MOST_BYTES} == {}


def test_every_cache_of_a_free_text_has_a_bound() -> None:
    unbound = {
        name
        for name, node, decorator in cached()
        if ast.unparse(decorator) == "cache"
        and any("str" in ast.unparse(argument.annotation) for argument in node.args.args if argument.annotation)
    }
    assert unbound == OF_FEW_TEXTS
