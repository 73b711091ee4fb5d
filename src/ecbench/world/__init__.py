"""The data layer: everything an episode runs on, read from plain files and never changed."""
