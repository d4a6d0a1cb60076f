"""The entrance: the whole Transformer at work on one sentence, and where to go from there."""
