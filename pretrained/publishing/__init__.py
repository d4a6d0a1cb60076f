"""What makes a shipped model of a finished run: its files, its measurements and its card. Not imported at run time."""
