"""viz/pages/why_self_attention."""
