# `make run` shows what this is, `make test` proves that it works, `make check` is for the time between two edits.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
TEST_EXTRAS := charts,models,inspect,serve,mcp,ray,sign,docs,dev
WHEEL_TOOLS := "hatchling>=1.27" "mypy>=2.4" "setuptools>=77"

# Hundreds of processes start in the tests: each would compile every module anew if none of them were kept.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run test lint types tests check integrations registries wheel test-wheel same-bytes docs release-check clean
.DEFAULT_GOAL := run

run: $(VENV)/.run-ready
	@out=runs/$$(date +%Y%m%d-%H%M%S)_steady && $(BIN)/ecbench run --out $$out && $(BIN)/ecbench report $$out

# Types are checked while the tests run: that fills the time in which tests wait.
test: $(VENV)/.test-ready
	@echo "Lint, types and all tests: about seven minutes on two idle cores."
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory --jobs 2 types tests

lint: $(VENV)/.test-ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test-ready
	$(BIN)/mypy

tests: $(VENV)/.test-ready
	$(BIN)/pytest -n auto --dist worksteal

# Lint, types and the tests of what changed since the last commit; SINCE=main compares with another one.
SINCE ?= HEAD
check: $(VENV)/.test-ready
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/pytest -x -n auto --dist worksteal $$($(BIN)/python tests/changed.py $(SINCE))

# Types and tests of the packages under integrations/, each in an environment of its own. At first it takes some minutes.
integrations:
	PYTHON=$(PYTHON) integrations/test.sh

# What each public register asks of an entry, checked by the register's own tool as far as it goes offline.
registries:
	integrations/registries.sh

# The compiled wheel of one version of Python, in dist/; PYTHON=python3.12 builds that of another. Needs a C compiler.
WHEELS := build/wheels/$(PYTHON)
wheel: $(WHEELS)/dist/.built

# Installs the wheel in a new environment and tests it there: the suite, or WHEEL_TESTS of it, then years that the wheel
# and the source record and verify for each other. The tests import what is installed: src is not on their path.
WHEEL_TESTS ?= tests
test-wheel: $(VENV)/.test-ready $(WHEELS)/dist/.built
	@echo "Installing the compiled wheel with the test tools into $(WHEELS)/tested ..."
	@rm -rf $(WHEELS)/tested && $(PYTHON) -m venv $(WHEELS)/tested
	@$(WHEELS)/tested/bin/python -m pip install --quiet --disable-pip-version-check --no-compile \
		"$$(ls $(CURDIR)/$(WHEELS)/dist/*.whl)[$(TEST_EXTRAS)]"
	@$(WHEELS)/tested/bin/ecbench --version | grep "(compiled,"
	$(WHEELS)/tested/bin/python -m pytest -n auto --dist worksteal $(WHEEL_TESTS)
	$(BIN)/python benchmarks/cross_verify.py $(BIN)/ecbench $(WHEELS)/tested/bin/ecbench
	@for check in ../shared/parity/check.py; do [ ! -f $$check ] || $(WHEELS)/tested/bin/python $$check; done

# Years that the compiled wheel of each version of Python and the source record and verify for each other.
PYTHONS ?= python3.11 python3.12 python3.13
same-bytes: $(VENV)/.test-ready
	@for python in $(PYTHONS); do \
		$(MAKE) --no-print-directory build/wheels/$$python/bare PYTHON=$$python || exit 1; done
	$(BIN)/python benchmarks/cross_verify.py $(BIN)/ecbench $(foreach each,$(PYTHONS),build/wheels/$(each)/bare/bin/ecbench)

# The documentation as a site with search, in build/docs. A broken link or a page without a place fails.
docs: $(VENV)/.test-ready
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict
	@echo "build/docs is ready; to read it with its search: $(BIN)/python -m http.server --directory build/docs"

# Builds the artefacts of a release and tries them in new environments of Python 3.11 to 3.13; release/check.py.
release-check:
	$(shell command -v $(PYTHON) || command -v python3) -m release.check

clean:
	rm -rf $(VENV) build integrations/.venvs .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	$(shell command -v $(PYTHON) || command -v python3) -m venv $(VENV)

# Installed again only when the dependencies change; the package itself is editable.
$(VENV)/.run-ready: pyproject.toml | $(BIN)/python
	@echo "Installing ecbench into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[charts]"
	@touch $@

# What the build needs is not of the package: no other target has a compiler's needs.
$(WHEELS)/builder/.ready: pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "make wheel needs $(PYTHON), which is not on the path" >&2; exit 1; }
	@$(PYTHON) -m venv $(WHEELS)/builder
	@$(WHEELS)/builder/bin/python -m pip install --quiet --disable-pip-version-check $(WHEEL_TOOLS)
	@touch $@

$(WHEELS)/dist/.built: pyproject.toml hatch_build.py $(shell find src -name "*.py") | $(WHEELS)/builder/.ready
	@rm -rf $(WHEELS)/dist && mkdir -p dist
	@$(WHEELS)/builder/bin/python -m hatchling build --target custom --directory $(WHEELS)/dist
	@cp $(WHEELS)/dist/*.whl dist/ && touch $@

$(WHEELS)/bare: $(WHEELS)/dist/.built
	@rm -rf $@ && $(PYTHON) -m venv $@
	@$@/bin/python -m pip install --quiet --disable-pip-version-check "$$(ls $(CURDIR)/$(WHEELS)/dist/*.whl)[charts]"

$(VENV)/.test-ready: pyproject.toml | $(BIN)/python
	@echo "Installing ecbench with its test tools into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable ".[$(TEST_EXTRAS)]"
	@touch $@ $(VENV)/.run-ready
