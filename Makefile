# Tenure: build, show, test, measure, install.
#
#   make            the compiler, the runtime and the library
#   make demo       builds all, runs the example programs over real input and shows the other parts at work, with pictures
#                   in build/demo.html; needs a C compiler and Rust, nothing else
#   make test       every test; ends with a line `N passed, N failed` (TENURE_TEST_VERBOSE=1 shows all that they say)
#   make scheme     scheme/build/tenure-scheme, the Scheme system
#   make bench      the example programs against their C twins, and in three disciplines: tables and pictures in bench/results
#   make soak       mutated programs and fuzz targets through the front end for SOAK_SECONDS each, then all builds of all tests
#   make soak-programs  a million random functions of each generator, interpreted (SOAK_PROGRAMS, SOAK_SEED, SOAK_BUILD)
#   make mutants    breaks the compiler in one place at a time: which breaks no test notices (an hour or two)
#   make setup      installs what tests and measurements need (Debian), naming it first
#   make deb        a Debian package in build/deb
#   make install    into PREFIX (default /usr/local), below DESTDIR if that is set

PREFIX ?= /usr/local
DESTDIR ?=
SOAK_SECONDS ?= 600
CARGO ?= $(shell command -v cargo 2>/dev/null || echo $(HOME)/.cargo/bin/cargo)
CARGO_TARGET_DIR ?= $(CURDIR)/compiler/target
export CARGO_TARGET_DIR

TENURE = $(CARGO_TARGET_DIR)/release/tenure

.PHONY: all setup deb needed-to-build needed-to-test compiler library scheme demo test bench soak install clean
all: compiler library

# A C compiler and Rust; what tests need beside them comes with `make test`. A target of its own, so that what it installs is found.
needed-to-build:
	@tools/setup build

needed-to-test:
	@tools/setup test

compiler: needed-to-build
	cd compiler && $(CARGO) build --release --quiet

# The runtime and the library are compiled on first use; this is that use.
library: compiler
	@TENURE_HOME=$(CURDIR) $(TENURE) library >/dev/null

demo: library
	@TENURE_HOME=$(CURDIR) TENURE_DEMO_PAGE=$(CURDIR)/build/demo.html examples/demo $(TENURE)

# The Scheme system: scheme/build/tenure-scheme.
scheme: library
	@$(MAKE) --silent -C scheme TENURE=$(TENURE)

test: needed-to-test
	@CARGO=$(CARGO) tools/test

bench: library
	@TENURE_HOME=$(CURDIR) bench/run $(TENURE)
	@TENURE_HOME=$(CURDIR) bench/disciplines/run $(TENURE) --small --out bench/results/disciplines
	@TENURE_HOME=$(CURDIR) bench/packets/run $(TENURE) --svg bench/results/packets.svg

soak: needed-to-test
	@CARGO=$(CARGO) SOAK_SECONDS=$(SOAK_SECONDS) tools/soak

soak-programs: needed-to-test
	@CARGO=$(CARGO) tools/soak-programs

mutants: library
	@CARGO=$(CARGO) tools/mutants

install: library
	@TENURE_HOME=$(CURDIR) tools/install $(TENURE) $(PREFIX) $(DESTDIR)

# In build/deb. `tools/deb TENURE OUT --try` also installs it in a fresh root and compiles a program there.
deb: library
	@TENURE_HOME=$(CURDIR) tools/deb $(TENURE) build/deb

# What tests and measurements need, before the first `make test` asks for it.
setup: needed-to-test

clean:
	rm -rf compiler/target build runtime/build scheme/build
