# Two commands matter: `make run` to play, `make test` to check everything. The rest are their parts.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

ifeq ($(filter oneshell,$(.FEATURES)),) # older ones ignore .SHELLFLAGS, so a failure within a recipe would be lost
$(error GNU make 3.82 or newer is needed; on macOS: brew install make, and gmake)
endif

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
COMMIT ?= $(shell git rev-parse HEAD 2>/dev/null || echo unknown)
BUILD := CGO_ENABLED=0 go build -trimpath -buildvcs=false
LINT := bin/golangci-lint
# npm writes this file last, so an install that was cut short does not count as done.
MODULES := webapp/node_modules/.package-lock.json

WEB_SOURCES := $(shell find webapp/src webapp/public webapp/index.html webapp/vite.config.ts -type f 2>/dev/null)
GO_SOURCES := $(shell find . -name '*.go' -not -path './webapp/*' -not -path './sandbox/*' 2>/dev/null) \
	$(shell find models/db/migrations bot -type f 2>/dev/null) api/openapi.yaml go.mod go.sum
SANDBOX_SOURCES := $(shell find sandbox -type f 2>/dev/null)

.PHONY: help
help: ## list the commands
	@grep -hE '^[a-z][a-z0-9-]*:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

# --- play ---------------------------------------------------------------------------------

.PHONY: run
run: bin/mcbk bin/sandbox ## play: opens a phone with a chat, no account or network needed
	bin/sandbox -mcbk bin/mcbk -open

.PHONY: dev
dev: bin/mcbk bin/sandbox $(MODULES) ## play at localhost:8090 with hot reload of the web app
	trap 'kill 0' EXIT; (cd webapp && npm run dev) & bin/sandbox -mcbk bin/mcbk -webapp http://localhost:5173

# --- build --------------------------------------------------------------------------------

.PHONY: build
build: bin/mcbk ## build the program with the web app inside

.PHONY: webapp
webapp: webapp/dist/index.html ## build the web app

.PHONY: modules
modules: $(MODULES) ## install the web app's libraries

$(MODULES): webapp/package.json webapp/package-lock.json
	cd webapp && npm ci
	@touch $@

webapp/dist/index.html: $(MODULES) webapp/src/api/schema.gen.ts $(WEB_SOURCES)
	cd webapp && npm run build

# Where another stage has built the web app, `make binary` embeds webapp/dist as it is.
.PHONY: binary
binary: bin/licences.txt
	$(BUILD) -ldflags '-s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)' -o bin/mcbk .

# The licences of what the program contains: Go, each module, fonts and glyphs. They must be handed on with it.
bin/licences.txt: go.mod
	@mkdir -p bin
	@{ \
		printf 'Go\t%s\n' "$$(go env GOROOT)"; \
		go list -deps -f '{{with .Module}}{{if not .Main}}{{printf "%s %s\t%s" .Path .Version .Dir}}{{end}}{{end}}' . | sort -u; \
		printf 'Fonts\twebapp/src/fonts\nGlyphs\twebapp/src/ui\n'; \
	} | while IFS=$$'\t' read -r name folder; do \
		[ -n "$$name" ] || continue; \
		for text in "$$folder"/{LICEN[CS]E,License,COPYING,NOTICE,PATENTS,OFL-,MIT-}*; do \
			[ ! -f "$$text" ] || { printf '\n=== %s: %s\n\n' "$$name" "$${text##*/}"; cat "$$text"; }; \
		done; \
	done > $@

bin/mcbk: webapp/dist/index.html $(GO_SOURCES)
	$(MAKE) --no-print-directory binary

bin/sandbox: $(SANDBOX_SOURCES)
	cd sandbox && $(BUILD) -o ../bin/sandbox .

# --- generate -----------------------------------------------------------------------------

.PHONY: generate
generate: bin/oapi-codegen $(MODULES) ## regenerate the code from openapi.yaml
	bin/oapi-codegen -config api/oapi-codegen.yaml api/openapi.yaml
	cd webapp && npm run types

