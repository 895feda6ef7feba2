# All that a change must pass, and how to measure. CI calls the same targets.
#
#   make test     fast tests of every package, while you work: about a minute
#   make lint     format, vet, staticcheck
#   make check    all else that a change must pass

GO ?= go
CHROMIUM ?= $(shell command -v chromium || command -v chromium-browser || \
	command -v google-chrome)
# Where property tests begin to draw: what passed once passes again, and 0 draws anew each time.
SEED ?= 1
export RAPID_SEED = $(SEED)
# Published data sets for the tests and benchmarks that need them; those skip without it.
export KINDRED_DATASETS
# Tests, checks and builds share what they compile.
export CGO_ENABLED = 0
export GOFLAGS := $(filter-out -trimpath,$(shell $(GO) env GOFLAGS)) -trimpath
# The version that make release builds, and the machines that make release-check builds for again.
VERSION ?= $(shell git describe --tags --exact-match 2>/dev/null || echo unreleased)
AGAIN ?= darwin/amd64,darwin/arm64,linux/amd64,linux/arm64,windows/amd64,windows/arm64
# A limit for each package, only to end what hangs: a machine that does much else may take ten times
# as long. The test cache does not know of SEED. make lint vets.
TEST = $(GO) test -vet=off -timeout 40m $(if $(filter 1,$(SEED)),,-count 1)
# All packages, those that take longest first, so that none is left to run alone.
all = ./cmd/kindred ./studio ./method/all ./...
# What make check does, in this order.
STEPS ?= slow scale-test race portable licences-fresh page-fresh page-test browser api python cross \
	release-check wheels-check engines
# Packages in which make test leaves tests out, in the same order; those on kernels, and kernels
# themselves.
slow = ./cmd/kindred $$(git grep -l 'testing\.Short()' -- '*_test.go' ':!scale' | \
	xargs -n 1 dirname | sort -u | sed 's,^,./,')
on_kernels = $$($(GO) list -f '{{.ImportPath}} {{join .Imports " "}} ' ./... | \
	awk '/internal\/(simd|simplexqp) / && !/^[^ ]*\/(bench|cmd|reproduce)\// {print $$1}')
# Dependencies that the race detector leaves out: they share no memory between goroutines without
# locks, and watching them takes longer than all else. One that passes data by sync/atomic must be
# watched, or what it passes is taken for a race.
unwatched = modernc.org codeberg.org gonum.org/v1/plot golang.org/x/image \
	github.com/klauspost/compress github.com/andybalholm/brotli github.com/pierrec/lz4/v4
RACE = -race -short $(foreach module,$(unwatched),-gcflags=$(module)/...=-race=false) \
	-skip '^Test($(writes))|^Test($(costly))$$|^TestScripts$$/^($(alike))$$'

# Tests of faults, by the beginnings of their names: of what is written, and of servers.
writes = APowerCut(Leaves|Loses|While|InA)|ADiskThatMay|AStreamThatIsKilled|AKilledRun|KilledAtAnyMoment|KillsAtRandom|WhatWasAcknowledged|AFullDisk|FailingCalls
servers = APowerCutUnder|ADiskThatChanges|AServerThatIsKilled|NoAcknowledged|ThousandsOf|FewDescriptors|ClientsThatDoNot|FiftyClients|Soak
faults = $(writes)|$(servers)

# Tests that the race detector leaves out: under it they take as long as all others, and what runs
# at once in them does so in others, too. Beside those of what is written, long ones whose code
# shorter ones share:
costly = AnyWay|ApproximateGraphsClusterAsExactOnes|BombsOfPictures|DegenerateRows|EveryRouteWantsTheToken|Figure1|GradientsAndProgrammesMeet|GroupsOfEvidentialMethodsAreChangedByTheAPI|KnowledgeHelps|LinksDoNoHarm|MergedGroupsAreOne|MostKept|MovedObjectsAreInTheTarget|PartedObjectsAreApart|PicturesTakeTheSameMemory|SweepsAgainstThePlainAlgorithm|TenfoldDensities|TheNumberOfClustersIsFound|TheOutlookDoesNotJump|ToldTooFewClusters|WideAnswersAsTheTree|WideSheetsTakeMemoryForTheirValues
# Scripts of commands that other scripts run as well:
alike = advice|check|clash|classes|data|dialects|embedding|evidential-input|formats|hints|info|instead|large-numbers|neighbours|outputs|plain|private|roles|safety|texts|texts-as-written

.PHONY: test check slow scale-test race portable cross reliability soak bench peers results build release \
	release-check python wheels wheels-check scale engines page page-fresh page-test browser api \
	lint format vet staticcheck vulncheck licences licences-fresh generate properties fuzz clean

