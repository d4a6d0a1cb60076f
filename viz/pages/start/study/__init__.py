"""What the entrance computes, without a screen."""
