"""The sentence about a positional encoding that cannot be built or read as asked, on every page that shows one."""

from model.positional import EncodingError
from viz.base.words import page_text

TEXT = page_text("shell/encodings")


def encoding_refusal(error: Exception) -> str:
    """Return the sentence about ``error``, without a capital and a full stop; its own text if there are no words."""
    if isinstance(error, EncodingError) and error.key in TEXT:
        return TEXT[f"{error.key}"].format(**error.values)
    return str(error)
