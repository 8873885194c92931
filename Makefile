# Everything that one does with this project. Python comes into .venv, nothing else is touched,
# except that `make test` installs Debian packages where it may.

PYTHON ?= python3
# More options for the table: make run ARGS="--camera simulated --port 8080"
ARGS ?=
# The benchmarks of `make bench`; the comparison of web servers needs packages of its own. One with
# options is quoted: BENCHES="vision 'sizes --only parts --parts 20'"
BENCHES ?= vision symbols sizes follow table games statistics
# Collections of pictures for BENCHES=collection: a folder or ZIP file, or a folder of them.
COLLECTION ?=
# A commit to compare with in the same run, if its modules have today's names: its reader is
# measured first, its table takes turns in make bench BENCHES=saving and make attack ATTACKS=door.
# For example: make bench BEFORE=v1.0
BEFORE ?=
# The attacks of `make attack`, and where their chance begins.
ATTACKS ?= flips kills folders files foreign threads door cookies puppets twins install
SEED ?= 1
# Files or folders of the product, and options: make mutants MUTANTS="table --sample 100 --seed 1"
MUTANTS ?=
# Options for pytest: make test TESTS="tests/table/test_seats.py -x"
TESTS ?=
# The tests share the work out between processes: one for each core, and two for while they wait.
WORKERS ?= $(shell expr $$(nproc) + 2)
# What the tests need beside Python: a browser with a font, systemd-analyze, an MQTT broker, and what
# writes to the image of a memory card. Where the shell can't be had, an installed Chromium will do: it
# draws the same, at three times the work.
BROWSER := chromium-headless-shell
PACKAGES := $(BROWSER) fonts-dejavu-core libnss3-tools systemd mosquitto mtools dnsmasq-base iproute2

# Tools are called as modules: scripts in .venv/bin name the interpreter by a path, which may have spaces.
PY := .venv/bin/python
# Ctrl-C waits until the program can end quietly; `env` of other systems than Linux can't do that.
QUIETLY := $(shell env --block-signal=INT true 2> /dev/null && echo env --block-signal=INT)
SHARED = --numprocesses $(WORKERS) --dist worksteal --durations 10
# What make quick runs: what neither asks for more than Python nor takes long.
QUICK = not (pictures or processes or tables or slow)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Workers and the programs that tests start would compile every module again.
unexport PYTHONDONTWRITEBYTECODE
export COLLECTION

.DELETE_ON_ERROR:
.PHONY: help run quick test test-all test-slow test-debian test-wheels wheels check house bench attack coverage mutants release card deb film pictures gallery sheets stand sounds translations boot-test camera-test arm-test container-test clean packages

help: ## Say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s  %s\n", $$1, $$2 }' Makefile

run: .venv/run ## Run the table; ARGS="--camera simulated" and the like are handed on
	@exec $(QUIETLY) $(PY) -m companion run $(ARGS)

quick: .venv/dev ## Run the tests of rules, table, journal and formats: no browser, hardly a picture
	$(PY) -m pytest $(SHARED) -m "$(QUICK)" $(TESTS)

test: packages .venv/dev ## Run those and one of each behaviour, real browser included; TESTS="tests/table/test_seats.py -x" chooses
	$(PY) -m pytest $(SHARED) -m "not slow" $(TESTS)

test-all: packages .venv/dev ## Run all tests: picture sets, attacks, kills and floods at full length
	$(PY) -m pytest $(SHARED) $(TESTS)

test-slow: packages .venv/dev ## Run what make test leaves out of make test-all
	$(PY) -m pytest $(SHARED) -m slow $(TESTS)

test-debian: packages .venv-debian/dev ## Run all tests on what Debian 13 packages: OpenCV 4.10, numpy 2.2
	.venv-debian/bin/python -m pytest $(SHARED) $(TESTS)

check: .venv/dev ## Check style and types
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy

# The folder with the parts $(1) of the commit BEFORE, for a comparison in the same run.
before = rm -rf build/before; mkdir -p build/before; \
	git archive $(BEFORE) $(1) | tar -x -C build/before
PARTS := companion vision web hardware

