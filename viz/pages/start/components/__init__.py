"""Views in the browser that only the entrance uses."""
