"""Names of what writes into a residual stream."""

from viz.base.words import page_text

TEXT = page_text("shared/writers")
# By hook point without the stack: what is no block of a layer, and the blocks of one.
_OUTSIDE = {"embedding": "token", "positional.encoding": "position", "": "biases"}
_BLOCKS = {"self_attention": "self", "cross_attention": "cross", "feed_forward": "units"}


def writer_name(point: str) -> str:
    """Return the label of what writes at ``point``: a block, the token, its position, or all biases."""
    _, _, rest = point.partition(".")
    if rest in _OUTSIDE:
        return TEXT[f"writer {_OUTSIDE[rest]}"]
    layer, block = rest.split(".")
    return TEXT[f"writer {_BLOCKS[block]}"].format(layer=int(layer) + 1)
