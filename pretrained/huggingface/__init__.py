"""Models of Hugging Face Transformers that others trained: loaded from a folder, and what their heads look at."""
