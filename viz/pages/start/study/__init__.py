"""What the pages of this topic compute, without a screen."""