.PHONY: api-docs
api-docs: bin/api.html ## write the API as a page to read in a browser, bin/api.html

bin/api.html: api/openapi.yaml scripts/api-page.mjs $(MODULES)
	@mkdir -p bin
	node scripts/api-page.mjs $@

.PHONY: licences
licences: ## regenerate the list of the libraries' licences
	go test -count=1 ./trial/repo -run Licence -update

.PHONY: generated
generated: generate
	@git diff --exit-code -- api/api.gen.go webapp/src/api/schema.gen.ts \
		|| { [ $$? != 1 ] || echo 'generated files are stale: run `make generate` and commit'; exit 1; }

bin/golangci-lint: tools/go.mod
	cd tools && go build -o ../$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

bin/gotestsum: tools/go.mod
	cd tools && go build -o ../$@ gotest.tools/gotestsum

bin/oapi-codegen: tools/go.mod
	cd tools && go build -o ../$@ github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen

# --- test ---------------------------------------------------------------------------------

.PHONY: format
format: $(LINT) $(MODULES) ## format everything
	$(LINT) fmt ./...
	cd sandbox && ../$(LINT) fmt ./...
	cd webapp && npm run format

.PHONY: lint
lint: $(LINT) $(MODULES) ## run all linters
	$(LINT) run --allow-parallel-runners ./...
	$(LINT) fmt --diff ./...
	cd sandbox && ../$(LINT) run --allow-parallel-runners ./... && ../$(LINT) fmt --diff ./...
	cd webapp && npm run lint

.PHONY: rules
rules: $(LINT) $(MODULES) ## break each linter rule in a copy, and check that the linter reports it
	scripts/rules.sh

# The race detector watches our code but not pure computation (the rules, SQLite, which is generated code, pictures, each of
# which would take a minute, and searches of the whole repository). Tests wait for databases, so more of them run in parallel
# than there are cores; the drills wait most, and go first. GORACE saves each test's last second, in which it would only sleep.
RACE := -race $(foreach unwatched,mcbk/game modernc.org image compress hash regexp golang.org/x/image,-gcflags='$(unwatched)/...=-race=false -d=checkptr=0') \
	-p 3 -parallel 4 -count=1 -timeout 60m

# A failing test is run once more, as the browser's are, and reported as a failure of two runs at the end; but not after a data
# race, nor if many fail. RERUNS=0 shows such flaky tests.
RERUNS ?= 1
GOTESTSUM := bin/gotestsum --format standard-quiet --rerun-fails=$(RERUNS) --rerun-fails-max-failures=5 \
	--rerun-fails-abort-on-data-race --rerun-fails-run-root-test --packages

.PHONY: check
check: services lint ## the fast half of the tests, before each commit
	. scripts/services.env.sh; . scripts/memory.env.sh; go test ./...
	cd sandbox && go test ./...
	cd webapp && npm test

# The common part of `make test` and `make test-long`.
.PHONY: units
units: services generated lint bin/gotestsum
	. scripts/services.env.sh; . scripts/memory.env.sh; export GORACE=atexit_sleep_ms=0; \
	$(GOTESTSUM) './trial/drill ./...' -- $(RACE); \
	cd sandbox && ../$(GOTESTSUM) ./... -- $(RACE)
	cd webapp && npm test -- --retry=$(RERUNS)

.PHONY: test
test: units ## everything in its short form: linters, unit tests, scenarios on two databases, a real browser
	$(MAKE) --no-print-directory e2e

