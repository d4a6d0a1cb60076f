"""Names of the heads of a visitor's own model."""

from dataclasses import replace

from pretrained.huggingface.recorded import Head
from viz.base.words import page_text
from viz.pages.your_model.state import head_code

TEXT = page_text("pages/your_model/inside_model")


def head_name(head: Head) -> str:
    """Return layer and number of ``head``, from 1, after its block where there are several."""
    number = head_code(replace(head, block="self"))
    return number if head.block == "self" else TEXT[f"layer of {head.block}"].format(layer=number)
