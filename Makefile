# The front door. `make demo` and `make test` each work as the first command on a fresh Debian 12.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 10
ENTENTE_DATA ?= ../shared/data
UD := $(ENTENTE_DATA)/ud
FRAMENET := $(ENTENTE_DATA)/framenet-1.5
PACKAGES := build-essential cmake ninja-build pkg-config ccache python3 libfmt-dev libcli11-dev libgtest-dev \
	nlohmann-json3-dev libpugixml-dev zlib1g-dev coinor-libcbc-dev libglpk-dev clang-14 libclang-rt-14-dev toulbar2 \
	iso-codes rig wordnet-base
# Asked of dpkg only, so that a machine that has everything waits for nothing.
MISSING = $$(for p in $(PACKAGES); do \
	dpkg-query -W -f='$${db:Status-Status}' $$p 2>/dev/null | grep -qx installed || echo $$p; done)

.PHONY: all help setup demo test bench fuzz examples format clean release debug thread models frames-model

all: release ## build build/entente (optimised)

help: ## say what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 16

setup: ## install the Debian packages that are missing
	@if ! command -v dpkg-query >/dev/null; then \
	  echo "not a Debian system: please install $(PACKAGES)"; exit 0; fi; \
	missing="$(MISSING)"; \
	if [ -n "$$missing" ]; then \
	  as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
	  $$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq && \
	  $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing; \
	fi

release: FOLDER = build
debug: FOLDER = build/debug
thread: FOLDER = build/thread
release debug thread: setup
	@[ -f $(FOLDER)/build.ninja ] || cmake --preset $@ >/dev/null
	@cmake --build --preset $@ -j $(JOBS)

demo: release ## build, show the frames of a few sentences, and five decoders on one, with a proof
	@build/entente parse --layers frames --to text examples/frames.txt
	@build/entente demo

test: release debug thread ## all tests: sanitizers, threads, fuzzers, installation
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tests/run_all.sh $(JOBS)

bench: release ## the comparison of decoders, and the shipped model on its treebank (several minutes)
	@build/entente bench decode
	@build/entente bench extract
	@if [ -f $(UD)/en_ewt-dev.conllu.gz ]; then build/entente bench parse --gold $(UD)/en_ewt-dev.conllu.gz; fi

models: release ## train the models that ship from the corpora (about an hour and a half)
	@build/entente train dependency --train $(UD)/en_ewt-train.conllu.gz --dev $(UD)/en_ewt-dev.conllu.gz \
	  -o models/english.model --verbose
	@$(MAKE) --no-print-directory frames-model

frames-model: release ## train models/frames.model from FrameNet (about an hour)
	@mkdir -p build/framenet
	@for part in lexicon fulltext exemplars; do tar xf $(FRAMENET)/$$part.tar.xz -C build/framenet; done
	@build/entente train frames --framenet build/framenet --docs $(FRAMENET)/train.docs --exemplars \
	  -o models/frames.model --verbose

fuzz: setup ## run every fuzzer for FUZZ_SECONDS seconds
	@tests/run_fuzzers.sh $(FUZZ_SECONDS) $(JOBS)

examples: release ## write examples/*.json again from the code that defines them
	@build/entente demo --write-examples examples >/dev/null

format: ## clang-format everything
	@find include src bench tests fuzz examples -name '*.h' -o -name '*.cc' | xargs clang-format -i

clean: ## remove what was built
	@rm -rf build
