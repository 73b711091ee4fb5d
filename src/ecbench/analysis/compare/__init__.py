"""Whether agents differ: verdict, exact interval, power, and early stopping.

`entries` reads the finished years of runs and lists what makes their comparison unfair, `comparison` puts every run
beside every other, `verdict` has the two primary tests, of ruin and of score, and the sentence on what they show, and
`tables` prints. The statistics are small and exact: `chance` has tests, intervals, the same at interim analyses, and
what a sample can show. `stopping` is the rule by which a season stops when it is clear.
"""
