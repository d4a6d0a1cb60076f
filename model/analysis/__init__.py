"""What a trained model does: its attention, its losses, its costs, and what changes when it is edited."""
