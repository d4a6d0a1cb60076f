"""What the entrance shows of a translation is what the model's hook points hold."""

import numpy as np

from model.decoding.options import GREEDY
from model.decoding.translator import Translator
from tests.viz.pages.start.test_inside import recorded
from viz.pages.start.components.architecture import as_shares
from viz.pages.start.study.architecture import passage


def test_a_passage_holds_what_flows_through_the_hook_points(translator: Translator) -> None:
    translation = translator.translate("The old dog sleeps.", GREEDY)
    found = passage(translator, translation)
    seen = recorded(translator, translation)
    for stack, shown in (("encoder", found.source), ("decoder", found.read)):
        np.testing.assert_allclose(shown.embedding, seen[f"{stack}.embedding"], atol=1e-4)
        np.testing.assert_allclose(shown.positions, seen[f"{stack}.positional.encoding"], atol=1e-4)
        for layer, output in enumerate(found.feed_forward[stack]):
            np.testing.assert_allclose(output, seen[f"{stack}.{layer}.feed_forward.output"], atol=1e-4)
    np.testing.assert_allclose(found.memory, seen["encoder.output"], atol=1e-4)
    assert [kind.name for kind in found.kinds] == ["encoder", "decoder", "cross"]
    assert len(found.written) == len(translation.tokens) == len(found.read.labels)


def test_shares_keep_the_sign_and_end_at_the_largest() -> None:
    values = np.array([[-2.0, -1.0, 0.0, 1.0, 2.0]], dtype=np.float32)
    shares = as_shares(values).astype(int)
    assert shares.tolist()[0][2] == 128
    assert shares.tolist()[0][0] == 1
    assert shares.tolist()[0][4] == 255
    assert (np.diff(shares[0]) > 0).all()
    assert as_shares(np.zeros((2, 3), dtype=np.float32)).tolist() == [[128] * 3] * 2
