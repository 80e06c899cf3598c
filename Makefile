# winnow. `make help` lists what can be made; CMakeLists.txt has the details of the build.

PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
METHOD ?= lineblock
FUZZ_SECONDS ?= 60
SOAK_MINUTES ?= 30
# What `auto` learns from; tools/train/train.py says how.
MAIN_SET = wcxb-dev
EARLY_SETS = dragnet l3s-gn1 cleaneval-a
STORY_SETS = fundus newspaper postlight readers magic-article site-rules harvest-forum magic-forum zh-news events-zh crf-id terms
ITEM_SETS = products swde recipes
TYPED_SETS = unlabelled structure
UNSEEN_SETS = cleaneval-dev cleanportaleval daniel canola
ROLE_SETS = $(MAIN_SET) $(EARLY_SETS) $(STORY_SETS) $(ITEM_SETS) unlabelled daniel canola

# configure DIR OPTIONS, compile DIR
configure = cmake -S . -B $(1) -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(2) $(CMAKE_OPTIONS) >/dev/null
compile = cmake --build $(1) -j$(JOBS)

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := build
.PHONY: build demo test test-all asan tsan clang fuzz bench bench-noise experiment score score-sets score-metadata score-roles train train-roles compare compare-further results tune-eifce tune-lineblock compare-layout compare-browser format lint install clean help

build: ## Build the libraries and the program (build/winnow); needs no root
	@tools/packages --check build
	@$(call configure,build)
	@$(call compile,build)

demo: ## Install what is missing, build, and extract the article of a sample page
	@tools/packages build demo
	@$(MAKE) build
	@echo
	@echo '$$ build/winnow extract tests/pages/article.html'
	@echo
	@build/winnow extract tests/pages/article.html
	@build/winnow cloud -o build/cloud.svg --overwrite tests/pages/article.html
	@echo
	@echo 'Its words as a picture: build/cloud.svg'

test: ## Install what is missing, build twice (optimised, with sanitizers), and run the tests of both
	@tools/packages build test
	@tools/packages browser || true
	@tools/packages database || true
	@tests/run

test-all: ## What `make test` leaves out: other compilers, digests, fuzz targets, packages, releases
	@tools/packages build test sanitize python js
	@tools/packages browser || true
	@tools/packages spark || true
	@tests/run --rest

asan: ## Build and run the unit and conformance tests under AddressSanitizer and UBSan
	@tools/packages build test
	@tests/run asan

tsan: ## Build and run the thread test under ThreadSanitizer
	@tools/packages build test
	@tests/run tsan

clang: ## Build with clang, warnings as errors
	@tools/packages build test sanitize
	@tests/run clang

fuzz: ## Fuzz each target for FUZZ_SECONDS (60)
	@tools/packages build fuzz
	@CC=clang $(call configure,build-fuzz,-DCMAKE_BUILD_TYPE=Debug -DWINNOW_FUZZ=ON -DWINNOW_SANITIZE=address$(comma)undefined)
	@$(call compile,build-fuzz) --target fuzz_targets
	@tests/fuzz $(FUZZ_SECONDS)

bench: ## Compare speed and memory with lexbor, libxml2, gumbo, resiliparse and trafilatura
	@tools/packages build bench
	@bench/run
	@bench/run_bte
	@bench/archives

bench-noise: ## Find noise words among 1,000,000 words, and duplicates among 1,000,000 pages
	@tools/packages build
	@$(call configure,build/bench-release,-DWINNOW_BENCH=ON)
	@$(call compile,build/bench-release) --target bench_noise >/dev/null
	@build/bench-release/bench/bench_outliers
	@build/bench-release/bench/bench_dedup

experiment: build ## Run the experiment of the outlier paper, into docs/results.md
	@tools/experiment_outlier.py --data "$$(tools/data wcxb-dev cleanportaleval)"

score: build ## Word F1 of METHOD (lineblock) on the pages of wcxb-dev
	@tools/score.py --method $(METHOD) "$$(tools/data wcxb-dev)/wcxb-dev"

train: ## Train the model of `auto` and write src/auto/model_data.c (several minutes)
	@tools/packages build train
	@$(call configure,build)
	@$(call compile,build) --target dump_features
	@[ -d .venv ] || python3 -m venv .venv
	@.venv/bin/pip install -q lightgbm numpy publicsuffixlist
	@data="$$(tools/data $(MAIN_SET) $(EARLY_SETS) $(STORY_SETS) $(ITEM_SETS) $(TYPED_SETS) $(UNSEEN_SETS))" && \
		.venv/bin/python tools/train/train.py --early $(EARLY_SETS:%="$$data/%") --stories $(STORY_SETS:%="$$data/%") \
		--items $(ITEM_SETS:%="$$data/%") --typed $(TYPED_SETS:%="$$data/%") --unseen $(UNSEEN_SETS:%="$$data/%") --labels data/content/labels.tsv $(TRAIN_OPTIONS) -- "$$data/$(MAIN_SET)"

