"""The build target of `make wheel`: the wheel of `pip install .` with compiled copies of some modules beside the plain
ones. pyproject.toml lists the modules. Needs mypy, setuptools and a C compiler, which no other target does."""

import sys
import sysconfig
from collections.abc import Callable, Iterable
from contextlib import chdir
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree, which
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.builders.wheel import WheelBuilder

GROUP = "ecbench"  # one library, so that a call from one compiled module to another is a call in C
# Types of other packages are left out: compiled code treats their objects as any Python object, and the result must
# not depend on what is installed. `make types` checks all of them.
MYPY_OPTIONS = (
    "--config-file=",
    "--explicit-package-bases",
    "--follow-imports=silent",
    "--no-site-packages",
    "--ignore-missing-imports",
)


class CompiledWheelBuilder(WheelBuilder):
    """A wheel for one version of Python on one platform."""

    PLUGIN_NAME = "custom"

    def get_version_api(self) -> dict[str, Callable[..., str]]:
        return {"standard": self.build_standard}


class CompileHook(BuildHookInterface[Any]):
    """Compiles the listed modules and adds them to the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, _version: str, build_data: dict[str, Any]) -> None:
        _require_compiler()
        self._scratch = Path(mkdtemp(prefix="ecbench-wheel-"))
        source = self._scratch / "src"
        copytree(Path(self.root, "src"), source, ignore=ignore_patterns("__pycache__"))
        with chdir(source):
            libraries = _compile(listed_modules(source, self.config["compiled"], self.config["plain"]))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(source / library): library for library in libraries})

    def finalize(self, _version: str, _build_data: dict[str, Any], _artifact_path: str) -> None:
        rmtree(self._scratch)


def get_builder() -> type[CompiledWheelBuilder]:
    return CompiledWheelBuilder


def get_build_hook() -> type[CompileHook]:
    return CompileHook


def listed_modules(source: Path, compiled: Iterable[str], plain: Iterable[str]) -> list[str]:
    """Paths of the modules to compile, below `source`; raises ValueError where an entry of a list finds none."""
    found = {pattern: set((source / "ecbench").glob(pattern)) for pattern in (*compiled, *plain)}
    if empty := [pattern for pattern, paths in found.items() if not paths]:
        raise ValueError(f"pyproject.toml lists modules that are not there: {', '.join(empty)}")
    left_out = set().union(*(found[pattern] for pattern in plain))
    chosen = set().union(*(found[pattern] for pattern in compiled)) - left_out
    return sorted(str(path.relative_to(source)) for path in chosen if path.name != "__init__.py")


def _compile(modules: list[str]) -> list[str]:
    """Compile in the current folder and return the paths of the libraries."""
    from mypyc.build import mypycify  # noqa: PLC0415 - it needs setuptools, and only this target has both
    from setuptools import Distribution  # noqa: PLC0415 - likewise

    extensions = mypycify([*MYPY_OPTIONS, *modules], opt_level="2", debug_level="0", group_name=GROUP)
    command = Distribution({"name": GROUP, "ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = ".", "temp"
    command.ensure_finalized()
    command.run()
    return [str(Path(path).relative_to(".")) for path in command.get_outputs()]


def _require_compiler() -> None:
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if not any(which(name) for name in (compiler, "cc", "gcc", "clang")):
        sys.exit("make wheel needs a C compiler: install gcc or clang, or use `pip install .`, which needs none")
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        sys.exit(f"make wheel needs the C headers of Python {version}, such as the package python{version}-dev")
