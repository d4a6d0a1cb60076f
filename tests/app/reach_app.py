"""The section Reach in alone, on the published zoo; run by Streamlit."""

from pretrained import zoo as zoo_store
from viz.pages.length_generalization.edit_model import show_reach

show_reach(zoo_store.zoo_results(zoo_store.ZOO), "copy_repeat")
