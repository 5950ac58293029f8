# make build   environment, generate, compile, load, smoke-test the library of ops.yaml, show what was made
# make test    everything: opgen's own tests and the generated ones
# make lint    types, style, layers (make format mends style)
# make site    the documentation as a site, in build/site

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
JOBS   ?= 2

.PHONY: build test test-opgen test-generated lint format site clean
.DEFAULT_GOAL := build

build: $(VENV)/.installed
	$(BIN)/opgen build

test: test-opgen test-generated

test-opgen: $(VENV)/.installed
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -q

test-generated: build
	$(BIN)/opgen test -n $(JOBS) -q

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy site
	$(BIN)/lint-imports
	$(BIN)/opgen fmt --check ops.yaml examples
	$(BIN)/opgen lint
	$(BIN)/opgen generate --check

format: $(VENV)/.installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/opgen fmt ops.yaml examples

site: $(VENV)/.installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --config-file site/mkdocs.yml

clean:
	rm -rf build dist $(VENV)

# One install, repeated when what it depends on changes. pip reads PEP 735 groups from 25.1 on.
$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@
