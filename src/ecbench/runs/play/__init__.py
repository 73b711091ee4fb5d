"""Starting, continuing, forking and cancelling the episodes of a run."""
