# `make run` shows what this is, `make test` proves that it works, `make check` is for the time between two edits.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin

# Hundreds of processes start in the tests: each would compile every module anew if none of them were kept.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run test lint types tests check integrations docs release-check clean
.DEFAULT_GOAL := run

run: $(VENV)/.run-ready
	@$(BIN)/ecbench run --report

# Types are checked while the tests run: that fills the time in which tests wait.
test: $(VENV)/.test-ready
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

$(VENV)/.test-ready: pyproject.toml | $(BIN)/python
	@echo "Installing ecbench with its test tools into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[charts,models,serve,mcp,ray,sign,docs,dev]"
	@touch $@ $(VENV)/.run-ready
