"""Reviews of a year: what it cost against what was possible, and what its positions were worth."""
