"""Why a word was written rather than another one: parts, the paths between them, and what is off without them."""
