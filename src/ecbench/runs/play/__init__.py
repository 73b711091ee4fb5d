"""Starting, continuing, forking, salvaging and cancelling the episodes of a run."""
