"""The task folder as Harbor itself reads it. No container is started."""

from pathlib import Path

import pytest

pytest.importorskip(
    "harbor", reason="Harbor wants Python 3.12 and an environment of its own: integrations/harbor/README.md"
)

from harbor.models.task.task import Task

FOLDER = Path(__file__).parents[1] / "ecbench-year"


def test_harbor_takes_the_folder_for_a_task() -> None:
    assert Task.is_valid_dir(FOLDER)
    task = Task(FOLDER)
    assert "90 days" in task.instruction
    assert task.paths.discovered_solve_path == (FOLDER / "solution" / "solve.sh").resolve()
    assert task.paths.discovered_test_path == (FOLDER / "tests" / "test.sh").resolve()


def test_harbor_understands_every_limit_that_the_task_states() -> None:
    config = Task(FOLDER).config
    assert (config.agent.timeout_sec, config.verifier.timeout_sec) == (86_400.0, 600.0)
    environment = config.environment
    assert (environment.cpus, environment.memory_mb, environment.storage_mb) == (2, 4_096, 10_240)
    assert config.schema_version == type(config).model_fields["schema_version"].default
