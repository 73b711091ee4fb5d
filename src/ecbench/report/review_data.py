"""Reviews that lie beside the years of a report; docs/review.md says what they mean."""

from ecbench.report.run_data import PlayedYear
from ecbench.review.model import Review
from ecbench.review.stored_review import review_of_record


def review_of(year: PlayedYear) -> Review | None:
    """None where nobody has reviewed the year, or it has been played on since. Large: read, and let go of."""
    return review_of_record(year.run, year.episode)
