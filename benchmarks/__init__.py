"""Commands that measure or write what is published, beside the peer where there is one, and what they share."""
