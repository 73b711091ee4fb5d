"""What pages show of a year at one of its turns, as plain values."""
