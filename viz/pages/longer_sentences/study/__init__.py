"""viz/pages/longer_sentences/study."""
