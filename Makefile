# The commands of the house. `make` alone lists them.

MAKEFLAGS += --no-print-directory
SHELL := /bin/bash

PORT ?=
DATA ?= data

.PHONY: help run build test check docs bench abuse screenshots fuzz simulate crash sanitize sanitize-thread sanitize-address format vectors clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

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

docs: ## the documentation of the Swift modules, with tutorials, as a site (artifacts/documentation; HOSTING_BASE_PATH=/)
	@scripts/install run
	@swift build --target GroupActivitiesTesting >&2
	@scripts/docs

bench: ## one photo, thirty, and 100 MB through the relay by both clients, beside nginx with and without TLS
	@scripts/install bench
	@swift build -c release --product hearth >&2
	@swift build -c release --product BenchmarkParticipant >&2
	@.venv/bin/python Benchmarks/bench.py

abuse: ## others' message latency beside floods, deaf readers and thousands of silent connections; two thousand who come back at once
	@scripts/install test
	@swift build -c release --product hearth >&2
	@swift build -c release --product BenchmarkParticipant >&2
	@.venv/bin/python Benchmarks/abuse.py; status=$$?; .venv/bin/python Benchmarks/storm.py && exit $$status

fuzz: ## every reader of outside bytes on spoiled input (SECONDS=20 each, TARGETS=all of them)
	@scripts/install test
	@swift build -c release --product hearth >&2
	@Fuzzing/run $(or $(SECONDS),20) $(TARGETS)

simulate: ## whole conversations on the production code, drawn from seeds (SEED=1, CONVERSATIONS=2000; KEEP=, CALM=1, HOSTILE=1: over a relay that lies, SABOTAGE=, ARGUMENTS=--frames)
	@scripts/install test
	@swift build -c release --product Simulation >&2
	@.build/release/Simulation --seed $(or $(SEED),1) $(if $(KEEP),--keep $(KEEP),--conversations $(or $(CONVERSATIONS),2000)) $(if $(CALM),--calm) $(if $(HOSTILE),--hostile) $(if $(SABOTAGE),--sabotage $(SABOTAGE)) $(ARGUMENTS)

crash: ## kills the relay and participants again and again under load and looks for what is lost (KILLS=200, SEED=1)
	@scripts/install test
	@swift build -c release --product hearth >&2
	@swift build -c release --product CrashPerformer >&2
	@PATH="$$PWD/.venv/bin:$$PATH" node --no-warnings --experimental-websocket Tests/crash/crash-relay.mjs --kills $(or $(KILLS),200) --seed $(or $(SEED),1) --recovery-seconds 5

sanitize: sanitize-thread sanitize-address ## the Swift tests under ThreadSanitizer, then under AddressSanitizer

sanitize-thread: ## the Swift tests under ThreadSanitizer
	@scripts/install test
	@scripts/sanitize thread

sanitize-address: ## the Swift tests under AddressSanitizer, leaks included
	@scripts/install test
	@scripts/sanitize address

screenshots: ## takes docs/images anew from a test run
	@scripts/install test
	@swift build -c release --product hearth >&2
	@.venv/bin/python -m pytest -q Tests/browser/test_screenshots.py --screenshots docs/images

format: ## formats Swift in place
	@swift format --in-place --parallel --recursive Package.swift Sources Tests Fuzzing Examples Benchmarks

vectors: ## writes Vectors/wire/frames.json anew
	@python3 Vectors/wire/make.py

clean: ## removes what was built; keeps DATA
	@rm -rf .build .venv artifacts
