# make demo | check | test | bench | dist | ui | build | lint; see README.md and CONTRIBUTING.md. scripts/setup installs what a target needs.
CARGO ?= cargo
# Where rustup may not fetch the toolchain of rust-toolchain.toml, the installed stable one does if it is new enough.
ifneq ($(shell rustc --version >/dev/null 2>&1 && echo yes),yes)
ifneq ($(shell rustc +stable --version 2>/dev/null),)
export RUSTUP_TOOLCHAIN := stable
endif
endif
export MYDYNO_DEV_HOME ?= $(CURDIR)/target/servers

.PHONY: demo test check bench build dist dist-check ui lint msrv fuzz clean

build: ui
	$(CARGO) build --release --locked -p mydyno

demo:
	@scripts/setup build demo
	@$(MAKE) --no-print-directory build
	@scripts/demo

test:
	@scripts/setup build demo test
	@scripts/test

# Between two edits: format, lint, and the tests that need no server.
check:
	@scripts/check

bench:
	@scripts/setup build demo bench
	@$(MAKE) --no-print-directory build
	@scripts/bench $(ONLY)

ui: ui/dist/index.html

ui/dist/index.html: ui/package-lock.json $(wildcard messages/*/page.ftl) $(shell find ui/src ui/index.html ui/vite.config.ts ui/tsconfig.json -type f 2>/dev/null)
	cd ui && npm ci --no-audit --no-fund --loglevel=error && npm run --silent build

# What a release consists of, in target/dist; dist-check builds it twice and compares.
dist:
	@scripts/dist

dist-check:
	@scripts/dist --check

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	@scripts/lint-dependencies

# The oldest Rust that Cargo.toml promises.
msrv:
	@scripts/msrv

# Needs a nightly toolchain and cargo-fuzz; FUZZ_SECONDS per target.
fuzz:
	@for target in handshake response rows; do \
	    mkdir -p fuzz/corpus/$$target && \
	    (cd fuzz && cargo +nightly fuzz run $$target corpus/$$target seeds/$$target -- -max_total_time=$${FUZZ_SECONDS:-60}) || exit 1; \
	done

clean:
	$(CARGO) clean
	rm -rf ui/dist ui/node_modules
