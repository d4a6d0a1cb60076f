"""Whether a circuit is the same on longer inputs, and in another training."""
