"""The site as a folder of files that any web server can serve, at any address."""

import gzip
import re
import shutil
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

from viz.base.languages import LANGUAGES
from viz.components.browser import as_json
from viz.shared.shipped import TranslatorInfo
from viz.site.one_file import skeleton
from viz.site.parts import (
    COMPONENTS,
    PAGES,
    assets_of,
    component_script,
    component_style,
    font_face,
    fonts,
    host_script,
    page_html,
    site_style,
)
from viz.site.runtime import plotly_script, runtime_script
from viz.site.stops import view_files

# WebAssembly is compiled by the browser; no text is ever run as a script.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: "
    "blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
)
_HERE = Path(__file__).parent
_DIGEST_BYTES = 8
_VERSION = re.compile(rf"[0-9a-f]{{{2 * _DIGEST_BYTES}}}")


def write_site(folder: Path, translators: Sequence[TranslatorInfo], common: Mapping[str, bytes]) -> None:
    """Write all files of the site into ``folder``, which may exist; none contains its address.

    Files that a page asks for are in a folder named by their digest, so that no page meets those of another version.
    An older version in ``folder`` is removed.

    Args:
        folder: where they are written.
        translators: those that the site offers.
        common: what :func:`viz.site.parts.common_assets` returns.

    Raises:
        MissingRuntimeError: onnxruntime-web or plotly.js is not installed.
        DamagedWeightsError, ValueError: a translator that cannot be loaded or has no graph.
    """
    zipped = {
        **assets_of(translators),
        **common,
        **view_files(PAGES),
        "one-file.html": skeleton().encode(),
        "one-file.json": as_json([*common]).encode(),
    }
    faces = "\n".join(font_face(family, _file_of(family)) for family in fonts())
    assets = {
        "ort.mjs": runtime_script(),
        "plotly.js": plotly_script(),
        "host.js": host_script().encode(),
        "components.js": _components().encode(),
        "site.js": _entry("folder"),
        "site.css": f"{faces}\n{site_style()}".encode(),
        **{f"{name}.js": component_script(name).encode() for name in COMPONENTS},
        **{f"{name}.bin": _zip(content) for name, content in zipped.items()},
        **{_file_of(family): content for family, content in fonts().items()},
    }
    version = _digest(assets)
    files = {"worker.js": _entry("worker"), **{f"assets/{version}/{name}": content for name, content in assets.items()}}
    for page in PAGES:
        base = "../" if page else "./"
        head = (
            f'<link rel="stylesheet" href="{base}assets/{version}/site.css">\n'
            f'<script type="module" src="{base}assets/{version}/site.js" data-base="{base}" data-version="{version}" '
            f'data-languages="{" ".join(LANGUAGES)}" data-pages="{" ".join(PAGES)}"></script>'
        )
        files[f"{page}/index.html".lstrip("/")] = page_html(policy=POLICY, head=head, body="").encode()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    # The pages come last, and ask for the older version's files until then.
    _remove_other_versions(folder / "assets", version)


def _remove_other_versions(assets: Path, version: str) -> None:
    for path in assets.glob("*"):
        if path.name != version and _VERSION.fullmatch(path.name):
            shutil.rmtree(path)


def _components() -> str:
    """Return the module that exports how each component is mounted, and its style sheet."""
    imports = [f'import {name} from "./{name}.js";' for name in COMPONENTS]
    parts = [f"{name}: {{ mount: {name}, css: {as_json(component_style(name))} }}" for name in COMPONENTS]
    return "\n".join([*imports, f"export default {{ {', '.join(parts)} }};"])


def _entry(name: str) -> bytes:
    return (_HERE / "entries" / f"{name}.mjs").read_bytes()


def _digest(files: Mapping[str, bytes]) -> str:
    """Return what tells these files from others: each version has its own addresses and its own cache."""
    digest = blake2b(digest_size=_DIGEST_BYTES)
    for name, content in sorted(files.items()):
        digest.update(name.encode() + content)
    return digest.hexdigest()


def _file_of(family: str) -> str:
    return f"{family.replace(' ', '')}.woff2"


def _zip(content: bytes) -> bytes:
    return gzip.compress(content, compresslevel=9, mtime=0)
