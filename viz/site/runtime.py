"""onnxruntime-web, which runs the graphs in a browser: npm brings it, and nothing else of the product needs it."""

from pathlib import Path

_DIST = Path(__file__).parents[2] / "node_modules" / "onnxruntime-web" / "dist"


class MissingRuntimeError(FileNotFoundError):
    """onnxruntime-web is not installed."""


def runtime_script() -> bytes:
    """Return the module; raises MissingRuntimeError where it is not installed."""
    return _read("ort.wasm.bundle.min.mjs")


def runtime_binary() -> bytes:
    """Return the WebAssembly that the module runs; raises MissingRuntimeError where it is not installed."""
    return _read("ort-wasm-simd-threaded.wasm")


def _read(name: str) -> bytes:
    try:
        return (_DIST / name).read_bytes()
    except FileNotFoundError as error:
        raise MissingRuntimeError(str(error)) from error
