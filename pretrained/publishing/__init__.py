"""pretrained/publishing."""
