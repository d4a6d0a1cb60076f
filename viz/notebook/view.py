"""The explorer for notebooks, in a frame without access to anything outside."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

from viz.base.attention_files import kinds_as_npz
from viz.base.attention_maps import AttentionKind
from viz.base.colours import Theme
from viz.base.given_maps import TEXT as PROBLEMS
from viz.base.words import InputError, page_text
from viz.components.attention_explorer.page_file import page_file
from viz.components.attention_explorer.view import ExplorerView

TEXT = page_text("notebook/notebook")
ENDINGS = (".html", ".npz")
"""Of the names of files that a view is saved to."""


@dataclass(frozen=True)
class AttentionView:
    """Attention in the explorer: the last line of a cell shows it.

    Attributes:
        kinds: encoder, decoder and cross-attention, or some of them.
        view: what is shown first.
        theme: light or dark.
        height: of the frame in a notebook, in pixels.
    """

    kinds: tuple[AttentionKind, ...]
    view: ExplorerView
    theme: Theme = "light"
    height: int = 900

    def to_html(self) -> str:
        """Return the view as a whole page, which holds its data and needs no network."""
        text = dict(page_text("components/attention_explorer"))
        if len(self.kinds) == 1 and self.kinds[0].name != "cross":
            name = self.kinds[0].name
            text |= {f"kind {name}": TEXT["kind alone"], f"kind {name} help": TEXT[f"kind alone {name} help"]}
        return page_file(self.kinds, view=self.view, text=text, theme=self.theme)

    def to_npz(self) -> bytes:
        """Return all maps in full precision, with their tokens, as the explorer of the app saves them."""
        return kinds_as_npz(self.kinds)

    def save(self, path: str | Path) -> None:
        """Write the view to ``path``: a page where it ends with .html, all maps where it ends with .npz.

        Raises:
            ValueError: another ending.
        """
        file = Path(path)
        if file.suffix == ".html":
            file.write_text(self.to_html(), encoding="utf-8")
        elif file.suffix == ".npz":
            file.write_bytes(self.to_npz())
        else:
            raise ValueError(InputError("file name", name=repr(file.name)).sentence(PROBLEMS))

    def _repr_html_(self) -> str:
        """Return the view in a frame of its own origin, for Jupyter, VS Code and Colab.

        Its scripts reach neither the notebook nor the network; what they may do besides is to save files.
        """
        style = f"width: 100%; height: {self.height}px; border: 0"
        title = escape(TEXT["frame"])
        page = escape(self.to_html())
        return (
            f'<iframe sandbox="allow-scripts allow-downloads" title="{title}" style="{style}" srcdoc="{page}"></iframe>'
        )
