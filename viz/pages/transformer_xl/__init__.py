"""viz/pages/transformer_xl."""
