"""A run as training data: one sample for each context window, in the formats that trainers read."""
