"""The parts of a network that make one output, as an exact graph, and the output without them."""
