"""Models that ship with the project: a folder each, with weights, configuration, tokenizer, metrics and card."""

from pretrained.translators import ModelCard, load_translator, read_card, shipped

__all__ = ["ModelCard", "load_translator", "read_card", "shipped"]
