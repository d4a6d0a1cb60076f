"""viz/pages/transformer_xl/study."""
