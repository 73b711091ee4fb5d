"""The review that lies beside a year, where it is of the record as it stands."""

from ecbench.errors import RunError
from ecbench.review.answers_file import kept_review
from ecbench.review.making import record_check
from ecbench.review.model import Review
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.events import is_over
from ecbench.runs.record.indexed_record import recorded_end
from ecbench.runs.results.checksum_manifest import read_checksums


def review_of_record(run: Run, episode: int) -> Review | None:
    """None where nobody has reviewed the year, or it has been played on since. Large: read, and let go of."""
    review = kept_review(run.episode_folder(episode))
    return review if review is not None and review.record == _record_of(run, episode) else None


def _record_of(run: Run, episode: int) -> str | None:
    """The checksum of the record; a year that is over and sealed need not be read for it."""
    sealed, end = read_checksums(run.episode_folder(episode)), recorded_end(run, episode)
    if sealed is not None and is_over(end):
        return sealed.end
    try:
        return record_check(read_episode(run, episode))
    except RunError:
        return None
