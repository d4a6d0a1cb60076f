"""A table as HTML: nothing in it is markup, and the names of hooks may break at their joints."""

from viz.components.table import table


def test_text_is_no_markup_and_names_break_at_their_joints_only() -> None:
    html = table(["name", "value"], [["encoder.0.self_attention.q", "<b> 0.25"]], code_columns=(0, 1))
    assert '<code translate="no">encoder.0.<wbr>self_<wbr>attention.<wbr>q</code>' in html
    assert '<code translate="no">&lt;b&gt; 0.25</code>' in html
    assert "<td>self.q</td>" in table(["name"], [["self.q"]])


def test_a_value_and_its_range_stay_on_one_line_of_a_wide_table() -> None:
    ranges = ("0.09 (0.03 to 0.15)", "0.09（0.03〜0.15）", "0.09(0.03∼0.15)")
    html = table(["score"], [[f"{text} → 0.5"] for text in ranges], name="scores")
    assert all(f'<td><span class="whole">{text}</span> → 0.5</td>' in html for text in ranges)
