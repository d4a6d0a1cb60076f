"""viz/pages/choose_encoding/study."""
