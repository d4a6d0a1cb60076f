"""BertViz alone on a page, with made-up weights: what ``?case=``, ``?kind=`` and ``?view=`` ask for."""

import streamlit as st

from tests.browser.translate import explorer_app as given
from viz.base.attention_maps import AttentionKind, TokenRow
from viz.base.words import page_text
from viz.pages.translate.components.bertviz_view import bertviz_view

# A script in pieces that are each too short to be cut.
SPLIT = ("</script>", "<script>/*", "*/ran=1/*", "*/</script>")


def split() -> tuple[AttentionKind, ...]:
    """Return tokens that are a script only together."""
    row = TokenRow(SPLIT)
    return (AttentionKind("encoder", given.random_weights(2, 2, len(SPLIT), len(SPLIT)), row, row),)


CASES = {
    "translation": given.translation(),
    "hostile": given.hostile(),
    "split": split(),
    "large": given.square(65),
}


def kind_of(case: str, name: str) -> AttentionKind:
    """Return the kind ``name`` of a case, or its first."""
    return next((kind for kind in CASES[case] if kind.name == name), CASES[case][0])


def show() -> None:
    """Draw the page."""
    asked = st.query_params
    bertviz_view(
        "model" if asked.get("view") == "model" else "head",
        kind_of(asked.get("case", "translation"), asked.get("kind", "cross")),
        text=page_text("pages/translate/bertviz_view"),
        theme="dark" if st.context.theme.type == "dark" else "light",
        key="bertviz",
    )
    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    st.button("Run again")
    st.text(f"Run {st.session_state['runs']}")


if __name__ == "__main__":
    show()
