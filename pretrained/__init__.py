"""Models that ship with the project: a folder each, with weights, configuration, tokenizer, metrics and card."""

from pretrained.translators import HeadMeans, ModelCard, load_head_means, load_translator, read_card, shipped

__all__ = ["HeadMeans", "ModelCard", "load_head_means", "load_translator", "read_card", "shipped"]
