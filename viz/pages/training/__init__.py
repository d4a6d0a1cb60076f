"""Pages on the formation of attention during training."""
