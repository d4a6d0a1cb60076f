"""How many heads are needed, run by Streamlit without a browser."""

from tests.app.running import charts, markdown, open_page, written


def test_it_opens_on_curves_and_says_how_many_are_enough() -> None:
    app = open_page("heads_needed")
    assert not app.warning
    assert {*charts(app)} == {"pruning", "alone"}
    assert charts(app)["pruning"].alt.startswith("Change of BLEU while")
    assert "are enough" in markdown(app)
    assert written(app).count("Michel et al. 2019</t") == 3
    assert "blocks lose more than" in markdown(app)


def test_the_loss_and_the_mean_can_be_shown_and_a_link_brings_them_back() -> None:
    app = open_page("heads_needed", **{"of-measure": "loss", "replaced-by": "mean"})
    assert not app.warning
    by_mean = charts(app)["alone"]
    assert charts(app)["pruning"].alt.startswith("Loss")
    app.button_group(key="replaced-by").set_value("zero").run()
    assert charts(app)["alone"].spec != by_mean.spec
