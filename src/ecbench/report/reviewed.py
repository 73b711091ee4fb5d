"""Reviews that lie beside the years of a report; docs/review.md says what they mean."""

from ecbench.report.played import PlayedYear
from ecbench.review.file import kept_review
from ecbench.review.make import record_check
from ecbench.review.model import Review
from ecbench.runs.problems import RunError
from ecbench.runs.seal import read_seal
from ecbench.runs.session import read_episode


def review_of(year: PlayedYear) -> Review | None:
    """None where nobody has reviewed the year, or it has been played on since. Large: read, and let go of."""
    folder = year.run.episode_folder(year.episode)
    review = kept_review(folder)
    return review if review is not None and review.record == _record_of(year) else None


def _record_of(year: PlayedYear) -> str | None:
    sealed = read_seal(year.run.episode_folder(year.episode))
    if year.over and sealed is not None:
        return sealed.end
    try:
        return record_check(read_episode(year.run, year.episode))
    except RunError:
        return None
