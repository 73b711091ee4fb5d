"""A year over the Model Context Protocol: one process or address is one year, for any number of connections."""
