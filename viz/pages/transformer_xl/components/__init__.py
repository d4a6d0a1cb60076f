"""viz/pages/transformer_xl/components."""
