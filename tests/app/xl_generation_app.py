"""Generation alone, on the shipped Transformer-XL; run by Streamlit."""

from viz.pages.transformer_xl.generation import show_generation
from viz.pages.transformer_xl.state import MAIN, given_text, language_model

loaded = language_model(MAIN)
show_generation(loaded, given_text(loaded.vocabulary))
