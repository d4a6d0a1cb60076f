"""viz/pages/positional_encoding/study."""
