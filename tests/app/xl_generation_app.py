"""Generation alone, on the shipped Transformer-XL; run by Streamlit."""

from viz.pages.xl_generation import show_generation
from viz.pages.xl_state import MAIN, given_text, language_model

loaded = language_model(MAIN)
show_generation(loaded, given_text(loaded.vocabulary))
