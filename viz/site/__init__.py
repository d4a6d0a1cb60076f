"""The app's main pages as static files, which translate in the visitor's browser and need no Python there."""
