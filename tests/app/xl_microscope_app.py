"""The memory microscope alone, on the shipped Transformer-XL; run by Streamlit."""

from viz.pages.transformer_xl.microscope import show_microscope
from viz.pages.transformer_xl.state import MAIN, given_text, language_model

loaded = language_model(MAIN)
show_microscope(loaded, given_text(loaded.vocabulary))
