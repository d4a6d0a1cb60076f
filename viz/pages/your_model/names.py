"""Names of the heads of a visitor's own model."""

from pretrained.huggingface.recorded import Head
from viz.base.words import page_text

TEXT = page_text("pages/your_model/names")


def head_name(head: Head) -> str:
    """Return layer and number of ``head``, from 1, after its block where there are several."""
    number = f"{head.layer + 1}.{head.head + 1}"
    return number if head.block == "self" else TEXT[f"head {head.block}"].format(number=number)
