"""Beam search: what the search weighed, what it left, and why it ended with this translation and not another."""

from viz.pages.translate.contrast import show_contrast
from viz.pages.translate.opening import open_translation, say_limits
from viz.pages.translate.search_tree import show_search


def show() -> None:
    """Draw the page."""
    opened = open_translation()
    show_search(opened.result)
    show_contrast(opened.result)
    say_limits(opened.model)
    opened.finish()


if __name__ == "__main__":
    show()
