"""What changes far back in the sample do: the file that was measured."""

from viz.pages.transformer_xl.state import sample_text
from viz.pages.transformer_xl.study.memory_changes import memory_changes
from viz.pages.transformer_xl.study.microscope import FAR


def test_the_page_opens_on_a_change_that_does_far_more_than_others() -> None:
    found = memory_changes()
    assert found.bits > 10 * found.of_thousand > 100 * found.median > 0
    assert 0 <= found.source < found.place < len(sample_text())
    assert FAR <= found.place - found.source <= found.farthest
    assert sample_text()[found.source].isalpha()
