"""An upper bound on the final assets of a year."""
