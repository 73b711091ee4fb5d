"""Whether agents differ, and how sure one can be of it.

`entries` reads the finished years of runs, `fairness` says what stands against comparing them, `comparison` puts two
runs beside one another axis by axis. The statistics are small and exact where they can be: `chance` holds tests and
intervals, `spread` where the noise comes from, `power` what a sample of a given size can show.
"""
