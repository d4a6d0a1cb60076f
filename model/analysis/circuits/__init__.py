"""The parts of a network that make one output, as an exact graph, and what becomes of the output without them."""
