# The commands of EnigmaForge. `make` alone lists them.
#
# A virtual environment in .venv gets exactly what the lock file names, checked by hash. It is left
# alone while the lock file is unchanged. The benchmark has one of its own, in .venv-bench.

PORT ?= 8000
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null \
	&& echo $$p && break; done)
VENV := .venv
BIN = $(VENV)/bin
SHELL := /bin/sh
comma := ,
MAKEFLAGS += --no-print-directory
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.DEFAULT_GOAL := help
.PHONY: help run test test-all test-browser check bench goldens install install-dev lock sign-in \
	clean python-in-range

help: ## List the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 22

run: install ## Start EnigmaForge on 127.0.0.1 (PORT=8000) and print its address
	@exec $(BIN)/python manage.py up --port $(PORT)

sign-in: install ## Print a new one-time sign-in link for a running EnigmaForge
	@exec $(BIN)/python manage.py sign_in_link

test: install-dev ## Run every test that takes less than ten seconds
	@$(BIN)/python -m pytest -n 2 -q -m "not slow"

test-all: install-dev ## Run every test
	@$(BIN)/python -m pytest -n 2 -q

check: install-dev ## Lint, types, layers, templates, settings, migrations
	@.ci/check $(BIN)

bench: VENV := .venv-bench
bench: python-in-range ## Measure against z3, CaDiCaL and reasoning-gym (ARGS="--worlds 5"; needs cc)
	@$(call install,requirements-bench.lock,--no-binary cellpylib$(comma)pycosat$(comma)zss)
	@exec $(BIN)/python manage.py bench $(ARGS)

goldens: install-dev ## Write the golden digests again, after a wanted change of what ids mean
	@exec $(BIN)/python -m tests.worlds.core.goldens --write

install: python-in-range
	@$(call install,requirements.lock)

install-dev: python-in-range
	@$(call install,requirements-dev.lock)

lock: ## Compile the lock files again, after a change of pyproject.toml (needs uv)
	@for extra in "" "-dev" "-bench"; do \
		{ echo '# Made by `make lock`. Do not edit: change pyproject.toml and run `make lock`.'; \
		uv pip compile pyproject.toml $${extra:+--group $${extra#-} -c requirements.lock} --universal \
			--python-version 3.11 --generate-hashes --no-header -q; } > lock.tmp \
		&& mv lock.tmp requirements$$extra.lock || exit 1; \
	done

clean: ## Remove the virtual environments; the data in var/ stays
	@rm -rf .venv .venv-bench

python-in-range:
	@test -n "$(PYTHON)" && $(PYTHON) -c 'import sys; \
		sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null || { \
		echo "EnigmaForge needs Python 3.11, 3.12 or 3.13; found $$($(or $(PYTHON),python3) --version \
		2>&1 | head -n 1). Name another: make run PYTHON=/path/to/python3.11" >&2; exit 1; }

# $(call install,LOCK,OPTIONS): make the environment if need be and install LOCK into it, once per
# content. OPTIONS name the packages that exist as source only.
# The environment keeps a copy of each lock it satisfies; the larger lock satisfies the smaller.
define install
if ! $(BIN)/python -c 'import pip' 2>/dev/null; then \
	rm -rf $(VENV); \
	$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || { rm -rf $(VENV); \
		echo "$(PYTHON) cannot make a virtual environment; on Debian: apt-get install python3-venv" \
		>&2; exit 1; }; \
fi; \
if ! cmp -s $(1) $(VENV)/$(1); then \
	echo "Installing the dependencies into $(VENV) …"; \
	rm -f $(VENV)/*.lock; \
	if ! $(BIN)/python -m pip install --retries 1 --require-hashes --no-deps --only-binary :all: $(2) \
		-r $(1) >$(VENV)/install.log 2>&1; then \
		reason=$$(grep -m 1 '^ERROR:' $(VENV)/install.log | cut -c 8-); \
		if grep -q 'NewConnectionError\|Name or service not known\|ProxyError\|ConnectTimeout\|NameResolutionError\|name resolution' \
			$(VENV)/install.log; then reason="the package index cannot be reached; is there a network?"; fi; \
		echo "The dependencies cannot be installed: $$reason (all of it in $(VENV)/install.log)" >&2; \
		exit 1; \
	fi; \
	cp requirements.lock $(VENV)/requirements.lock; cp $(1) $(VENV)/$(1); \
fi
endef
