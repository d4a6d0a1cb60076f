"""The section Start: the entrance with the whole Transformer at work, the reading path, the glossary."""
