# make demo   watch a team work, nothing needed but python3, make and git
# make test   everything that must hold before a change is merged
# make explore  property tests with other examples every time, for as long as you like
# make bench  the ratios, measured side by side in one run (installs its peers)

VENV   := .venv
PEERS  := .venv-bench
PYTHON ?= python3
WORKERS ?= 4
QUIET  ?= --capture=sys -p no:logging
BIN    := $(VENV)/bin
UV     := $(shell command -v uv 2>/dev/null)
export PYTHONDONTWRITEBYTECODE :=
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help demo test explore lint types imports collected all-units unit format docs bench lock clean

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

$(VENV)/run.stamp: pyproject.toml requirements/run.lock
	$(call environment,$(VENV))
	$(call install,requirements/run.lock,$(VENV))
	@touch $@

$(VENV)/dev.stamp: pyproject.toml requirements/dev.lock
	$(call environment,$(VENV))
	$(call install,requirements/dev.lock,$(VENV))
	@touch $(VENV)/run.stamp $@

# the agent CLIs are large and not everywhere to be had: without them their tests are skipped, loudly
$(VENV)/agents.stamp: $(VENV)/dev.stamp requirements/agents.lock
	@echo "installing requirements/agents.lock"
	$(call fetched,--require-hashes -r requirements/agents.lock,$(VENV)) \
	  || echo "NO AGENT CLIS: they could not be installed, tests/live is skipped"
	@touch $@

$(PEERS)/bench.stamp: pyproject.toml requirements/bench.lock
	$(call environment,$(PEERS))
	$(call install,requirements/bench.lock,$(PEERS))
	@touch $@

define environment
	@test -x $(1)/bin/python || $(if $(UV),uv venv --quiet --python '>=3.11' $(1),$(PYTHON) -c 'import sys; sys.exit("drumline needs Python 3.11 or later, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)' && $(PYTHON) -m venv $(1)) || { rm -rf $(1); echo "no environment: install python3-venv, or uv"; exit 1; }
	@test -n "$(UV)" || test -x $(1)/bin/uv || $(1)/bin/python -m pip install --quiet --only-binary :all: --require-hashes -r requirements/install.lock || echo "no uv here: pip takes longer"
endef

# uv takes a tenth of pip's time: one on the PATH is used; else one from the registry, if it gets along here.
# It trusts whom the system trusts, as pip does: behind a proxy of one's own its certificates alone would not do
ifdef UV
fetched = @VIRTUAL_ENV=$(2) uv pip install --quiet --no-deps $(1)
else
fetched = @{ test -x $(2)/bin/uv && VIRTUAL_ENV=$(2) $(2)/bin/uv pip install --system-certs --quiet --no-cache --no-deps $(1); } \
	  || $(2)/bin/python -m pip install --quiet --no-deps $(1)
endif

# a lock names everything: --no-deps, for pip takes an extra that only a dependency asks for as unpinned
define install
	@echo "installing $(1)"
	$(call fetched,--require-hashes -r $(1),$(2))
	$(call fetched,-e .,$(2))
	@$(2)/bin/python -m compileall -q src
endef

demo: $(VENV)/run.stamp
	@$(BIN)/drumline demo

# what is told within seconds comes first, while the agent CLIs are still on their way; types take as long as many
# tests, and are looked at beside them, from when the tests are only read and leave a processor free
test:
	@$(MAKE) --no-print-directory --jobs=3 lint imports $(VENV)/agents.stamp
	@$(MAKE) --no-print-directory --jobs=2 types all-units || { echo "types: $$(tail -n 1 $(VENV)/types.txt)"; exit 1; }

lint: $(VENV)/dev.stamp
	@$(BIN)/ruff format --check --quiet . || { echo "run: make format"; exit 1; }
	@$(BIN)/ruff check --quiet .

# where everything is new, what would be kept for the next time takes a quarter of this one
types: $(VENV)/agents.stamp
	@$(BIN)/mypy $(if $(CI),--cache-dir=/dev/null) > $(VENV)/types.txt 2>&1 && tail -n 1 $(VENV)/types.txt || { cat $(VENV)/types.txt; exit 1; }

imports: $(VENV)/dev.stamp
	@$(BIN)/lint-imports --no-logo 2>/dev/null || $(BIN)/lint-imports

# read once before many workers read it at the same time: who comes first compiles every test.
# It lists few tests, for all of them take as long again as to read them; but property tests must be among them:
# what those gather from our modules beforehand is then there for every worker too
collected: $(VENV)/agents.stamp
	@$(BIN)/python -m pytest --collect-only -qq -o python_functions=test_any_ -o python_classes=None > /dev/null || true

all-units: collected
	@$(MAKE) --no-print-directory unit

# two workers a core: teams are waited for as much as they compute. What a test logs, and what its processes say that
# nobody reads, would cost quick ones a third of their time to keep: `make unit QUIET=` keeps it, and so does a test alone
unit: $(VENV)/agents.stamp
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(QUIET)

explore: $(VENV)/dev.stamp
	@DRUMLINE_TEST_EXPLORE=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal tests/contracts tests/team tests/hooks $(shell grep -l '^from hypothesis' tests/spec/*.py)

format: $(VENV)/dev.stamp
	@$(BIN)/ruff format --quiet . && $(BIN)/ruff check --fix --quiet .

docs: $(VENV)/dev.stamp
	@$(BIN)/drumline team schema > src/drumline/team/manifest.schema.json
	@$(BIN)/drumline policy schema > src/drumline/team/constraints.schema.json
	@$(BIN)/drumline pipeline schema > src/drumline/team/pipeline.schema.json
	@$(BIN)/drumline rehearse --schema > src/drumline/team/scenario.schema.json
	@$(BIN)/python docs/generate.py

bench: $(PEERS)/bench.stamp
	@$(PEERS)/bin/python -m benchmarks

lock: $(VENV)/dev.stamp
	@$(if $(UV),VIRTUAL_ENV=$(VENV) uv pip install,$(BIN)/python -m pip install) --quiet --require-hashes -r requirements/install.lock
	@for set in install run dev agents bench; do $(BIN)/python requirements/compile.py $$set || exit 1; done

clean:
	rm -rf $(VENV) $(PEERS) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist
