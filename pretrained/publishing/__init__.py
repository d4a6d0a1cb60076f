"""Makes a shipped model of a finished run: its files, its measurements and its card. Nothing at run time imports it."""
