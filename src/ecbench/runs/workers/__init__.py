"""Where episodes are played: in this process, in worker processes, or on a cluster."""
