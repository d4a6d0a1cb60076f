"""The app's main pages as static files, which translate in the visitor's browser and need no Python there."""

from streamlit.logger import set_log_level

# No app runs here, and Streamlit's caches warn of that as they are made.
set_log_level("ERROR")
