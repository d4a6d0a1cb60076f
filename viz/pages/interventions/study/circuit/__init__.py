"""Circuits for a written word against another one: parts, paths between them, and ablations."""
