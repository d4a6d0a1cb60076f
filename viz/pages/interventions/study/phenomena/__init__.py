"""What tells the words of minimal pairs apart, over all pairs of a phenomenon."""
