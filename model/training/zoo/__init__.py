"""The zoo: positional encodings on tasks, trained short and measured long."""
