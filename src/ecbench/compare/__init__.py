"""Whether agents differ: verdict, exact interval, power, and early stopping.

`entries` reads the finished years of runs, `fairness` lists what makes a comparison unfair, `comparison` puts two
runs beside one another: `verdict` by final assets, `difference` axis by axis. The statistics are small and exact where
they can be: `chance` holds tests and intervals, `spread` where the noise comes from, `power` what a sample can show.
"""
