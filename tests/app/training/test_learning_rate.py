"""The learning rate, run by Streamlit without a browser."""

from tests.app.running import charts, open_page


def test_it_shows_the_peak_beside_that_of_the_paper() -> None:
    app = open_page("learning_rate", **{"rate-d-model": "512", "rate-warmup": "4000"})
    assert not app.exception
    assert any("yours is 1 times as high" in entry.value for entry in app.markdown)
    assert "rises to 0.0007 at step 4,000" in charts(app)["learning-rate"].alt
