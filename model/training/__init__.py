"""Training of every model: ``python -m model.training CONFIGURATION.toml``."""
