"""Whether agents differ: verdict, exact interval, power, and early stopping.

`entries` reads the finished years of runs, `comparison` puts every run beside every other, `verdict` has the two tests,
`chance` their statistics, `stopping` the rule by which a season stops when it is clear, and `tables` prints.
"""
