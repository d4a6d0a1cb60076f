"""Measurements of trained models: attention, losses, costs, and the effects of edits."""
