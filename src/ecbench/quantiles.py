"""How many standard errors to each side of a mean hold 95% of what chance does to it."""

NORMAL = 1.96
STUDENT = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""The same for a mean whose spread is estimated, by degrees of freedom from 1."""


def student(degrees: int) -> float:
    """Of a mean whose spread is estimated with so many degrees of freedom, one at least."""
    if degrees <= len(STUDENT):
        return STUDENT[degrees - 1]
    # Beyond the table the first two terms of its expansion about the normal one are right to four figures.
    z = NORMAL
    return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
