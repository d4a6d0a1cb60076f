"""What is measured is computed where the model is."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from pretrained.publishing.circuits import _drawn_word
from pretrained.publishing.unit_examples import _hidden

pytestmark = pytest.mark.unchecked


class Elsewhere:
    """A model on a device of its own, which keeps the devices of what it reads."""

    def __init__(self) -> None:
        self.embedding = SimpleNamespace(weight=torch.empty(1, device="meta"))
        self.config = SimpleNamespace(bos_id=2, eos_id=3)
        self.devices: set[str] = set()

    def __call__(self, *read: torch.Tensor) -> torch.Tensor:
        self.devices |= {tokens.device.type for tokens in read}
        return torch.zeros(1, 2, 8)


def test_tokens_are_where_the_model_is() -> None:
    model: Any = Elsewhere()
    translation = SimpleNamespace(source=SimpleNamespace(pieces=()), hypotheses=[SimpleNamespace(tokens=[5, 3])])
    translator: Any = SimpleNamespace(
        model=model, tokenizer=SimpleNamespace(ids=lambda _: [5, 3]), translate=lambda *_, **__: translation
    )
    _hidden(translator, [5, 3], [5, 3])
    _drawn_word(translator, "text", np.random.default_rng(0))
    assert model.devices == {"meta"}
