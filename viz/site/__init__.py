"""The app's main pages as static files that translate in the visitor's browser without Python."""

from streamlit.logger import set_log_level

# No app runs here, and Streamlit's caches warn of that as they are made.
set_log_level("ERROR")
