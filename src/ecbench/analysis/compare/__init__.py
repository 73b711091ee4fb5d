"""Whether agents differ: verdict, exact interval, power, and early stopping.

`entries` reads the finished years of runs, `fairness` lists what makes a comparison unfair, `comparison` puts every run
beside every other, `verdict` has the two primary tests, of ruin and of score, `sentence` states what they show, and
`tables` prints. The statistics are small and exact: `chance` has tests and intervals, `interim` the same at interim
analyses, `power` what a sample can show, and `stopping` the rule by which a season stops when it is clear.
"""
