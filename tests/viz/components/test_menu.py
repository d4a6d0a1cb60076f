"""The menu at the top right of every picture."""

import re
from pathlib import Path

import viz
from viz.components.browser import menu_header

VIZ = Path(viz.__file__).parent
MENU = (VIZ / "components" / "browser" / "menu.js").read_text(encoding="utf-8")
# Their label is that of the kind.
KINDS = {"svg", "png", "csv", "print"}


def test_every_label_of_the_menu_is_there_and_none_is_left_over() -> None:
    asked = set(re.findall(r'labels\["(\w[^"]*)"\]', MENU)) | {"leave", "full screen"}
    assert asked | KINDS == set(menu_header()["labels"])


def test_no_component_saves_by_a_button_of_its_own() -> None:
    # The site saves itself as one file, which is no picture.
    others = {VIZ / "components" / "browser" / "menu.js", VIZ / "site" / "browser" / "saving.js"}
    scripts = [path for path in VIZ.rglob("*.js") if path not in others and "vendor" not in path.parts]
    assert scripts
    assert not [path.name for path in scripts if re.search(r"\bimport \{[^}]*\bsave\b[^}]*\}", path.read_text("utf-8"))]


def test_who_makes_a_full_screen_takes_it_away_with_the_picture() -> None:
    scripts = {path: path.read_text("utf-8") for path in VIZ.rglob("*.js") if "vendor" not in path.parts}
    making = {path.name: script for path, script in scripts.items() if "new FullScreen(" in script}
    assert "chart.js" in making
    assert not [name for name, script in making.items() if "fullScreen.remove()" not in script]


def test_words_are_sent_with_their_language() -> None:
    # What pack() makes begins with it.
    modules = {path: path.read_text("utf-8") for path in VIZ.rglob("__init__.py")}
    has_words = re.compile(r'menu_header\(|"words": ')
    sending = {path: code for path, code in modules.items() if has_words.search(code) and "_mount(" in code}
    assert any(path.parent.name == "matrix_editor" for path in sending)
    assert not [str(path) for path, code in sending.items() if not re.search(r'pack\(|"language": language\(\)', code)]
