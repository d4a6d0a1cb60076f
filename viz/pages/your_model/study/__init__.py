"""What the pages on other people's models compute."""