bench: .venv/dev ## Measure; BENCHES="table saving" chooses
	set -e; for bench in $(BENCHES); do \
	    if [ -n "$(BEFORE)" ] && [ "$$bench" = saving ]; then \
	        $(call before,$(PARTS)); \
	        $(PY) -m tests.tools.bench.saving --before build/before; \
	        continue; \
	    fi; \
	    options=; \
	    if [ -n "$(BEFORE)" ]; then \
	        if [ "$$bench" = vision ]; then options=--reader-only; fi; \
	        $(call before,vision); \
	        echo "With the reader of $(BEFORE):"; \
	        PYTHONPATH=build/before:. $(PY) -P -m tests.tools.bench.$$bench $$options; \
	        echo "With the reader of this commit:"; \
	    fi; \
	    $(PY) -m tests.tools.bench.$$bench $$options; \
	done

house: .venv/dev ## Measure how the code is laid out; ARGS=--all lists what is counted, BEFORE compares
	@set -e; if [ -n "$(BEFORE)" ]; then \
	    $(call before,$(PARTS) systemd tests/support); \
	    echo "$(BEFORE):"; $(PY) -m tests.tools.house build/before $(ARGS); echo "This commit:"; \
	fi; $(PY) -m tests.tools.house $(ARGS)

attack: .venv/dev ## Attack the table longer than the tests do; ATTACKS and SEED choose
	set -e; for attack in $(ATTACKS); do \
	    if [ -n "$(BEFORE)" ] && [ $$attack = door ]; then \
	        $(call before,$(PARTS)); \
	        $(PY) -m tests.tools.attacks.door --seed $(SEED) --before build/before; \
	    else \
	        $(PY) -m tests.tools.attacks.$$attack --seed $(SEED); \
	    fi; \
	done

coverage: .venv/mutants ## Measure what lines make quick touches; ARGS=--test adds make test
	$(PY) -m tests.tools.coverage_map "$(QUICK)" $(ARGS)

build/coverage/quick: | .venv/mutants
	$(PY) -m tests.tools.coverage_map "$(QUICK)"

mutants: build/coverage/quick ## Change the rules piece by piece, or what MUTANTS names: do the tests notice?
	$(PY) -m tests.tools.mutants $(MUTANTS)

wheels: .venv/dev ## Choose the newest wheels for the next release, for both releases of Raspberry Pi OS
	$(PY) .ci/wheels

test-wheels: packages .venv-wheels/dev ## Run all tests with the versions that a release installs
	.venv-wheels/bin/python -m pytest $(SHARED) -m "not slow" $(TESTS)

release: .venv/dev ## Make the archive for a Pi and the Python packages from the last commit, in dist; KEY=FILE signs
	PYTHON=$(CURDIR)/$(PY) KEY=$(KEY) .ci/release

card: .venv/dev ## Make an image that installs the release of dist at a Pi's first start; IMAGE=raspios.img.xz
	$(PY) .ci/memory_card.py $(IMAGE) $(ARGS)

deb: .venv/dev ## Make a Debian package of the release of dist, with the wheels that it needs
	$(PY) .ci/debian_package.py $(ARGS)

pictures: .venv/dev packages ## Take the pictures of docs/play.md, install.md and setup.md again
	SHOTS=docs/pictures $(PY) -m pytest tests/pages/test_evening.py tests/pages/test_before_the_table.py \
	    tests/pages/test_machine_page.py
	$(PY) -m docs.generate.reader_steps docs/pictures

film: .venv/dev packages ## Film a turn for the README, and whole games on the television, again
	@command -v ffmpeg > /dev/null || { echo "film needs: sudo apt-get install ffmpeg" >&2; exit 1; }
	PYTHONPATH=tests/support $(PY) -m docs.generate.film docs/pictures/turn.gif
	PYTHONPATH=tests/support $(PY) -m docs.generate.film_sheets docs/gallery/films

gallery: .venv/dev packages ## Take the pictures of every page again
	folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	    SHOTS=$$folder $(PY) -m pytest tests/pages/test_every_page.py tests/pages/test_hall_page.py && \
	    $(PY) -m docs.generate.gallery "$$folder" docs/gallery

sheets: .venv/run ## Draw the sheets and the deck to print, the faces on the pages and docs/build again
	$(PY) -m docs.generate.print_sheets docs/print
	$(PY) -m docs.generate.card_sheets docs/print
	$(PY) -m docs.generate.print_deck vision/profiles/print.cards
	$(PY) -m docs.generate.faces web/static/faces.svg
	$(PY) -m docs.generate.build docs

