"""The zoo of length generalization: its plan, the rows of its tasks as batches, and its measurements."""
