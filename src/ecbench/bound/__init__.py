"""How much no play of a year can end with."""
