"""Your model: any Transformer that somebody else trained, in the explorer."""