train-roles: ## Train the trees for roles and write src/auto/role_data.c; prints their figures on sites they have not seen
	@tools/packages build train
	@$(call configure,build)
	@$(call compile,build) --target dump_features
	@[ -d .venv ] || python3 -m venv .venv
	@.venv/bin/pip install -q lightgbm numpy
	@.venv/bin/python tools/train/train_roles.py "$$(tools/data $(ROLE_SETS))"

# Sets that auto was trained on are scored by the models of `make train`, if there are some.
TRAINED = $(wildcard build/train/folds/5.model)
# The golds of three sets were cleaned with the output of auto, which would be judged by itself.
SCORED_SETS = $(if $(TRAINED),$(MAIN_SET) $(EARLY_SETS) $(filter-out terms site-rules readers,$(STORY_SETS)) $(ITEM_SETS)) daniel canola
score-sets: build ## Word F1 of auto on further sets and by language, into docs/results.md
	@data="$$(tools/data $(SCORED_SETS))" && tools/score_sets.py --types --languages --write \
		$(if $(TRAINED),--folds build/train/folds) $(SCORED_SETS:%="$$data/%")

score-metadata: build ## How often title, author and date are right on the pages of wcxb-dev
	@tools/score_metadata.py --sources "$$(tools/data wcxb-dev)/wcxb-dev"

score-roles: build ## Precision and recall of roles on the blocks that data/roles labels; sets that are missing are skipped
	@data="$$(tools/data wcxb-dev)" && tools/roles.py score "$$data"

compare: build ## Write docs/comparison.md: winnow compared with eleven other extractors
	@tools/packages build bench
	@bench/compare

.PHONY: compare-structure round-trip validate-formats
compare-further: build ## The same on seven further sets, into docs/results.md
	@tools/packages build bench
	@bench/compare --further

round-trip: build ## Compare rendered Markdown with HTML on all pages of wcxb-dev and structure
	@tools/packages test
	@data="$$(tools/data wcxb-dev structure)" && tools/round_trip.py --show 8 "$$data/wcxb-dev" "$$data/structure"

validate-formats: build ## Validate TEI, HTML and XML of all pages of wcxb-dev
	@tools/packages test js
	@data="$$(tools/data wcxb-dev)" && python3 tests/formats/test_valid.py build/winnow "$$data/wcxb-dev"

compare-structure: build ## Write docs/structure.md: what the Markdown of winnow and others keeps of code, tables, links and so on
	@tools/packages build test bench js
	@[ -d .venv ] || python3 -m venv .venv
	@.venv/bin/pip install -q trafilatura lxml lxml_html_clean
	@data="$$(tools/data wcxb-dev structure)" && \
		.venv/bin/python tools/compare_structure.py --write docs/structure.md "$$data/wcxb-dev" "$$data/structure"

results: build ## Write docs/results.md: every method on every set with gold texts
	@tools/results.py

tune-eifce: build ## Choose the constants of eifce, cross-validated, into docs/results.md (several minutes)
	@[ -d .venv ] || python3 -m venv .venv
	@.venv/bin/pip install -q numpy
	@.venv/bin/python tools/tune_eifce.py --write "$$(tools/data wcxb-dev)/wcxb-dev"

tune-lineblock: build ## Choose the distance and the lambdas of lineblock on cleaneval-dev
	@tools/tune_lineblock.py "$$(tools/data cleaneval-dev)/cleaneval-dev"

compare-layout: ## Compare boxes with Chromium's, on 100 pages
	@tools/packages build test browser
	@$(call configure,build,-DWINNOW_TESTS=ON)
	@$(call compile,build)
	@tools/compare_layout.py --cache build/layout "$$(tools/data wcxb-dev)/wcxb-dev"

compare-browser: build ## Compare `-m all` with the text Chromium shows, on 100 pages
	@tools/packages browser
	@tools/browser_text.py --cache build/browser "$$(tools/data wcxb-dev)/wcxb-dev"

.PHONY: kill-test order-test bench-corpus bench-dedup
order-test: build ## Add 5,000 pages in many orders and parts: the same clusters and words on each database
	@tools/packages database || true
	@WINNOW_ORDER_PAGES=5000 python3 tests/cli/test_order.py build/winnow

kill-test: build ## Kill `corpus add` 50 times on each database and check that nothing is lost or duplicated
	@tools/packages database || true
	@WINNOW_KILLS=50 python3 tests/cli/test_corpus.py build/winnow Both.test_killed_and_run_again

bench-dedup: build ## Find duplicates in a store of 1,000,000 pages
	@python3 bench/bench_store_dedup.py

bench-corpus: build ## Measure `corpus add` and `corpus search` on 100,000 pages of 10 KB
	@python3 bench/bench_corpus.py

.PHONY: attacks test-allocations test-stores fuzz-short fuzz-cost
attacks: build ## Run the attack set at large sizes, with and without limits, into docs/limits.md (several minutes)
	@python3 tests/attacks/test_attacks.py build/winnow --large --limits --write docs/limits.md

test-allocations: build ## Make every allocation of 27 commands fail, one by one (several minutes)
	@python3 tests/allocations/test_allocations.py build/winnow --full

