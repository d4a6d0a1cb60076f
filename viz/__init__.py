"""What people see: figures, browser-side components, pages and their words."""
