"""viz/pages/transformer_xl/figures."""
