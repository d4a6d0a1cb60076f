"""Training of translators: configuration, data, augmentation, losses, ensembles of teachers."""
