# The commands of this repository. `make help` lists them; every target prepares what it needs.
#
#   make PYTHON=python3.12 check      with another interpreter (3.11 or later)

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PREPARED := $(VENV)/.prepared

REPO ?= examples/swift-oauth
Q ?= How does a token get refreshed?
export REPO Q # reach the shell as variables, so that a question may hold quotes

.DEFAULT_GOAL := help
.PHONY: help venv check lint types imports test faults format proto lock docs explain up bench clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "  %-10s %s\n", $$1, $$2 }'

venv: $(PREPARED) ## prepare .venv with the exact versions of requirements.lock

$(PREPARED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Exegesis needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu: sudo apt-get install python3-venv"; exit 1; }
	@test -x $(BIN)/python || { echo "Preparing $(VENV) (about 750 MB, once)"; $(PYTHON) -m venv $(VENV); }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m pip check --quiet || { echo "requirements.lock lacks something that pyproject.toml asks for: make lock"; exit 1; }
	@touch $@

check: lint types imports test ## everything that must pass before a change is merged

lint: $(PREPARED) ## style
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(PREPARED) ## types
	$(BIN)/mypy

imports: $(PREPARED) ## which package may import which
	$(BIN)/lint-imports --no-logo

test: $(PREPARED) ## all tests; ARGS="tests/unit -k wire" for some of them
	$(BIN)/pytest -n 2 $(ARGS)

faults: $(PREPARED) ## what breaks, and what comes of it; also what takes minutes
	$(BIN)/pytest -m "" tests/faults $(ARGS)

format: $(PREPARED) ## put the sources into shape
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

proto: $(PREPARED) ## generate the stubs of proto/
	$(BIN)/python proto/generate.py

docs: $(PREPARED) ## generate docs/cli.md
	$(BIN)/python -m services.gateway.reference > docs/cli.md

lock: ## write requirements.lock anew from pyproject.toml
	rm -rf build/lock
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check "setuptools>=77" ".[dev]"
	build/lock/bin/python -m pip freeze --all --exclude exegesis --exclude pip > requirements.lock
	rm -rf build/lock

explain: $(PREPARED) ## index a project and ask it a question: REPO=path Q="..."
	@$(BIN)/exegesis index "$$REPO"
	@$(BIN)/exegesis outline "$$Q" --project "$$REPO"
	@echo
	@$(BIN)/exegesis explain "$$Q" --project "$$REPO"

up: $(PREPARED) ## run every service on this machine, with one log and one Ctrl-C
	@exec $(BIN)/python -m deploy.up $(ARGS)

bench: $(PREPARED) ## list the benchmarks; each is run by itself
	@for script in $$(grep -l '^if __name__' benchmarks/*.py); do printf '  $(BIN)/python %s\n' "$$script"; done
	@for package in $$(dirname benchmarks/*/__main__.py | tr / .); do printf '  $(BIN)/python -m %s\n' "$$package"; done

clean: ## remove what was generated, but neither .venv nor indexes
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
