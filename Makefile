# The front door. `make demo` and `make test` each work as the first command on a fresh Debian 12.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
ENTENTE_DATA ?= ../shared/data
UD := $(ENTENTE_DATA)/ud
FRAMENET := $(ENTENTE_DATA)/framenet-1.5
PROPBANK := $(ENTENTE_DATA)/propbank-ewt
# What the command is built from; then what tests, training and the Python package need besides.
PACKAGES := build-essential cmake ninja-build pkg-config ccache libfmt-dev libcli11-dev libgtest-dev libpugixml-dev \
	zlib1g-dev coinor-libcbc-dev libglpk-dev
TEST_PACKAGES := clang-14 libclang-rt-14-dev lld-14 toulbar2 libsvm-dev iso-codes rig wordnet-base python3 python3-dev pybind11-dev \
	python3-pybind11 python3-numpy python3-pytest mypy
# Asked of dpkg only, so that a machine that has everything waits for nothing.
MISSING = $$(for p in $(PACKAGES) $(WANTED); do \
	dpkg-query -W -f='$${db:Status-Status}' $$p 2>/dev/null | grep -qx installed || echo $$p; done)

.PHONY: all help setup demo test test-long bench fuzz examples format clean release release-tests debug thread python python-asan install models frames-model

all: release ## build build/entente (optimised)

help: ## say what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 16

setup: ## install the Debian packages that are missing
	@if ! command -v dpkg-query >/dev/null; then \
	  echo "not a Debian system: please install $(PACKAGES) $(WANTED)"; exit 0; fi; \
	missing="$(MISSING)"; \
	if [ -n "$$missing" ]; then \
	  as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
	  echo "installing" $$missing; log=$$(mktemp); \
	  $$as_root env DEBIAN_FRONTEND=noninteractive bash -c "apt-get update -qq && \
	    apt-get install -y -qq --no-install-recommends $$(echo $$missing)" >$$log 2>&1 || \
	    { cat $$log; rm -f $$log; exit 1; }; rm -f $$log; \
	  rm -f build/build.ninja build/debug/build.ninja build/thread/build.ninja; \
	fi  # what was configured without them looks for them again

release release-tests: FOLDER = build
release release-tests: PRESET = release
debug: FOLDER = build/debug
debug: PRESET = debug
thread: FOLDER = build/thread
thread: PRESET = thread
release release-tests debug thread: setup
	@[ -f $(FOLDER)/build.ninja ] || cmake --preset $(PRESET) >/dev/null
	@cmake --build --preset $@ -j $(JOBS)

demo: release ## build, show the frames of a few sentences, and five decoders on one, with a proof
	@build/entente parse --layers frames --to text examples/frames.txt
	@build/entente demo

test test-long fuzz python python-asan models: WANTED = $(TEST_PACKAGES)
test: release-tests debug thread ## all tests: sanitizers, threads, fuzzers, the command, installation
	@tests/run_all.sh $(JOBS)

test-long: release-tests debug ## random tests with ten times the cases, and a minute for each fuzzer (hours)
	@tests/run_long.sh $(JOBS)

python: release ## build the Python package into build/python (PYTHONPATH=build/python python3)
	@cmake --build build --target entente_python_package -j $(JOBS)

bench: release ## the comparison of decoders, and the shipped model on its treebank (several minutes)
	@build/entente bench decode
	@build/entente bench extract
	@if [ -f $(UD)/en_ewt-dev.conllu.gz ]; then build/entente bench parse --gold $(UD)/en_ewt-dev.conllu.gz; fi

models: release ## train the models that ship from the corpora (about an hour and a half)
	@$(MAKE) --no-print-directory build/clusters.model
	@build/entente train dependency --train $(UD)/en_ewt-train.conllu.gz --dev $(UD)/en_ewt-dev.conllu.gz \
	  --set tags.clusters=build/clusters.model --set dependency.clusters=build/clusters.model \
	  --set dependency.runs=2 -o models/english.model --verbose
	@build/entente train constituency --train $(PROPBANK)/train.mrg.gz \
	  --set heads=$(PROPBANK)/train.conll.gz --set clusters=models/english.model -o models/constituency.model --verbose
	@tools/jackknife_trees.sh build/entente $(PROPBANK) $(UD) build/jackknife models/english.model
	@build/entente train roles --train $(PROPBANK)/train.conll.gz build/jackknife/own0.conll build/jackknife/own1.conll \
	  build/jackknife/own2.conll --set clusters=build/clusters.model --phrases-only --epochs 4 -o models/roles.model --verbose
	@build/entente train entities --train $(ENTENTE_DATA)/conll04/train.tsv --extra $(ENTENTE_DATA)/conll04/no-relation.tsv \
	  -o models/entities.model --verbose
	@build/entente train relations --train $(ENTENTE_DATA)/conll04/train.tsv --extra $(ENTENTE_DATA)/conll04/no-relation.tsv \
	  --set features=26000 --no-meanings -o models/relations.model --verbose
	@build/entente train ccg --train $(ENTENTE_DATA)/ccg/pmb3-train.auto.gz --set supertag_bits=20 --set targets=both -o models/ccg.model --verbose
	@$(MAKE) --no-print-directory frames-model

build/framenet:
	@mkdir -p $@
	@for part in lexicon fulltext exemplars; do tar xf $(FRAMENET)/$$part.tar.xz -C $@; done

build/clusters.model: | build/framenet
	@build/entente train clusters --train $(UD)/en_ewt-train.conllu.gz --text $(ENTENTE_DATA)/hansards/train.e.gz \
	  --framenet build/framenet -o $@ --verbose

frames-model: release ## train models/frames.model from FrameNet (about an hour)
	@$(MAKE) --no-print-directory build/clusters.model
	@build/entente train frames --framenet build/framenet --docs $(FRAMENET)/train.docs --exemplars \
	  --set clusters=build/clusters.model \
	  -o models/frames.model --verbose

PREFIX ?= /usr/local
python-asan: debug ## the Python module under ASan and UBSan, loaded and used once
	@tests/python_asan_test.sh $(CURDIR) $(CURDIR)/build/debug

install: release ## install command, models, libraries, manual pages and completions under PREFIX (/usr/local)
	@cmake --install build --prefix $(PREFIX) >/dev/null
	@echo "installed under $(PREFIX)"

fuzz: debug ## run every fuzzer for FUZZ_SECONDS seconds (60)
	@tests/run_fuzzers.sh $(FUZZ_SECONDS)s $(JOBS)

examples: release ## write examples/*.json again from the code that defines them
	@build/entente demo --write-examples examples >/dev/null

format: ## clang-format everything
	@find include src bench tests fuzz examples -name '*.h' -o -name '*.cc' | xargs clang-format -i

clean: ## remove what was built
	@rm -rf build
