"""A course in labs. Each is a folder: its steps and questions, and its words; nothing else lists it."""
