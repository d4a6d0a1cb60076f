"""viz/pages/positional_encoding/figures."""
