"""What npm brings for the browser and nothing else of the product needs: onnxruntime-web and plotly.js."""

from pathlib import Path

_MODULES = Path(__file__).parents[2] / "node_modules"
_RUNTIME = _MODULES / "onnxruntime-web" / "dist"
_PLOTLY = _MODULES / "plotly.js-cartesian-dist-min"


class MissingRuntimeError(FileNotFoundError):
    """What npm brings is not installed."""


def runtime_script() -> bytes:
    """Return the module that runs the graphs; raises MissingRuntimeError where it is not installed."""
    return _read(_RUNTIME / "ort.wasm.bundle.min.mjs")


def runtime_binary() -> bytes:
    """Return the WebAssembly that the module runs; raises MissingRuntimeError where it is not installed."""
    return _read(_RUNTIME / "ort-wasm-simd-threaded.wasm")


def plotly_script() -> bytes:
    """Return the script that sets the global Plotly; raises MissingRuntimeError where it is not installed."""
    return _read(_PLOTLY / "plotly-cartesian.min.js")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise MissingRuntimeError(str(error)) from error
