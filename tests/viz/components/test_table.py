"""A table as HTML: nothing in it is markup, and the names of hooks may break at their joints."""

from viz.components.table import table


def test_text_is_no_markup_and_names_break_at_their_joints_only() -> None:
    html = table(["name", "value"], [["encoder.0.self_attention.q", "<b> 0.25"]], code_columns=(0, 1))
    assert '<code translate="no">encoder.0.<wbr>self_<wbr>attention.<wbr>q</code>' in html
    assert '<code translate="no">&lt;b&gt; 0.25</code>' in html
    assert "<td>self.q</td>" in table(["name"], [["self.q"]])
