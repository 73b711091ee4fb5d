"""The bill of a year: for every day and cause, what it cost against what was possible at that moment."""
