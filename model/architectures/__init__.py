"""model/architectures."""
