"""What every server of this package has in common: its socket, its limits on clients, and how it stops."""
