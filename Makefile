# make demo | test | bench | ui | build | lint; see README.md. scripts/setup installs what a target needs.
CARGO ?= cargo
export MYDYNO_DEV_HOME ?= $(CURDIR)/target/servers

.PHONY: demo test check bench build dist ui lint msrv fuzz clean

build: ui
	$(CARGO) build --release --locked -p mydyno

demo:
	@scripts/setup build demo
	@$(MAKE) --no-print-directory build
	@scripts/demo

test:
	@scripts/setup build demo test
	@scripts/test

bench:
	@scripts/setup build demo bench
	@$(MAKE) --no-print-directory build
	@scripts/bench $(ONLY)

ui: ui/dist/index.html

ui/dist/index.html: ui/package-lock.json $(shell find ui/src ui/index.html ui/vite.config.ts ui/tsconfig.json -type f 2>/dev/null)
	cd ui && npm ci --no-audit --no-fund --loglevel=error && npm run --silent build

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

# Needs a nightly toolchain and cargo-fuzz; FUZZ_SECONDS per target.
fuzz:
	@for target in handshake response rows; do \
	    mkdir -p fuzz/corpus/$$target && \
	    (cd fuzz && cargo +nightly fuzz run $$target corpus/$$target seeds/$$target -- -max_total_time=$${FUZZ_SECONDS:-60}) || exit 1; \
	done

clean:
	$(CARGO) clean
	rm -rf ui/dist ui/node_modules