stand: .venv/run ## Write the pieces of the stand to print again, and draw it
	@command -v openscad > /dev/null || { echo "stand needs: sudo apt-get install openscad" >&2; exit 1; }
	$(PY) -m docs.generate.stand docs/print/stand

sounds: .venv/run ## Synthesise the sounds of the table page and of the speaker again
	$(PY) -m docs.generate.sounds web/static/sounds

translations: .venv/run ## Bring the catalogues of the pages' texts in line with the sources
	$(PY) -m docs.generate.translations

boot-test: .venv/dev ## Install, boot, upgrade, pull the plug: on a Debian made for it (root, over an hour)
	@for tool in debootstrap mke2fs mcopy qemu-system-x86_64; do command -v $$tool > /dev/null || \
	    { echo "boot-test needs: sudo apt-get install debootstrap e2fsprogs mtools qemu-system-x86" >&2; exit 1; }; done
	$(PY) -m tests.tools.boot $(ARGS)

camera-test: .venv/run ## Run the Pi camera's code on the real picamera2 (root, 5 minutes)
	@command -v debootstrap > /dev/null || { echo "camera-test needs: sudo apt-get install debootstrap" >&2; exit 1; }
	$(PY) -m tests.tools.boot.camera $(ARGS)

arm-test: .venv/dev ## Install, play, read and test on arm64, emulated: a Pi's kind of processor (root, an hour)
	$(PY) -m tests.tools.boot.arm --quick "$(QUICK)" $(ARGS)

container-test: .venv/run ## Build the images of docs/containers, and run a club night in them (Docker, 20 minutes)
	@docker compose version > /dev/null || { echo "container-test needs Docker with Compose 2" >&2; exit 1; }
	$(PY) -m tests.tools.boot.club_night $(ARGS)

clean: ## Remove what the other commands made; games and profiles stay
	rm -rf .venv .venv-debian .venv-wheels build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find companion vision hardware web tests docs -name __pycache__ -prune -exec rm -rf {} +

# Stamps: made again when the dependencies change.
.venv/run: pyproject.toml
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	    { echo "$(PYTHON) has no venv: sudo apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(PY) -m pip install --quiet --editable .
	touch $@

.venv/dev: .venv/run
	$(PY) -m pip install --quiet --editable '.[dev]'
	touch $@

.venv-debian/dev: pyproject.toml tests/debian13.txt
	$(PYTHON) -m venv .venv-debian
	.venv-debian/bin/python -m pip install --quiet --editable '.[dev]' --constraint tests/debian13.txt
	touch $@

# Of the Python that runs here, with apt's numpy of the same release.
WHEELS = systemd/wheels/python-$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])').txt
.venv-wheels/dev: pyproject.toml $(wildcard systemd/wheels/*.txt)
	$(PYTHON) -m venv .venv-wheels
	sed -n -e 's/^# .* numpy \(.*\)\.$$/numpy==\1/p;t' -e 's/^\([^ #]*==[^ ]*\).*/\1/p' $(WHEELS) > .venv-wheels/versions.txt
	.venv-wheels/bin/python -m pip install --quiet --editable '.[dev]' --constraint .venv-wheels/versions.txt
	touch $@

.venv/mutants: .venv/dev
	$(PY) -m pip install --quiet --editable '.[mutants]'
	touch $@

BROWSER_ALONE = { [ "$$missing" = " $(BROWSER)" ] && command -v chromium > /dev/null && \
	    echo "The tests run in Chromium; without waiting so long: sudo apt-get install $(BROWSER)"; }

packages:
	@missing=; \
	for package in $(PACKAGES); do \
	    dpkg-query -W -f '$${db:Status-Status}' $$package 2>/dev/null | grep -qx installed || \
	        missing="$$missing $$package"; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	if [ "$$(id -u)" = 0 ]; then as_root=env; \
	elif sudo -n true 2>/dev/null; then as_root="sudo env"; \
	elif $(BROWSER_ALONE); then exit 0; \
	else echo "The tests need: sudo apt-get install$$missing" >&2; exit 1; fi; \
	$$as_root apt-get update -qq || true; \
	$$as_root DEBIAN_FRONTEND=noninteractive \
	    apt-get install -y -qq --no-install-recommends $$missing || $(BROWSER_ALONE)
