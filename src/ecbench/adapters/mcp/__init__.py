"""A year over the Model Context Protocol: one process or address is one year, whoever connects and however often."""
