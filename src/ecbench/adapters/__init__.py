"""Adapters for agents of other programs. Each gives its agent the tools of a recorded seat, and nothing else."""
