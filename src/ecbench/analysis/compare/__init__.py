"""Whether agents differ: verdict, exact interval, power, and early stopping."""
