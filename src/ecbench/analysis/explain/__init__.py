"""The model behind the numbers, by the functions that an episode runs and the hidden figures of its world."""
