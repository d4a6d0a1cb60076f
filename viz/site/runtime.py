"""npm packages that only the browser needs: onnxruntime-web and plotly.js."""

from pathlib import Path

_MODULES = Path(__file__).parents[2] / "node_modules"
_RUNTIME = _MODULES / "onnxruntime-web" / "dist"
_SCRIPT, _BINARY = _RUNTIME / "ort.wasm.bundle.min.mjs", _RUNTIME / "ort-wasm-simd-threaded.wasm"
_PLOTLY = _MODULES / "plotly.js-cartesian-dist-min" / "plotly-cartesian.min.js"


class MissingRuntimeError(FileNotFoundError):
    """An npm package is not installed."""


def is_installed() -> bool:
    """Whether npm has brought everything that is read here."""
    return all(path.is_file() for path in (_SCRIPT, _BINARY, _PLOTLY))


def runtime_script() -> bytes:
    """Return the module that runs the graphs; raises MissingRuntimeError where it is not installed."""
    return _read(_SCRIPT)


def runtime_binary() -> bytes:
    """Return the WebAssembly that the module runs; raises MissingRuntimeError where it is not installed."""
    return _read(_BINARY)


def plotly_script() -> bytes:
    """Return the script that sets the global Plotly; raises MissingRuntimeError where it is not installed."""
    return _read(_PLOTLY)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise MissingRuntimeError(str(error)) from error
