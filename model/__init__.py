"""Transformers, and what trains, runs and measures them. Knows no screen library."""
