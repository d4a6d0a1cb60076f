"""One file per page: reads the widgets, calls model and pretrained, shows figures."""
