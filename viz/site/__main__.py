"""Write the app's main pages as static files, which translate in the visitor's browser.

    python -m viz.site OUT
    python -m viz.site one-file --translator translation-en-de view.html

OUT is a folder that any web server serves, at any address; a translator is one of those that ship. Both need
the npm packages that `make site` installs.
"""

import argparse
import sys
from pathlib import Path

from viz.shared.shipped import DEFAULT_TRANSLATOR, offered
from viz.site.folder import write_site
from viz.site.one_file import one_file
from viz.site.parts import common_assets
from viz.site.runtime import MissingRuntimeError

_SHORT = "translation-"
_MISSING = "what npm brings is not installed; run `make site` once, which sees to it"


def main() -> None:
    """Read the command line, and write the site or the one file."""
    if sys.argv[1:2] == ["one-file"]:
        _write_file(sys.argv[2:])
    else:
        _write_folder(sys.argv[1:])


def _write_folder(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m viz.site",
        description=(__doc__ or "").partition("\n")[0],
        epilog="As one HTML file: python -m viz.site one-file --help",
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder that is written")
    options = parser.parse_args(arguments)
    try:
        write_site(options.out, [*offered().values()], common_assets())
    except MissingRuntimeError:
        parser.error(_MISSING)


def _write_file(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m viz.site one-file", description="Write one HTML file.")
    parser.add_argument("file", type=Path, help="what is written: a name that ends with .html")
    parser.add_argument("--translator", default=DEFAULT_TRANSLATOR, help="one that ships, such as en-de")
    parser.add_argument("--text", help="the sentence that it opens on")
    options = parser.parse_args(arguments)
    known = offered()
    name = options.translator if options.translator in known else _SHORT + options.translator
    if name not in known:
        parser.error(f"{options.translator!r} is no translator; there are {', '.join(known)}")
    if options.file.suffix != ".html":
        parser.error(f"the file is called {options.file.name!r}; give a name that ends with .html")
    try:
        options.file.write_text(one_file(known[name], common_assets(), options.text), encoding="utf-8")
    except MissingRuntimeError:
        parser.error(_MISSING)


if __name__ == "__main__":
    main()
