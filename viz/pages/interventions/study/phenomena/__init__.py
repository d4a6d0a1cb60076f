"""Circuits that distinguish the words of minimal pairs, over all pairs of a phenomenon."""
