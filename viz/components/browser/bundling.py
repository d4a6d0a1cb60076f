"""One ES module made of several, without Node.

Lines that begin with ``import`` or ``export`` are the whole grammar: each has one of the forms below, or is refused.
The tests hold this bundler to what esbuild makes of the same files.
"""

import re
from collections.abc import Mapping
from pathlib import Path

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:const|function|class) (\w+))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)
_MODULE_SYNTAX = re.compile(r"^[ \t]*(?:import|export)\b(?!\.).*|\bimport\s*\(.*", re.MULTILINE)
# Types are for who reads the source: a browser would only load them.
_TYPES = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*\n", re.MULTILINE | re.DOTALL)
# For V8: nearly every function runs at the first picture, and compiling each when it is called would hold that up.
_COMPILED_AT_ONCE = "//# allFunctionsCalledOnLoad"


def bundle(entry: Path) -> str:
    """Return ``entry`` and the modules it imports, each once and after what it needs, as one ES module.

    Each imported module keeps a scope of its own, so two may use the same name for different things. Understood are
    imports of the form ``import { a, b } from "./file.js";`` without renaming, ``export`` before a declaration, and
    ``export default`` in the entry.

    Raises:
        ValueError: any other import or export, an import of what is not exported, or modules in a circle.
    """
    *imported, last = modules(entry)
    names = {path: f"module{index}" for index, path in enumerate(imported)}
    parts = [_scoped(path, names) for path in imported]
    return "\n".join([_COMPILED_AT_ONCE, *parts, _with_imports_named(last, names)])


def modules(entry: Path) -> list[Path]:
    """Return the files that ``entry`` is made of, each after what it needs, and itself last.

    Raises:
        ValueError: as :func:`bundle`.
    """
    ordered: dict[Path, None] = {}

    def visit(path: Path, importers: tuple[Path, ...]) -> None:
        if path in importers:
            names = ", ".join(importer.name for importer in importers)
            raise ValueError(f"{path.name} imports itself, by way of {names}")
        if path in ordered:
            return
        source = path.read_text(encoding="utf-8")
        _check_syntax(path, source, is_entry=not importers)
        for names, address in _IMPORT.findall(source):
            imported = (path.parent / address).resolve()
            visit(imported, (*importers, path))
            _check_names(path, names, imported)
        ordered[path] = None

    visit(entry.resolve(), ())
    return [*ordered]


def _check_syntax(path: Path, source: str, *, is_entry: bool) -> None:
    understood = [_IMPORT, _EXPORT, *([_DEFAULT] if is_entry else [])]
    starts = {match.start() for form in understood for match in form.finditer(source)}
    for match in _MODULE_SYNTAX.finditer(source):
        if match.start() not in starts:
            line = source.count("\n", 0, match.end()) + 1
            raise ValueError(f"{path}:{line}: the bundler does not understand: {match[0].strip()}")


def _check_names(path: Path, names: str, imported: Path) -> None:
    exported = {name for _, name in _EXPORT.findall(imported.read_text(encoding="utf-8"))}
    missing = {name.strip() for name in names.split(",") if name.strip()} - exported
    if missing:
        raise ValueError(f"{path} imports {', '.join(sorted(missing))}, which {imported.name} does not export")


def _scoped(path: Path, names: Mapping[Path, str]) -> str:
    source = _with_imports_named(path, names)
    exported = ", ".join(name for _, name in _EXPORT.findall(source))
    body = _EXPORT.sub(r"\1", source)
    return f"// {path.name}\nconst {names[path]} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();"


def _with_imports_named(path: Path, names: Mapping[Path, str]) -> str:
    def named(match: re.Match[str]) -> str:
        return f"const {{{match[1]}}} = {names[(path.parent / match[2]).resolve()]};"

    return _IMPORT.sub(named, _TYPES.sub("", path.read_text(encoding="utf-8")))
