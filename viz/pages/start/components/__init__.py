"""What only the pages of this topic show."""