test: ## fast tests of every package of the main module: about a minute once all is compiled
	$(TEST) -short $(all)

# Needs Node, Chromium, a C compiler, Java and Maven. STEPS="slow race" does these two alone.
check: ## all that make test and make lint leave out
	@for step in $(STEPS); do \
		printf '\n== make %s\n' "$$step"; began=$$(date +%s); \
		$(MAKE) --no-print-directory $$step || exit 1; \
		printf '== make %s took %d s; %s are free\n' "$$step" $$(($$(date +%s) - began)) \
			"$$(df -Ph . | awk 'NR == 2 {print $$4}')"; \
	done

slow: ## all tests of the packages in which make test leaves some out
	$(TEST) $(slow)

scale-test: ## all tests of the module for engines beyond one machine, those on Flink aside
	cd scale && $(TEST) ./...

race: ## the fast tests under the race detector; needs a C compiler
	CGO_ENABLED=1 $(TEST) $(RACE) $(all)
	cd scale && CGO_ENABLED=1 $(TEST) $(RACE) ./...

portable: ## the fast tests of the kernels, and of what stands directly on them, without assembly
	$(TEST) -short -tags purego $(on_kernels)

scale: ## the command for engines beyond one machine, in bin/; it takes minutes the first time
	cd scale && $(GO) build -ldflags "-s -w" -o ../bin/kindred-scale ./cmd/kindred-scale

# Needs Java and Maven, and five minutes. ENGINES="flink spark" adds Spark.
engines: ## tests on a Flink of this machine that loses task managers and workers
	for engine in $(or $(ENGINES),flink); do \
		scale/engines/$$engine/$$engine install || exit 1; \
	done
	cd scale && KINDRED_ENGINES="$${KINDRED_ENGINES:-$(CURDIR)/scale/engines/.cache}" \
		$(GO) test -count 1 -timeout 15m -v ./engines

build: ## the command, in bin/: one file that needs nothing beside it
	$(GO) build -ldflags "-s -w" -o bin/kindred ./cmd/kindred

release: ## archives of the command for Linux, macOS and Windows in dist/, and their SHA256SUMS
	cd tools && $(GO) build -o ../bin/release ./release
	bin/release -version "$(VERSION)" -out dist

release-check: release ## fails where a second build, elsewhere and from nothing, has other bytes
	cd tools && $(GO) test ./release
	bin/release -version "$(VERSION)" -out dist -targets "$(AGAIN)" -again

python/.venv/installed: python/requirements-test.txt
	python3 -m venv python/.venv
	python/.venv/bin/pip install --quiet --disable-pip-version-check -r $<
	python/.venv/bin/pip install --quiet --disable-pip-version-check --no-deps \
		--no-build-isolation --editable python
	touch $@

# Needs Python 3.11, Node and Chromium.
python: build python/.venv/installed studio/browser/node_modules ## types and tests of the Python package, and the pages on it
	CHROMIUM="$(CHROMIUM)" python/check

wheels: python/.venv/installed ## dist/python: wheels and the sdist, from the archives of make release
	python/.venv/bin/python python/tools/wheels.py dist dist/python

# Needs each Python that is to be tried, and qemu-aarch64-static for arm64.
wheels-check: wheels ## what the wheels hold, who gets which, and those of this system at work
	cd python && KINDRED_WHEELS="$(CURDIR)/dist/python" .venv/bin/python -m pytest -q \
		tests/test_wheels.py

studio/%/node_modules: studio/%/package-lock.json
	cd $(@D) && npm ci --no-progress && touch node_modules

page: studio/page/node_modules ## the studio's page from its sources, for the command to embed
	cd studio/page && npm run build && go run pack.go

page-fresh: page ## fails when the built page in the repository is not what its sources give
	@git diff --exit-code --stat -- studio/page/dist studio/page/dist.zip || \
		{ echo "studio/page/dist is not what its sources give: commit what make page built"; exit 1; }

page-test: studio/page/node_modules ## types and unit tests of the page
	cd studio/page && npm run check && npm test

browser: build studio/browser/node_modules ## whole sessions in a real browser
	cd studio/browser && npm run check && CHROMIUM="$(CHROMIUM)" npm test

# Needs Python and curl. EXAMPLES=400 takes ten times as long.
api: build ## the API as schemathesis finds it, on a live server
	studio/conformance/run $(EXAMPLES)

# All but the soak are in make slow and scale-test, too; docs/reliability.md has what this prints.
reliability: ## how many faults are tried: cuts of the power, kills, full disks, load
	@said=$$(mktemp); failed=0; for module in . scale; do \
		cd "$(CURDIR)/$$module"; \
		$(GO) test -count 1 -timeout 40m -v -run '^Test($(faults))' $$(git grep -lE \
			'^func Test($(faults))' -- '*_test.go' ':!scale' | xargs -n 1 dirname | sort -u | \
			sed 's,^,./,') >"$$said" || failed=1; \
		grep -E '_test\.go:|^(--- |ok|FAIL)' "$$said"; \
	done; rm "$$said"; exit $$failed

