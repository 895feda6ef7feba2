# All that a change must pass, and how to measure. CI calls the same targets.

GO ?= go
CHROMIUM ?= $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
# Where property tests begin to draw: what passed once passes again, and 0 draws anew each time.
SEED ?= 1
# Published data sets for the tests and benchmarks that need them; those skip without it.
export KINDRED_DATASETS
# For each package, and only to end what hangs: a machine that does much else may take ten times as long.
LIMIT = -timeout 40m

# tests FLAGS,PACKAGES: those of packages that draw at random apart, as the others do not know of SEED
tests = drawn="$$($(GO) list -f '{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}} ' $(2) | awk '/ pgregory.net\/rapid / {print $$1}')"; \
	$(GO) test $(LIMIT) $(1) $$($(GO) list $(2) | grep -vxF "$$drawn"); others=$$?; \
	$(GO) test $(LIMIT) $(1) $$drawn -rapid.seed=$(SEED) && [ $$others = 0 ]

.PHONY: test race bench peers results build scale engines page page-fresh page-test browser lint format vet staticcheck vulncheck portable cross generate properties fuzz clean

test: ## fast tests of everything; those of the page where Node is, those in a browser where Chromium is, too
	$(call tests,,./...)
	cd scale && $(call tests,,./...)
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory page-test; else echo "Node is not installed: the tests of the page are left out"; fi
	@if ! command -v npm >/dev/null; then :; \
	elif [ -n "$(CHROMIUM)" ]; then $(MAKE) --no-print-directory browser; \
	else echo "Chromium is not installed: the tests in a browser are left out (CHROMIUM names one)"; fi

race: ## the same under the race detector, tests of many fits aside
	export CGO_ENABLED=1; $(call tests,-race -short,./...)
	export CGO_ENABLED=1; cd scale && $(call tests,-race -short,./...)

scale: ## the command for engines beyond one machine, in bin/; it takes minutes the first time
	cd scale && $(GO) build -trimpath -ldflags "-s -w" -o ../bin/kindred-scale ./cmd/kindred-scale

engines: ## k-means and k-EVCLUS on a Flink of this machine that loses task managers and workers; needs Java and Maven, five minutes. ENGINES="flink spark" adds Spark
	for engine in $(or $(ENGINES),flink); do scale/engines/$$engine/$$engine install || exit 1; done
	cd scale && KINDRED_ENGINES="$${KINDRED_ENGINES:-$(CURDIR)/scale/engines/.cache}" $(GO) test -count 1 -timeout 15m -v ./engines

build: ## the command, in bin/
	$(GO) build -trimpath -ldflags "-s -w" -o bin/kindred ./cmd/kindred

page: ## the studio's page from its sources, for the command to embed
	cd studio/page && npm ci --no-progress && npm run build

page-fresh: page ## fails when the built page in the repository is not what its sources give
	@git diff --exit-code --stat -- studio/page/dist || { echo "studio/page/dist is not what its sources give: commit what make page built"; exit 1; }

page-test: ## types and unit tests of the page
	cd studio/page && npm ci --no-progress && npm run check && npm test

browser: build ## whole sessions in a real browser
	cd studio/browser && npm ci --no-progress && npm run check && CHROMIUM="$(CHROMIUM)" npm test

bench: ## Go benchmarks: time, throughput and memory
	$(GO) test -run '^$$' -bench . -benchmem ./...

peers: ## the same work by kindred, scikit-learn, evclust and River for Python, in one run each
	bench/peers/run.py
	bench/peers/evidential.py
	bench/peers/streams.py
	bench/peers/methods.py
	bench/peers/spectral.py

results: build ## docs/results.md and its pictures: every experiment at reduced effort, 20 minutes on two cores; FULL=1 takes a night. Raw runs in results/
	bin/kindred reproduce all $(if $(FULL),,--reduced) --out results$(if $(FULL),/full,/reduced) --page docs/results.md

lint: format vet staticcheck

format: ## fails when a file is not formatted
	@files="$$(gofmt -l $$(git ls-files '*.go'))"; if [ -n "$$files" ]; then echo "not formatted:"; echo "$$files"; exit 1; fi

vet:
	$(GO) vet ./...
	$(GO) vet -tags purego ./...
	cd scale && $(GO) vet ./...

staticcheck:
	cd tools && $(GO) build -o ../bin/staticcheck honnef.co/go/tools/cmd/staticcheck
	bin/staticcheck ./...
	cd scale && ../bin/staticcheck ./...

vulncheck: ## known vulnerabilities in what the command reaches; needs the vulnerability database
	cd tools && $(GO) build -o ../bin/govulncheck golang.org/x/vuln/cmd/govulncheck
	bin/govulncheck ./...
	cd scale && ../bin/govulncheck ./...

portable: ## the tests of the kernels and all above with the assembly switched off
	$(call tests,-short -tags purego,./internal/simd/... ./cluster/kmeans/... ./ask/cobra/... ./cluster/evclus/... ./data/dissim/... ./cmd/...)

cross: ## builds for other machines
	GOOS=linux GOARCH=arm64 CGO_ENABLED=0 $(GO) vet ./...
	cd scale && GOOS=linux GOARCH=arm64 CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/kindred-scale
	for os in linux darwin windows; do GOOS=$$os GOARCH=arm64 CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/kindred || exit 1; done
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/kindred

generate: ## assembly from its generator
	$(GO) generate ./...

properties: ## property tests that draw anew, CHECKS times each
	@for module in . scale; do \
		(cd $$module && for file in $$(grep -rl --include='*_test.go' --exclude-dir=scale 'rapid\.Check(' .); do \
			names=$$(awk '/^func Test/ {split($$2, at, "("); name = at[1]} /rapid\.Check\(/ && name {print name; name = ""}' "$$file" | paste -sd '|'); \
			[ -z "$$names" ] || $(GO) test -timeout 60m -run "^($$names)\$$" "$$(dirname $$file)" -rapid.checks=$(or $(CHECKS),1000) -rapid.seed=0 || exit 1; \
		done) || exit 1; \
	done

fuzz: ## a minute for each fuzz test
	@grep -roE --include='*_test.go' '^func Fuzz[A-Za-z0-9]+' . | sed 's/:func /:/' | while IFS=: read -r file target; do \
		(cd "$$(dirname "$$file")" && $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $${FUZZTIME:-60s} . </dev/null) || exit 1; \
	done

clean:
	rm -rf bin
