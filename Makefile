PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin

# A stamp is newer than the requirements exactly when they are installed.
APP_STAMP := $(VENV)/.app-installed
TEST_STAMP := $(VENV)/.test-installed

.DEFAULT_GOAL := help
# Prerequisites run in the order written, even under `make -j`.
.NOTPARALLEL:
.PHONY: help app test lint format chromium clean

help:  ## list these targets
	@awk -F ':.*## *' '/^[a-z]+:.*##/ { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

app: $(APP_STAMP)  ## install what the app needs and open it on http://127.0.0.1:8501
	$(BIN)/python -m streamlit run app.py

test: chromium lint  ## run every check: lint, types, import contracts, unit and browser tests
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadgroup

lint: $(TEST_STAMP)  ## check style, types and the direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(TEST_STAMP)  ## format the code and fix what can be fixed
	$(BIN)/ruff check --fix --exit-zero
	$(BIN)/ruff format

# Debian's package comes before Playwright's download: it brings the system libraries with it.
chromium: $(TEST_STAMP)
	@for name in chromium chromium-browser google-chrome; do command -v $$name && exit; done; \
	if [ "$$(id -u)" -eq 0 ]; then as_root=; else as_root='sudo -n'; fi; \
	command -v apt-get >/dev/null && $$as_root true 2>/dev/null \
		&& $$as_root apt-get update -qq \
		&& $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium \
		&& exit; \
	$(BIN)/playwright install chromium

clean:  ## remove the virtual environment and every cache
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# Translators are compiled once (model/decoding/compiled/kernels.py), here rather than while someone waits for a first sentence.
COMPILE := $(BIN)/python -c "from pretrained import load_translator; load_translator('translation-en-de').translate('Hello.')"

$(APP_STAMP): requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install -r requirements.txt
	$(COMPILE)
	@touch $@

$(TEST_STAMP): requirements-test.txt requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install -r requirements.txt -r requirements-test.txt
	$(COMPILE)
	@touch $@
