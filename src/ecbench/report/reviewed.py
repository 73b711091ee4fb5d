"""Reviews that lie beside the years of a report; docs/review.md says what they mean."""

from ecbench.report.played import PlayedYear
from ecbench.review.kept import review_of_record
from ecbench.review.model import Review


def review_of(year: PlayedYear) -> Review | None:
    """None where nobody has reviewed the year, or it has been played on since. Large: read, and let go of."""
    return review_of_record(year.run, year.episode)
