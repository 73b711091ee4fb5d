"""Where the engine is asked, by the names that executors of runs have."""

from ecbench.errors import RunError
from ecbench.review.questions import Ask, ask_here, ask_processes


def asker(executor: str | None, jobs: int) -> Ask:
    """By the name of an executor; raises RunError where it cannot be used."""
    match executor:
        case None:
            return ask_processes if jobs > 1 else ask_here
        case "inline":
            return ask_here
        case "processes":
            return ask_processes
        case "ray":
            return _ray()
    raise RunError(f"there is no executor {executor!r:.60} for a review; there are inline, processes and ray")


def _ray() -> Ask:
    try:
        from ecbench.review.ray_questions import ask_ray  # noqa: PLC0415 - only whoever asks for it needs Ray
    except ImportError as error:
        raise RunError(
            f"executor ray cannot be loaded: {error}; install it with: pip install 'ecbench[ray]'"
        ) from error
    return ask_ray
