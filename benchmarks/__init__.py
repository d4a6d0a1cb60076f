"""Measurements: each file prints one published figure, and the peer's beside it where there is one."""
