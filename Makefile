# The first of these that is there; python3 gets a clear word where it is too old.
PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13,$(shell command -v $(name))) python3)
PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin

# A stamp is newer than the requirements exactly when they are installed.
APP_STAMP := $(VENV)/.app-installed
TEST_STAMP := $(VENV)/.test-installed
# npm's own note of what it installed.
NODE_STAMP := node_modules/.package-lock.json

# Every process would compile what it imports anew: half of the time that a test run takes to begin.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
# Two at a time: what is fetched beside what is installed, and types beside style.
MAKEFLAGS += --jobs=2
.PHONY: help app setup site test test-all lint style types javascript format chromium chromium-package clean

help:  ## list these targets
	@awk -F ':.*## *' '/^[a-z-]+:.*##/ { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

app: $(APP_STAMP)  ## install what the app needs and open it on http://127.0.0.1:8501, or PORT=…
	@$(BIN)/python -c "import socket; socket.create_server(('127.0.0.1', $(PORT))).close()" 2>/dev/null || \
		{ echo "Port $(PORT) is taken, perhaps by this app: close that, or run: make app PORT=$$(($(PORT) + 1))" >&2; exit 1; }
	$(BIN)/python -m streamlit run app.py --server.port $(PORT)

setup: chromium $(NODE_STAMP)  ## install what every other target and the commands in docs need, but for Ray

OUT ?= out/site

site: $(NODE_STAMP)  ## write the main pages as static files into out/site, or OUT=…: any web server serves them
	$(BIN)/python -m viz.site $(OUT)

# One more than the cores, up to four: a browser test waits for half of its time.
PROCESSES := $(shell cores=$$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN); echo $$((cores < 4 ? cores + 1 : 4)))
PYTEST := $(BIN)/python -m pytest -n $(PROCESSES) --dist loadgroup

test: chromium lint  ## run every check: lint, types, import contracts, unit and browser tests
	$(PYTEST) -m "not slow"

test-all: chromium lint  ## the same, and what measures shipped numbers again or kills trainings to resume them
	$(PYTEST)

lint: types style javascript  ## check style, types and the direction of imports

types: $(TEST_STAMP)
	$(BIN)/mypy

style: $(TEST_STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo

javascript: $(TEST_STAMP) $(NODE_STAMP)
	$(BIN)/node node_modules/.bin/biome ci --error-on-warnings --colors=off
	$(BIN)/node node_modules/.bin/tsc
	$(BIN)/node node_modules/.bin/tsc -p tsconfig.loose.json

format: $(TEST_STAMP) $(NODE_STAMP)  ## format the code and fix what can be fixed
	$(BIN)/ruff check --fix --exit-zero
	$(BIN)/ruff format
	$(BIN)/node node_modules/.bin/biome check --write || true

CHROMIUM := for name in chromium-headless-shell chromium chromium-browser google-chrome; do command -v $$name && exit; done

# Debian's package comes before Playwright's download: it brings the system libraries with it.
chromium: chromium-package $(TEST_STAMP)
	@$(CHROMIUM); $(BIN)/playwright install chromium

chromium-package:
	@$(CHROMIUM); \
	if [ "$$(id -u)" -eq 0 ]; then as_root=; else as_root='sudo -n'; fi; \
	command -v apt-get >/dev/null && $$as_root true 2>/dev/null \
		&& $$as_root apt-get update -qq \
		&& for name in chromium-headless-shell chromium; do \
			$$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$name && exit; done; \
	true

clean:  ## remove the virtual environment and every cache
	rm -rf $(VENV) node_modules .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Before anything is made: a virtual environment of an older Python would stay.
$(BIN)/python:
	@$(PYTHON) -c "import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))" 2>/dev/null || \
		{ echo "This needs Python 3.11, 3.12 or 3.13, and $(PYTHON) is not: make app PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(APP_STAMP): requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install -r requirements.txt
	@touch $@

# Not compiled at once, which takes most of the time on one core: each module is at its first import.
$(TEST_STAMP): requirements-test.txt requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --no-compile -r requirements.txt -r requirements-test.txt
	@touch $@

$(NODE_STAMP): package-lock.json $(TEST_STAMP)
	$(BIN)/npm ci --ignore-scripts --no-audit --no-fund
	@touch $@
