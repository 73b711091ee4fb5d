"""Build the artefacts of a release, check them, and try them in new environments: `make release-check`.

Exit codes: 0 everything holds, 1 something is wrong, 75 something could not be tried and the rest holds.
What only the owner of the project can do is listed as such. The artefacts are copied to `dist/` unless one is wrong.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from email.parser import Parser
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from release.commands import WITH_EXTRA, WITHOUT_EXTRAS

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13")
IN_SDIST = (
    "CHANGELOG.md",
    "CITATION.cff",
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "docs/install.md",
    "tests/conftest.py",
)
LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)\s]+)\)")
UNTRIED = 75
SKU = "import ecbench; print(ecbench.load_world('default').products[0].sku)"


class Checklist:
    """What holds, what is wrong, what could not be tried and what is left to the owner; printed as it is found."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.untried: list[str] = []
        self.owner: list[str] = []

    def check(self, what: str, *problems: str) -> None:
        """`what` holds unless there is a problem."""
        self.wrong += [f"{what}: {problem}" for problem in problems]
        print(
            f"{'WRONG  ' if problems else 'holds  '} {what}",
            *(f"          {each}" for each in problems),
            sep="\n",
            flush=True,
        )

    def leave_untried(self, what: str) -> None:
        self.untried.append(what)
        print(f"NOT TRIED {what}", flush=True)

    def exit_code(self) -> int:
        for title, lines in (("WRONG", self.wrong), ("NOT TRIED", self.untried), ("LEFT TO THE OWNER", self.owner)):
            if lines:
                print(f"\n{title}", *(f"- {line}" for line in lines), sep="\n")
        return 1 if self.wrong else UNTRIED if self.untried else 0


def run(*command: str | Path, cwd: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    clean |= variables
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, cwd=cwd, env=clean, check=False
    )


def last_line(done: subprocess.CompletedProcess[str], beginning: str = "") -> str:
    """The last line that begins so; of its output where it has printed no error."""
    lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return next((line for line in reversed(lines) if line.startswith(beginning)), "no output")


def find_python(version: str) -> str | None:
    """An interpreter of that version on the path or among those of pyenv."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for place in (f"python{version}", *sorted(map(str, root.glob(f"{version}.*/bin/python")), reverse=True)):
        found = shutil.which(place)
        if found and run(found, "-c", "import sys; print('%d.%d' % sys.version_info[:2])").stdout.strip() == version:
            return found
    return None


def new_environment(python: str, place: Path, *packages: str | Path) -> str:
    """Make a virtual environment with packages; returns why it could not be made, or nothing."""
    made = run(python, "-m", "venv", place)
    if made.returncode == 0 and packages:
        made = run(
            place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages
        )
    return last_line(made) if made.returncode else ""


def check_versions(found: Checklist) -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version: str = project["version"]
    heading = re.search(r"^## (\S+)(.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    stated = {"CHANGELOG.md": heading and heading[1], "CITATION.cff": cited and cited[1]}
    differing = [f"{file} has {other}" for file, other in stated.items() if other != version]
    found.check(f"version {version} in pyproject.toml, CHANGELOG.md and CITATION.cff", *differing)
    if heading and "not released" in heading[2]:
        found.owner.append(f"set the date of {version} in CHANGELOG.md, and `date-released` in CITATION.cff")
    if "urls" not in project:
        found.owner.append(
            "set [project.urls] in pyproject.toml and `repository-code` in CITATION.cff: no address is known"
        )
    return version


def check_readme(found: Checklist) -> None:
    """A package index shows README.md without the repository: links into it have to be absolute there."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    inside = [(image, place) for image, place in LINK.findall(text) if "://" not in place and not place.startswith("#")]
    missing = sorted({place for _, place in inside if not (ROOT / place.partition("#")[0]).exists()})
    found.check("README.md links to files that exist", *missing)
    if inside:
        images = sum(bool(image) for image, _ in inside)
        found.owner.append(
            f"README.md has {images} images and {len(inside) - images} links relative to the repository, which a "
            "package index does not show: make them absolute once the repository has an address"
        )


def build(found: Checklist, tools: Path, place: Path) -> tuple[Path, Path] | None:
    """The sdist and the wheel that is built from it; a wheel from the tree has the same bytes."""
    python = tools / "bin" / "python"
    done = run(python, "-m", "build", "--outdir", place)
    found.check("sdist and wheel are built", *([last_line(done)] if done.returncode else []))
    if done.returncode:
        return None
    (sdist,), (wheel,) = place.glob("*.tar.gz"), place.glob("*.whl")
    done = run(python, "-m", "build", "--wheel", "--outdir", place / "from_tree")
    direct = place / "from_tree" / wheel.name
    same = direct.is_file() and direct.read_bytes() == wheel.read_bytes()
    found.check(
        "the sdist gives the same wheel as the repository", *([] if same else [_first_difference(direct, wheel)])
    )
    done = run(python, "-m", "twine", "check", "--strict", sdist, wheel)
    found.check("twine accepts the metadata", *([last_line(done)] if done.returncode else []))
    return sdist, wheel


def _first_difference(one: Path, other: Path) -> str:
    if not one.is_file():
        return f"{one.name} was not built"
    with zipfile.ZipFile(one) as first, zipfile.ZipFile(other) as second:
        crcs = [{info.filename: info.CRC for info in archive.infolist()} for archive in (first, second)]
    differing = sorted(name for name in crcs[0].keys() | crcs[1].keys() if crcs[0].get(name) != crcs[1].get(name))
    return (
        f"{len(differing)} files differ, such as {differing[0]}"
        if differing
        else "the files are equal, the archives are not"
    )


