"""Training of language models of characters that remember segments."""
