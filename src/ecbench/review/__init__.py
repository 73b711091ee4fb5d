"""A year looked at again: what it cost against what was possible, and what its positions were worth."""
