# The commands of the house. `make` alone lists them.

MAKEFLAGS += --no-print-directory
SHELL := /bin/bash

PORT ?=
DATA ?= data

.PHONY: help run build test check bench screenshots format vectors clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The first line on stdout is the relay's own, so all that happens before it goes to stderr.
run: ## installs what is missing, builds, and opens Hearth (PORT=, DATA=data; without PORT 8080, or any free one when that is taken)
	@scripts/install run
	@swift build -c release --product hearth >&2
	@port="$(PORT)"; [ -n "$$port" ] || if (exec 3<>/dev/tcp/127.0.0.1/8080) 2>/dev/null; then port=0; else port=8080; fi; \
	exec .build/release/hearth serve --port "$$port" --data "$(DATA)" $(ARGUMENTS)

build: ## the relay, in release mode
	@scripts/install run
	@swift build -c release --product hearth

test: ## everything: build, formats, types, unit tests, the house, browsers
	@scripts/test all

check: ## the quick part of test: no browser, no release build
	@scripts/test quick

bench: ## one photo, thirty, and 100 MB through the relay, beside nginx
	@scripts/install bench
	@swift build -c release --product hearth >&2
	@.venv/bin/python Benchmarks/bench.py

screenshots: ## takes docs/images anew from a test run
	@scripts/install test
	@swift build -c release --product hearth >&2
	@.venv/bin/python -m pytest -q Tests/browser/test_screenshots.py --screenshots docs/images

format: ## formats Swift in place
	@swift format --in-place --parallel --recursive Package.swift Sources Tests

vectors: ## writes Vectors/wire/frames.json anew
	@python3 Vectors/wire/make.py

clean: ## removes what was built; keeps DATA
	@rm -rf .build .venv artifacts
