"""What the topic computes; no screen."""
