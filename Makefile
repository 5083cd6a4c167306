# Each target makes what it needs inside this folder: the environment in .venv, results in assay-out.
# Needed beforehand: Python 3.11 or newer and make. A C compiler is used if there is one.

PYTHON ?= python3
PYTEST_ARGS ?= -n auto --dist loadscope --no-loadscope-reorder
FUZZ_SEED ?= 1
FUZZ_CASES ?= 25000

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet
INSTALL := $(PIP) install --constraint constraints.txt
RUNTIME := $(VENV)/.runtime-installed
DEV := $(VENV)/.dev-installed
LLM := .venv-llm/.installed
ENGINES := .venv-engines/.installed
KERNEL := $(wildcard src/assay/_kernels/*.[ch])
RECIPE := pyproject.toml setup.py constraints.txt $(KERNEL)

# The compiler: CC if given, else the first on the path, else none, which leaves the ziglang wheel.
ifeq ($(origin CC),default)
CC := $(firstword $(foreach name,cc gcc clang,$(shell command -v $(name) 2>/dev/null)) false)
endif
ZIG := $(BIN)/python -m ziglang cc -mcpu=baseline
LINK := $(if $(filter Linux,$(shell uname -s)),-shared)
build = CC="$(1)" $(if $(LINK),LDSHARED="$(1) $(LINK)") $(INSTALL) --no-build-isolation --editable
COMPILED := $(BIN)/python -c "import assay._kernels._compiled" 2>/dev/null

ifdef CI
export ASSAY_REQUIRE_COMPILED ?= 1
endif
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Every process that tests start would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

REASONING := src/assay/data/reasoning
.DEFAULT_GOAL := help
.PHONY: demo test test-engines check ci bench soak help clean

demo: $(RUNTIME) ## evaluate the bundled synthetic run end to end
	@echo "assay: evaluating the bundled example"
	@$(BIN)/assay demo
	@echo "assay: evaluating the bundled example of reasoning"
	@$(BIN)/assay reasoning --generations $(REASONING)/results --vignettes $(REASONING)/vignettes.json \
		--gold-labels $(REASONING)/gold_labels.json --bias-cases $(REASONING)/bias_cases.json

test: $(DEV) $(LLM) ## run the tests, some of them against a small real model
	@echo "assay: running the tests"
	@$(BIN)/python -m pytest -m "not slow" $(PYTEST_ARGS)

test-engines: $(ENGINES) ## run one fixture through DuckDB, Polars, Ibis, Dask and Spark (needs Java)
	@echo "assay: running one fixture through five engines"
	@.venv-engines/bin/python -m pytest -q -p no:cacheprovider -m "not slow" -W ignore tests/distributed

check: $(DEV) ## format, lint, types, import layers, docs staleness, shape
	@echo "assay: checking the format"
	@$(BIN)/ruff format --check --quiet .
	@echo "assay: checking the lint rules"
	@$(BIN)/ruff check --quiet .
	@echo "assay: checking the types"
	@$(BIN)/mypy
	@echo "assay: checking the import layers"
	@$(BIN)/lint-imports --no-logo
	@echo "assay: checking that the generated docs are current"
	@$(BIN)/python tools/docs.py --check
	@echo "assay: checking the shape"
	@$(BIN)/python tools/shape.py

# Every formula and the inference must be covered to the last branch.
COVERED := */assay/metrics/*,*/assay/derive/*,*/assay/inference/*

ci: check $(LLM) ## check, test and the coverage gate
	@test -z "$$ASSAY_REQUIRE_COMPILED" || $(COMPILED) || \
		{ echo "assay: the compiled module is required here and is missing" >&2; exit 1; }
	@echo "assay: running the tests of formulas with coverage"
	@$(BIN)/python -m pytest -m "formulas and not slow" --cov --cov-report= $(PYTEST_ARGS)
	@$(BIN)/coverage report --include="$(COVERED)" --fail-under=100
	@echo "assay: running the other tests"
	@$(BIN)/python -m pytest -m "not formulas and not slow" $(PYTEST_ARGS)

bench: $(DEV) ## run the benchmarks
	@echo "assay: running the benchmarks"
	@$(BIN)/python -m bench

soak: $(DEV) $(LLM) $(ENGINES) ## run all tests, slow ones too, with many more examples, and the long search for faults
	@echo "assay: running all tests at length"
	@HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest --timeout=0 $(PYTEST_ARGS)
	@echo "assay: killing workers of Dask and Spark in the middle"
	@.venv-engines/bin/python -m pytest -q -p no:cacheprovider -m slow -W ignore tests/distributed
	@echo "assay: trying every command on inputs that are not as they should be"
	@$(BIN)/python -m tests.fuzz --seed $(FUZZ_SEED) --cases $(FUZZ_CASES)
	@echo "assay: simulating what intervals cover and how often tests reject"
	@$(BIN)/python -m bench.coverage

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' Makefile

clean: ## remove the environment, caches and build leftovers (results stay)
	@echo "assay: removing the environment and caches"
	@rm -rf $(VENV) .venv-llm .venv-engines build dist src/*.egg-info src/assay/_kernels/*.so .coverage .coverage.* \
		.hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "assay: Python 3.11 or newer is needed, and \`$(PYTHON)\` is not;" \
			"name one, as in: make PYTHON=python3.12 demo" >&2; exit 1; }
	@echo "assay: creating the environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(RUNTIME): $(RECIPE) | $(BIN)/python
	@echo "assay: installing the package and what it needs to run"
	@rm -f src/assay/_kernels/_compiled.*so
	@$(INSTALL) setuptools
	@$(call build,$(CC)) .
	@$(COMPILED) || { \
		echo "assay: no C compiler that works, so the ziglang wheel builds the compiled module"; \
		export ZIG_GLOBAL_CACHE_DIR="$(CURDIR)/$(VENV)/zig" ZIG_LOCAL_CACHE_DIR="$(CURDIR)/$(VENV)/zig"; \
		$(INSTALL) ziglang && $(call build,$(ZIG)) . && $(COMPILED); } || \
		echo "assay: no compiled module here; the NumPy form of the kernels serves, more slowly"
	@touch $@

# The compiled module is there by now (or cannot be): `false` keeps it from being built twice.
$(DEV): $(RUNTIME)
	@echo "assay: installing the test and check tools"
	@$(call build,false) ".[dev]"
	@touch $@

# The engines that tables are reduced on, in an environment of their own (1.2 GB).
$(ENGINES): constraints-engines.txt | $(RUNTIME)
	@echo "assay: installing the engines that tables are reduced on"
	@test -x .venv-engines/bin/python || $(PYTHON) -m venv .venv-engines
	@.venv-engines/bin/python -m pip --quiet install --constraint constraints-engines.txt \
		"dask[dataframe]" distributed "ibis-framework[duckdb]" polars psutil pyspark pytest setuptools
	@CC=false .venv-engines/bin/python -m pip --quiet install --constraint constraints-engines.txt \
		--no-build-isolation --editable .
	@touch $@

# A server and a small model that the tests ask over HTTP, in an environment of their own (220 MB).
$(LLM): tools/llm_env.py | $(BIN)/python
	@echo "assay: installing the small real model that tests ask"
	@$(BIN)/python tools/llm_env.py || { \
		test -z "$$ASSAY_REQUIRE_LLM" || exit 1; \
		echo "assay: no real model here; the tests that ask one are skipped"; }
	@test ! -e $@ || touch $@
