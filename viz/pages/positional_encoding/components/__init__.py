"""viz/pages/positional_encoding/components."""