def check_contents(found: Checklist, sdist: Path, wheel: Path, version: str) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    found.check(
        "the sdist holds changelog, citation, licence, docs and tests", *(n for n in IN_SDIST if n not in names)
    )
    with zipfile.ZipFile(wheel) as archive:
        files = archive.namelist()
        facts = Parser().parsestr(archive.read(f"ecbench-{version}.dist-info/METADATA").decode())
    wanted = (
        "Summary",
        "Author",
        "Maintainer",
        "License-Expression",
        "Requires-Python",
        "Keywords",
        "Description-Content-Type",
    )
    found.check("the wheel states its facts", *(f"{name} is missing" for name in wanted if not facts.get(name)))
    licences = [
        name for name in facts.get_all("License-File", []) if not any(n.endswith(f"licenses/{name}") for n in files)
    ]
    beside = [n for n in files if not n.startswith(("ecbench/", f"ecbench-{version}.dist-info/"))]
    found.check("the wheel holds the package and its licences, and nothing else", *licences, *beside[:3])


def try_artefact(found: Checklist, python: str, artefact: Path, place: Path, what: str) -> dict[str, str]:
    """Install into a new environment and play a year; the checksums of its files, without `run.json`."""
    problem = new_environment(python, place / "env", artefact)
    found.check(f"{what}: installs", *([problem] if problem else []))
    if problem:
        return {}
    ecbench, folder = place / "env" / "bin" / "ecbench", place / "year"
    done = run(ecbench, "run", "--agent", "haggler", "--quiet", "--out", folder, cwd=place)
    if done.returncode == 0:
        done = run(ecbench, "verify", folder, cwd=place)
    shown = run(ecbench, "--version", cwd=place).stdout.strip()
    found.check(f"{what}: plays and verifies a year ({shown})", *([last_line(done)] if done.returncode else []))
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "run.json")
    return {str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest() for path in files}


def check_commands(found: Checklist, place: Path) -> None:
    """Every command without extras works, or names the extra that it needs."""
    ecbench, folder = place / "env" / "bin" / "ecbench", place / "commands"
    folder.mkdir()
    sku = run(place / "env" / "bin" / "python", "-c", SKU, cwd=folder).stdout.strip()
    problems = []
    for command in WITHOUT_EXTRAS:
        done = run(ecbench, *command.format(sku=sku).split(), cwd=folder)
        problems += [f"{command}: {last_line(done)}"] if done.returncode else []
    for extra, commands in WITH_EXTRA.items():
        for command in commands:
            done = run(ecbench, *command.format(sku=sku).split(), cwd=folder)
            named = f"ecbench[{extra}]" in done.stderr and done.stderr.count("\n") == 1
            problems += [] if named and done.returncode == 2 else [f"{command}: {last_line(done)}"]
    problems += [f"{path.name} was written by a refused command" for path in folder.glob("new*")]
    found.check("without extras every command works or names its extra", *problems)


def try_everywhere(found: Checklist, artefacts: Sequence[Path], place: Path) -> None:
    years: dict[str, dict[str, str]] = {}
    for version in PYTHONS:
        python = find_python(version)
        if python is None:
            found.leave_untried(f"Python {version}: no such interpreter was found on the path or among pyenv's")
            continue
        chosen = [artefact for artefact in artefacts if artefact.suffix == ".whl" or not years]  # the sdist once
        for artefact in [*chosen, *compiled_wheel(found, version, python)]:
            what = f"Python {version}, {artefact.name}"
            years[what] = try_artefact(found, python, artefact, place / f"{len(years)}", what)
            if len(years) == 1 and years[what]:
                check_commands(found, place / "0")
    reference = next(iter(years.values()), {})
    differing = [what for what, files in years.items() if files != reference]
    found.check(f"{len(years)} installations give the same bytes, {len(reference)} files", *differing)


def compiled_wheel(found: Checklist, version: str, python: str) -> Iterator[Path]:
    """What `make wheel` builds for this Python; nothing where there is no compiler or no header of C."""
    name = f"python{version}"
    path = os.pathsep.join((str(Path(python).parent), os.environ.get("PATH", "")))
    done = run("make", "--no-print-directory", "wheel", f"PYTHON={name}", PATH=path)
    if done.returncode and "needs" in last_line(done, "make wheel needs"):
        found.leave_untried(f"the compiled wheel of Python {version}: {last_line(done, 'make wheel needs')}")
        return
    found.check(f"Python {version}: make wheel", *([last_line(done)] if done.returncode else []))
    yield from (ROOT / "build" / "wheels" / name / "dist").glob("*.whl")


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    found = Checklist()
    version = check_versions(found)
    check_readme(found)
    with TemporaryDirectory(prefix="ecbench-release-") as scratch:
        place = Path(scratch)
        problem = new_environment(sys.executable, place / "tools", "build", "twine")
        if problem:
            found.leave_untried(f"the artefacts: `build` and `twine` cannot be installed: {problem}")
            return found.exit_code()
        artefacts = build(found, place / "tools", place / "built")
        if artefacts:
            check_contents(found, *artefacts, version)
            try_everywhere(found, artefacts[::-1], place)
        if not found.wrong:
            (ROOT / "dist").mkdir(exist_ok=True)
            for artefact in artefacts or ():
                shutil.copy2(artefact, ROOT / "dist")
                print(f"dist/{artefact.name}  sha256 {sha256(artefact.read_bytes()).hexdigest()}")
    return found.exit_code()


if __name__ == "__main__":
    sys.exit(main())
