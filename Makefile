# Two commands for everyone: `make run` and `make test`. Both install what they need into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: run test lint unit zones build bench soak mutate docs clean

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $(STAMP)

run: $(STAMP)
	$(BIN)/python samples/run.py

test: lint build unit zones

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/sqlfluff lint --processes 2 models tests/data

build: $(STAMP)
	CONTEXTFUL_HOME=$(CURDIR)/target/test-home $(BIN)/dbt --quiet build --profiles-dir profiles

unit: $(STAMP)
	$(BIN)/pytest -n 2

# The same bytes wherever the machine thinks it is.
zones: $(STAMP)
	TZ=Pacific/Midway $(BIN)/pytest tests/python/test_old_lakes.py tests/python/test_instants.py
	TZ=Pacific/Kiritimati $(BIN)/pytest tests/python/test_old_lakes.py tests/python/test_instants.py

bench: $(STAMP)
	$(BIN)/python bench/run.py

soak: $(STAMP)
	$(BIN)/python bench/soak.py

mutate: $(STAMP)
	$(BIN)/python tests/mutate.py

docs: $(STAMP)
	$(BIN)/python docs/generate.py

clean:
	rm -rf target logs
