"""viz/pages/longer_sentences."""
