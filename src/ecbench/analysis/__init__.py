"""What a run was worth and why: the upper bound, comparisons, explanations and reviews."""