soak: ## a server and a stream at work for SOAK, 30m: memory and descriptors stay as they were
	KINDRED_SOAK=$(or $(SOAK),30m) $(GO) test -count 1 -timeout 0 -v -run '^TestSoak$$' ./cmd/kindred

bench: ## Go benchmarks: time, throughput and memory
	$(GO) test -run '^$$' -bench . -benchmem ./...

peers: ## the same work by kindred, scikit-learn, evclust and River for Python, in one run each
	bench/peers/run.py
	bench/peers/evidential.py
	bench/peers/streams.py
	bench/peers/methods.py
	bench/peers/answers.py
	bench/peers/spectral.py

# Every experiment at reduced effort takes three hours of one core, FULL=1 a day. Stopped, it goes on
# from there.
results: build ## docs/results.md and its pictures; raw runs in results/
	bin/kindred reproduce all $(if $(FULL),,--reduced) --out results$(if $(FULL),/full,/reduced) \
		--page docs/results.md

lint: format vet staticcheck

format: ## fails when a file is not formatted
	@files="$$(gofmt -l $$(git ls-files '*.go'))"; \
	if [ -n "$$files" ]; then echo "not formatted:"; echo "$$files"; exit 1; fi

vet:
	$(GO) vet ./...
	$(GO) vet -tags purego ./internal/simd/...
	cd scale && $(GO) vet ./...

staticcheck:
	cd tools && $(GO) build -o ../bin/staticcheck honnef.co/go/tools/cmd/staticcheck
	bin/staticcheck ./...
	cd scale && ../bin/staticcheck ./...

# The vulnerability database is a module as well, and comes the way all modules come;
# VULNDB=file:///path/to/vulndb is another copy. The standard library is that of releases.
vulncheck: export GOTOOLCHAIN = $(shell awk '$$1 == "toolchain" {print $$2}' go.mod)
vulncheck: ## known vulnerabilities in what the command reaches, by the newest database
	cd tools && $(GO) build -o ../bin/govulncheck golang.org/x/vuln/cmd/govulncheck
	@db="$(VULNDB)"; \
	if [ -z "$$db" ]; then \
		found="$$(cd tools && $(GO) mod download -json golang.org/x/vulndb@latest)" || \
			{ echo "$$found"; echo "the vulnerability database cannot be had"; exit 1; }; \
		printf '%s\n' "$$found" | sed -n 's/.*"Version": "\(.*\)".*/the database is \1/p'; \
		db="file://$$(printf '%s\n' "$$found" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')/data/osv"; \
	fi; \
	bin/govulncheck -db "$$db" ./... && cd scale && ../bin/govulncheck -db "$$db" ./...

licences: ## docs/licences.md, from the modules and packages that are built in
	cd tools && $(GO) run ./licences ..

licences-fresh: ## fails when docs/licences.md is not what is built in
	cd tools && $(GO) test ./licences

cross: ## what another processor compiles; make release builds the command for other systems
	GOOS=linux GOARCH=arm64 $(GO) vet ./...
	cd scale && GOOS=linux GOARCH=arm64 $(GO) build -o /dev/null ./cmd/kindred-scale

generate: ## assembly, and docs/reference.md from what the methods declare
	$(GO) generate ./...

properties: ## property tests that draw anew, CHECKS times each
	@for module in . scale; do \
		(cd $$module && \
		for file in $$(grep -rl --include='*_test.go' --exclude-dir=scale 'rapid\.Check(' .); do \
			names=$$(awk '/^func Test/ {split($$2, at, "("); name = at[1]} \
				/rapid\.Check\(/ && name {print name; name = ""}' "$$file" | paste -sd '|'); \
			[ -z "$$names" ] || $(GO) test -timeout 60m -run "^($$names)\$$" \
				"$$(dirname $$file)" -rapid.checks=$(or $(CHECKS),1000) -rapid.seed=0 || exit 1; \
		done) || exit 1; \
	done

fuzz: ## a minute for each fuzz test
	@grep -roE --include='*_test.go' '^func Fuzz[A-Za-z0-9]+' . | sed 's/:func /:/' | \
	while IFS=: read -r file target; do \
		(cd "$$(dirname "$$file")" && $(GO) test -run '^$$' -fuzz "^$$target\$$" \
			-fuzztime $${FUZZTIME:-60s} -fuzzminimizetime 2s . </dev/null) || exit 1; \
	done

clean:
	rm -rf bin dist