test-stores: ## Read 3,000 damaged stores with a sanitizer build
	@tools/packages build test
	@tools/packages database || true
	@$(call configure,build-asan,-DCMAKE_BUILD_TYPE=Debug -DWINNOW_TESTS=ON -DWINNOW_SANITIZE=address$(comma)undefined)
	@$(call compile,build-asan) --target winnow_command
	@python3 tests/stores/test_damaged.py build-asan/winnow --runs 3000

fuzz-short: ## Fuzz all targets for a minute in total, as `make test-all` does
	@tools/packages build fuzz
	@tests/run fuzz

fuzz-cost: ## Look for inputs that cost more than they should, FUZZ_SECONDS (60) with each performance fuzzer
	@tools/packages build fuzz
	@CC=clang $(call configure,build-fuzz-cost,-DCMAKE_BUILD_TYPE=Debug -DWINNOW_FUZZ=ON -DWINNOW_FUZZ_COST=ON)
	@$(call compile,build-fuzz-cost) --target fuzz_targets
	@tests/fuzz --cost $(FUZZ_SECONDS)

.PHONY: python bench-python test-adapters
python: ## Build the Python package: wheel and source distribution, into dist/
	@tools/packages build python
	@tools/python_package build

test-adapters: ## Test the adapters with the packages they support, from PyPI (several GB and minutes)
	@tools/packages build python
	@tools/python_package adapters

bench-python: ## Compare the speed of the Python package with resiliparse, trafilatura and FastWARC
	@tools/packages build bench python
	@bench/python --write

.PHONY: bench-serve soak-serve serve-asan
bench-serve: ## Measure the server under load, compared with the library and trafilatura
	@tools/packages build bench serve
	@bench/serve

soak-serve: ## Load the server for SOAK_MINUTES (30), 5% hostile bodies: no errors, memory flat
	@tools/packages build bench serve
	@bench/serve --soak $(SOAK_MINUTES)

serve-asan: ## Run the tests of the server and of winnow mcp under AddressSanitizer and UBSan
	@tools/packages build test
	@$(call configure,build-asan,-DCMAKE_BUILD_TYPE=Debug -DWINNOW_TESTS=ON -DWINNOW_SANITIZE=address$(comma)undefined)
	@$(call compile,build-asan) --target winnow_command
	@for script in tests/serve/test_*.py; do python3 $$script build-asan/winnow || exit 1; done

.PHONY: docs
docs: build ## Build the documentation as a static site: build/site/index.html
	@tools/packages docs
	@[ -d build/docs-venv ] || python3 -m venv build/docs-venv
	@build/docs-venv/bin/pip install -q mkdocs-material
	@NO_MKDOCS_2_WARNING=1 build/docs-venv/bin/mkdocs build -q --strict
	@echo 'Open build/site/index.html'

.PHONY: js web
web: ## Build the engine of the web page, so that web/ works without a server
	@tools/packages js
	@tools/js_package web

js: ## Build the JavaScript package: WebAssembly with its JavaScript, into dist/
	@tools/packages js
	@tools/js_package build

.PHONY: spark-test bench-spark
bench-spark: build ## Compare winnow.spark with the program and cc-pyspark; duplicates among up to 1,000,000 pages
	@tools/packages build python spark
	@bench/spark --write
	@bench/spark --dedup 10000,100000,1000000 --write

spark-test: build ## Test winnow.spark at full size: 2,000 pages, a cluster, executors killed; goes on after a part that passed
	@tools/packages build python spark
	@WINNOW_DATA="$$(tools/data wcxb-dev)" WINNOW_SPARK_PAGES=2000 WINNOW_SPARK_SPLITS=1,2,7 WINNOW_SPARK_CLUSTER=1 \
		WINNOW_SPARK_KILLS=10 WINNOW_SPARK_LIMIT=3600 WINNOW_SPARK_KEEP=build/spark-test "$$(tools/python_package spark)/bin/python" tests/spark/test_spark.py build/winnow -v

.PHONY: dist sbom deb test-deb
dist: ## Pack the last commit as dist/winnow-VERSION.tar.gz, reproducibly
	@tools/release dist

sbom: ## Write the software bill of materials, dist/winnow-VERSION.cdx.json (CycloneDX), validated
	@tools/packages build
	@tools/release sbom

deb: ## Debian packages of the last commit, into dist/: winnow, libwinnow0, libwinnow-dev; checked by lintian
	@tools/packages build deb
	@tools/release deb

test-deb: ## Install the packages of `make deb` in a fresh Debian, use them and remove them again (root)
	@tools/packages deb
	@tools/release test-deb

format: ## Format the C files
	@tools/packages format
	@tools/lint --format

lint: ## Check the formatting of the C files, stricter warnings, and the ABI since the last tag
	@tools/packages build format sanitize
	@tools/lint

install: build ## Install under PREFIX (/usr/local); DESTDIR stages it
	@DESTDIR='$(DESTDIR)' cmake --install build --prefix '$(PREFIX)'

clean: ## Remove everything that was built
	rm -rf build build-asan build-tsan build-clang build-fuzz build-fuzz-cost build-lint dist

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

comma := ,
