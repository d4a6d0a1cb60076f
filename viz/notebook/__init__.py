"""The attention explorer for notebooks, for given maps or for a Transformers model on a text.

from viz.notebook import explore, explore_model

explore(attention, tokens)  # what BertViz's head_view takes, by the same names
explore_model(model, tokenizer, "The cat sat.").save("view.html")
"""

from viz.notebook.exploring import explore, explore_model
from viz.notebook.view import AttentionView

__all__ = ["AttentionView", "explore", "explore_model"]
