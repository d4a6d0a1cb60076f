"""The zoo: every positional encoding on every task, trained short and measured long."""
