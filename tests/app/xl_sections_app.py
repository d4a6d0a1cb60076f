"""The sections on the four terms and on the relative shift alone, on the shipped Transformer-XL; run by Streamlit."""

from viz.pages.transformer_xl.shift import show_shift
from viz.pages.transformer_xl.state import MAIN, given_text, language_model
from viz.pages.transformer_xl.terms import show_terms

loaded = language_model(MAIN)
text = given_text(loaded.vocabulary)
show_terms(loaded, text)
show_shift(loaded, text)