.PHONY: test-long
test-long: units rules ## the long forms: every scenario in the browser, property tests over very many more cases, fuzzing
	$(MAKE) --no-print-directory e2e-long
	. scripts/services.env.sh; \
	go test -count=1 -timeout 20m ./game -rapid.checks=1000000; \
	go test -count=1 -timeout 20m ./api -run Amount -rapid.checks=1000000; \
	go test -count=1 -timeout 20m ./models/ranks -long; \
	go test -count=1 -timeout 30m ./models/taps ./models/ledger ./models/store -run 'AnyMixOfBatches|AnyInterleaving|Linearizable' -rapid.checks=1000; \
	go test -count=1 -timeout 30m ./models/ads ./models/wheel -run "AnyAdSchedule|AnySequence" -rapid.checks=2500; \
	$(MAKE) --no-print-directory drill; \
	$(MAKE) --no-print-directory fuzz FUZZTIME=20s
	if [ "$$(id -u)" = 0 ]; then scripts/image.sh; else echo 'left out, since it needs root: make image'; fi

.PHONY: image
image: ## build the image without Docker and serve from a bare root folder; as root
	scripts/image.sh

.PHONY: mutants
mutants: services ## mutation tests: break one rule of money or play at a time, and check that a test fails; a quarter of an hour
	scripts/mutants.sh

# The time for each target. Findings are stored in testdata/fuzz beside the test, and run by `go test` from then on.
FUZZTIME ?= 10m

.PHONY: fuzz
fuzz: services ## fuzz whatever reads what strangers send, each target for FUZZTIME
	scripts/fuzz.sh $(FUZZTIME)

# SEED repeats the random choices of an earlier run, which has printed it.
SEED ?= 0

.PHONY: drill
drill: services ## long fault injection: kill, cut, fill and restart what a running game depends on
	go test -count=1 -timeout 60m -v ./trial/drill -long -seed=$(SEED)

.PHONY: season
season: ## play the 90 days with 500 simulated players, and write how many coins came into the world to docs/emission.md
	. scripts/memory.env.sh; go test -count=1 -timeout 30m -v ./trial/season -long -seed=$(SEED) -out="$(CURDIR)/docs"

# How a screen looks and behaves does not depend on the database; what is counted does.
COUNTED_FIRST := daily kill nothing-lost tasks wheel
COUNTED := $(COUNTED_FIRST) leaderboard links loyalty new-player offline people

.PHONY: bench
bench: services bin/mcbk ## measure the program beside pgbench; the table also goes to bench/latest.json
	. scripts/services.env.sh; go run ./bench -mcbk bin/mcbk -postgres "$$MCBK_TEST_POSTGRES"

.PHONY: day
day: services bin/mcbk ## load test: shares of a day of six million players, to docs/scale.md; AB="OLD NEW" compares two builds
	. scripts/services.env.sh; go run ./bench $(if $(AB),-ab,-day) -postgres "$$MCBK_TEST_POSTGRES" $(AB)

.PHONY: calls
calls: services bin/mcbk bin/sandbox ## record the calls of the web app that `make day` plays
	CALLS=rewrite E2E_TURN=alone E2E_FORM=short scripts/e2e.sh sqlite calls
	go test ./bench -run PageShows -update

.PHONY: compare
compare: ## compare the figures of `make bench` with bench/base.json
	go run ./bench -compare bench/base.json

.PHONY: e2e
e2e: services bin/mcbk bin/sandbox ## play in Chromium, except what is tagged long: on SQLite, and what is counted on PostgreSQL too
	export E2E_FORM=short; . scripts/services.env.sh; scripts/e2e.sh sqlite; scripts/e2e.sh postgres $(COUNTED_FIRST)

.PHONY: e2e-long
e2e-long: services bin/mcbk bin/sandbox ## play everything in Chromium, rare cases and weeks too; an hour on two slow cores
	. scripts/services.env.sh; scripts/e2e.sh sqlite; scripts/e2e.sh postgres $(COUNTED)

.PHONY: pictures
pictures: services bin/mcbk bin/sandbox ## take pictures of every screen into pictures/
	E2E_TURN=pictures scripts/e2e.sh sqlite

.PHONY: services
services: ## install or start what the tests need: PostgreSQL, Redis, Chromium
	@scripts/services.sh

.PHONY: clean
clean: ## remove what was built
	rm -rf bin webapp/dist/assets webapp/dist/*.* webapp/node_modules
