"""Receipts: who runs an episode signs every turn of it, with the time and what the provider of a model reported."""
