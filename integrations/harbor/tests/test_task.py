"""The task folder as Harbor itself reads it. No container is started."""

from pathlib import Path

import pytest

pytest.importorskip("harbor", reason="Harbor wants Python 3.12 and an environment of its own: make registries")

from harbor.models.dataset.manifest import DatasetManifest
from harbor.models.task.task import Task
from harbor.models.task.verifier_mode import resolve_verifier_environment_definition

HERE = Path(__file__).parents[1]
FOLDER = HERE / "ecbench-year"


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


def test_harbor_verifies_in_a_container_of_its_own_what_the_market_collected() -> None:
    task = Task(FOLDER)
    verifier = resolve_verifier_environment_definition(task.config, task.paths)
    assert verifier is not None
    assert (verifier.directory, verifier.bundled_tests) == ((FOLDER / "tests").resolve(), True)
    assert [hook.service for hook in task.config.verifier.collect] == ["market"]


def test_the_dataset_has_the_task_in_its_version() -> None:
    dataset, package = DatasetManifest.from_toml_file(HERE / "dataset.toml"), Task(FOLDER).config.task
    assert package is not None
    assert [task.name for task in dataset.tasks] == [package.name]
    assert dataset.dataset.version == package.version
