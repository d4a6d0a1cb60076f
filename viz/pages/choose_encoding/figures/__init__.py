"""viz/pages/choose_encoding/figures."""
