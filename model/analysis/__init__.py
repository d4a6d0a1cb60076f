"""model/analysis."""
