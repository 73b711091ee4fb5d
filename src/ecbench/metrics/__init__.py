"""Measures of a year and of a run: one module per dimension of the paper's evaluation."""
