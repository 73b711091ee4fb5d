"""Dependencies point one way: each layer may import those before it, never those after."""

import ast
from collections.abc import Collection
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import ecbench

SOURCE = Path(ecbench.__file__).parent
LAYERS = (
    {
        "agent_text",
        "cancellation",
        "quantiles",
        "ranges",
        "csv_text",
        "formatting",
        "redaction",
        "decimals",
        "sums",
    },
    {"errors", "extras"},
    {"rule_values"},
    {"rules", "house_rules"},
    {"world"},
    {"market"},
    {"world.generate"},  # a fresh world is worth what the market's laws make of it
    {"world.load", "suppliers"},
    {"tools", "metrics", "analysis.bound"},
    {"gate", "table"},
    {"episode", "arena"},
    {"players"},
    {"harness"},
    {"runs"},
    {"adapters"},
    {"rl"},
    {"analysis"},
    {"season"},
    {"pages"},
    {"season.site"},  # its pages share the report's frame
    {"cli"},
    {"__main__"},
)
HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}
MODULES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def layer_of(module: str) -> str:
    """Of a dotted name or a path within the package: mostly its first part."""
    first, *rest = module.removeprefix("ecbench.").removesuffix(".py").replace("/", ".").split(".")
    return f"{first}.{rest[0]}" if rest and f"{first}.{rest[0]}" in HEIGHT else first


@cache
def imports_of(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.startswith("ecbench.")}


def test_a_module_imports_only_from_its_own_layer_and_those_below() -> None:
    upwards = [
        f"{path.relative_to(SOURCE)} must not know {name}"
        for path in MODULES
        for name in sorted(imports_of(path))
        if HEIGHT.get(layer_of(name), 0) > HEIGHT[layer_of(str(path.relative_to(SOURCE)))]
    ]
    assert upwards == []


def test_no_two_modules_need_each_other_not_even_lazily() -> None:
    names = {module_name(path): path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py"}
    needs = {name: {owner(found, names) for found in imports_of(path)} - {"", name} for name, path in names.items()}
    try:
        tuple(TopologicalSorter(needs).static_order())
    except CycleError as problem:
        pytest.fail(" needs ".join(reversed(problem.args[1])))


def module_name(path: Path) -> str:
    parts = ("ecbench", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def owner(name: str, names: Collection[str]) -> str:
    """The module that `name` is, or is defined in."""
    while name and name not in names:
        name = name.rpartition(".")[0]
    return name


def test_every_folder_has_a_layer() -> None:
    folders = {path.relative_to(SOURCE).parts[0].removesuffix(".py") for path in MODULES}
    assert folders <= set(HEIGHT)


def test_no_module_or_function_outgrows_a_reader() -> None:
    outgrown = []
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        if len(text.splitlines()) > 400:
            outgrown.append(str(path.relative_to(SOURCE)))
        functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
        outgrown += [
            f"{function.name} in {path.relative_to(SOURCE)}"
            for function in functions
            if (function.end_lineno or 0) - function.lineno > 60
        ]
    assert outgrown == []


def test_no_two_classes_have_one_name() -> None:
    """Words mean one thing each: a search for a class finds one."""
    homes: dict[str, list[str]] = {}
    for path in SOURCE.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}
