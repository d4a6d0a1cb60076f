"""The site with one translator as one HTML file, which is opened from disk and reaches for nothing."""

import gzip
import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from viz.components.browser import as_json
from viz.shared.shipped import TranslatorInfo
from viz.site.parts import (
    COMPONENTS,
    WORD_FILES,
    assets_of,
    component_script,
    component_style,
    font_face,
    fonts,
    host_script,
    page_html,
    site_style,
)

_HERE = Path(__file__).parent


ASSETS = "[[assets]]"
"""Where the parts of the file stand that depend on the translator, in :func:`skeleton`."""


def one_file(translator: TranslatorInfo, common: Mapping[str, bytes], text: str | None = None) -> str:
    """Return the page; it opens on ``text``, or on the translator's own example.

    ``common`` is what :func:`viz.site.parts.common_assets` returns.

    Raises:
        MissingRuntimeError: onnxruntime-web is not installed.
        DamagedWeightsError, ValueError: a translator that cannot be loaded or has no graph.
    """
    own = assets_of([translator])
    assets = {**own, **common, **({} if text is None else opening_on(text, own))}
    scripts = (_asset(name, gzip.compress(content, 9, mtime=0)) for name, content in assets.items())
    return skeleton().replace(ASSETS, "\n".join(scripts), 1)


def skeleton() -> str:
    """Return the page without those parts, which the browser puts in as well to save one: ``saving.js``."""
    host = _host()
    # It changes with the script, so that one commit is always the same page, and one version of the site.
    nonce = sha256(host.encode()).hexdigest()[:32]
    faces = (font_face(family, f"data:font/woff2;base64,{_base64(content)}") for family, content in fonts().items())
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}' 'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; connect-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    scripts = [
        ASSETS,
        *(_component(name, nonce) for name in COMPONENTS),
        f'<script type="module" nonce="{nonce}">{host}</script>',
    ]
    style = "<style>" + "\n".join([*faces, site_style()]) + "</style>"
    return page_html(policy=policy, head=style, body="\n".join(scripts))


def opening_on(text: str, assets: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the words among ``assets`` with ``text`` as the translator's first sentence."""
    changed = {}
    for name in WORD_FILES.values():
        words = json.loads(assets[name])
        (described,) = words["translators"]
        others = (example for example in described["examples"] if example != text)
        described |= {"sentence": text, "examples": [text, *others]}
        changed[name] = as_json(words).encode()
    return changed


def _component(name: str, nonce: str) -> str:
    """Return the script of a component; what it saves as a page is its own text up to the mark."""
    source = component_script(name).replace("export default mounted(", "const open = mounted(")
    marked = " data-explorer" if name == "explorer" else ""
    style = as_json(component_style(name)).replace("</", "<\\/")
    end = f"// begin\n(globalThis.components ??= {{}}).{name} = {{ mount: open, css: {style} }};"
    return f'<script type="module" nonce="{nonce}"{marked}>{source.rstrip()}\n{end}</script>'


def _host() -> str:
    source = host_script().replace("export default function start(", "function start(")
    return f"{source}\n{(_HERE / 'entries' / 'one_file.mjs').read_text(encoding='utf-8')}"


def _asset(name: str, zipped: bytes) -> str:
    return f'<script type="text/plain" data-asset="{name}">{_base64(zipped)}</script>'


def _base64(content: bytes) -> str:
    return b64encode(content).decode()
