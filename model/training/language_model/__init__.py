"""Training of character-level language models that remember segments: ``python -m model.training.language_model``."""
