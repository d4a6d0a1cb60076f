"""The interface: figures, browser components, pages and their words."""
