"""What can be said of a year from outside it: how much no play of it can earn."""
