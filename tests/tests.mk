# SPDX-License-Identifier: MIT
#
# Tests. tests/run finds and runs them; here they are built. A guest test is one C file in tests/guest, compiled for
# Eremite and for Linux: what both print must be the same. Those in tests/linux that say so are guest tests, too.

UNIT_PROGRAMS :=
include tests/unit/hypervisor.mk tests/unit/unit.mk tests/unit/mm.mk tests/unit/sched.mk tests/unit/cpu.mk

BOTH_TESTS := $(basename $(notdir $(sort $(shell grep -lx '/. also for native images ./' tests/linux/*.c))))
GUEST_TESTS := $(basename $(notdir $(sort $(wildcard tests/guest/*.c)))) $(BOTH_TESTS)
# Tests with an expected output of their own have no native oracle.
NATIVE_TESTS := $(filter-out $(basename $(notdir $(wildcard tests/guest/*.expected))),$(GUEST_TESTS))

GUEST_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -ffp-contract=off -fno-builtin-malloc

$(B)/tests/guest/%: tests/guest/%.c $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   $<"
	@$(B)/eremite-cc $(GUEST_CFLAGS) $(shell sed -n 's|^/. eremite-cc: \(.*\) \*/$$|\1|p' $<) -o $@ $< -lm -latomic

$(B)/tests/native/%: tests/guest/%.c
	@mkdir -p $(@D)
	@echo "  NATIVE  $<"
	@$(CC) $(GUEST_CFLAGS) -o $@ $< -lm -latomic

# Programs of Linux, with its C library in them: what they print natively they print in the guest. They pass pointers
# that are none.
LINUX_TESTS := $(basename $(notdir $(sort $(wildcard tests/linux/*.c))))
LINUX_TEST_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -Wno-nonnull -Wno-stringop-overflow \
	-Wno-stringop-overread -Wno-unused-result -I$(SRC)

$(B)/tests/linux/%: tests/linux/%.c
	@mkdir -p $(@D)
	@echo "  LINUX   $<"
	@$(CC) $(LINUX_TEST_CFLAGS) -MMD -MP -static -o $@ $< -lm
	@$(RELOCATE) $@.d

$(BOTH_TESTS:%=$(B)/tests/guest/%): $(B)/tests/guest/%: tests/linux/%.c $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   $<"
	@$(B)/eremite-cc $(LINUX_TEST_CFLAGS) -MMD -MP -o $@ $< -lm
	@$(RELOCATE) $@.d

$(BOTH_TESTS:%=$(B)/tests/native/%): $(B)/tests/native/%: $(B)/tests/linux/%
	@mkdir -p $(@D) && cp $< $@

-include $(BOTH_TESTS:%=$(B)/tests/guest/%.d)

$(B)/tests/linux/stack_code: LINUX_TEST_CFLAGS += -Wl,--no-warn-execstack

-include $(LINUX_TESTS:%=$(B)/tests/linux/%.d)

include tests/fault/fault.mk tests/preempt/preempt.mk tests/stock/stock.mk tests/repeat/repeat.mk tests/security/security.mk
include tests/image/image.mk tests/fuzz/fuzz.mk tests/engines/engines.mk tests/packages/packages.mk tests/search/search.mk

# What stops a test that hangs.
$(B)/tests/watchdog: tests/watchdog.c
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(CC) -std=gnu11 -O2 -Wall -Wextra -Werror -Wshadow -o $@ $<

# make check-host runs the tests under variations of the host: nice values, limits, umasks, locales, a terminal or none ...
# [V='nice19 umask077+german'] [T=linux/]; see tests/variations.
.PHONY: check-host
check-host: check-build
	@SRC=$(SRC) B=$(B) OPTIONS='$(if $(ENGINE),--engine $(ENGINE) )$(OPTIONS)' tests/variations $(V) $(if $(T),-- $(T))

.PHONY: check check-build
check-build: all $(B)/tests/watchdog $(GUEST_TESTS:%=$(B)/tests/guest/%) $(NATIVE_TESTS:%=$(B)/tests/native/%) \
	$(LINUX_TESTS:%=$(B)/tests/linux/%) $(UNIT_PROGRAMS)

# make check T=NAME runs one test, or all whose name begins so, and builds what these need; OPTIONS='--jitter 1' is given to every guest, and
# ENGINE=process has all guests run on that engine.
check: check-packages
	@$(if $(T),:,$(MAKE) lint)
	@$(MAKE) $(if $(T),$$(B=$(B) tests/run --targets $(T)),check-build)
	@SRC=$(SRC) B=$(B) OPTIONS='$(if $(ENGINE),--engine $(ENGINE) )$(OPTIONS)' tests/run $(T)

# What the build needs is installed first; says so, and how, when it cannot.
.PHONY: check-packages
check-packages:
	@scripts/install-packages check

# Servers and their clients in one guest, real software over TCP and UDP: make check-peers [T=nginx]. What is not installed is
# skipped, with the command that installs it. packages/ takes minutes to configure.
PEERS := peers/ packages/ linux/internet linux/redis linux/tls
.PHONY: check-peers
check-peers: check-packages
	@$(MAKE) check-build $(PACKAGE_IMAGES)
	@SRC=$(SRC) B=$(B) OPTIONS='$(if $(ENGINE),--engine $(ENGINE) )$(OPTIONS)' tests/run $(if $(T),$(T:%=peers/%),$(PEERS))

# Sealed images in people's work: R, a genome alignment, LaTeX, CTest, Snakemake: make check-papers [T=latex].
.PHONY: check-papers
check-papers:
	@scripts/install-packages papers
	@$(MAKE) check-build
	@SRC=$(SRC) B=$(B) OPTIONS='$(if $(ENGINE),--engine $(ENGINE) )$(OPTIONS)' tests/run papers/$(T)

# Work cut by number, placed by Slurm, GNU parallel, xargs and make: make check-cluster [T=verify_slurm]. As root.
.PHONY: check-cluster
check-cluster:
	@scripts/install-packages cluster
	@$(MAKE) check-build bundle
	@SRC=$(SRC) B=$(B) OPTIONS='$(if $(ENGINE),--engine $(ENGINE) )$(OPTIONS)' tests/run cluster/$(T)

# Two nodes of a Slurm on this machine beside --jobs 2, first tries made once, and a large merge: make bench-cluster [TRIES=1000000].
.PHONY: bench-cluster
bench-cluster: search-programs
	@scripts/install-packages cluster
	@$(MAKE) all
	@SRC=$(SRC) B=$(B) tests/cluster/bench

# The page of eremite analyze --html, also in headless Chromium. Installs nothing.
.PHONY: check-page
check-page:
	@command -v chromium >/dev/null || { echo "check-page: needs Chromium; install it by: scripts/install-packages page" >&2 && exit 1; }
	@$(MAKE) all $(B)/tests/watchdog $(B)/tests/schedule/late
	@SRC=$(SRC) B=$(B) tests/run analyze/page

# gdb's own tests with eremite in gdbserver's place, and with gdbserver, in DIR, the unpacked source package of gdb: hours.
# make check-gdb GDB_SOURCE=DIR [T='gdb.base/break.exp ...'] [EACH=10]
.PHONY: check-gdb
check-gdb: all
	@B=$(B) GDB_SOURCE='$(GDB_SOURCE)' $(if $(T),T='$(T)') $(if $(EACH),EACH=$(EACH)) tests/debug/gdb/run

# What a new user types in the first hour, with a race in Python and one in Go: minutes; FIRST_HOUR=clone begins with a clone.
.PHONY: check-first-hour
check-first-hour: all $(B)/tests/watchdog
	@SRC=$(SRC) B=$(B) FIRST_HOUR=$(or $(FIRST_HOUR),all) tests/run 'docs/first_hour$$'

# Long checks: the long tests of tests/README.md; guest programs and input that ends at once under the monitor with
# AddressSanitizer and UBSan, of which the first error ends the run; and then make fuzz: make check-long [ENGINE=process].
# T=guest/s runs only these programs under the sanitizers.
.PHONY: check-long
check-long: check-build
	@$(if $(T),:,SRC=$(SRC) B=$(B) OPTIONS='$(if $(ENGINE),--engine $(ENGINE) )$(OPTIONS)' tests/run --long)
	@SRC=$(SRC) B=$(B) RUN_MONITOR=eremite-asan OPTIONS='$(if $(ENGINE),--engine $(ENGINE) )$(OPTIONS)' tests/run $(or $(T),guest/ fault/input)
	@$(if $(T),:,$(MAKE) fuzz)

# Whether the pairs that eremite analyze names are the causes: five minutes.
.PHONY: pairs
pairs: $(B)/eremite
	@SRC=$(SRC) B=$(B) tests/analyze/measure_pairs

# What eremite analyze says about each of apps/race_*, and how many of 1000 seeds find the race, by policy: about ten
# minutes.
.PHONY: races
races: $(RACES:%=$(B)/apps/%) $(B)/eremite
	@SRC=$(SRC) B=$(B) tests/analyze/measure
	@SRC=$(SRC) B=$(B) tests/races/measure

# CPython's own suite, natively and in the guest, as a table: MODULES='test_os test_re' only these, RUNS=5 for one digest.
.PHONY: python-suite
python-suite: check-packages $(B)/eremite $(B)/lib/linux.image
	@SRC=$(SRC) B=$(B) $(if $(RUNS),RUNS=$(RUNS)) tests/python/suite $(MODULES)

# The searching tests for longer than `make check` has time: ROUNDS times as many steps (about ten minutes), and then
# odd calls in guests and what guests write, by libFuzzer (each FUZZ_SECONDS, ten minutes).
ROUNDS ?= 20
.PHONY: fuzz
fuzz: check-build
	@for seed in 101 102 103; do \
		EREMITE_SEED=$$seed EREMITE_STEPS=$$((10000 * $(ROUNDS))) $(B)/tests/unit/linux || exit 1; \
	done
	@KILLS=$$((10 * $(ROUNDS))) SRC=$(SRC) B=$(B) tests/run security/kill image/kill_moments
	@EREMITE_STEPS=$$((60 * $(ROUNDS))) $(B)/tests/unit/erofs
	@EREMITE_STEPS=$$((500 * $(ROUNDS))) $(B)/tests/unit/vfs
	@EREMITE_STEPS=$$((3000 * $(ROUNDS))) $(B)/tests/unit/vm
	@for seed in 101 102 103; do \
		EREMITE_SEED=$$seed EREMITE_STEPS=$$((20000 * $(ROUNDS))) $(B)/tests/unit/schedule || exit 1; \
	done
	@EREMITE_SEED=1000 EREMITE_STEPS=$$((1500 * $(ROUNDS))) $(B)/tests/unit/tick_programs
	@FLIPS=$$((100 * $(ROUNDS))) SRC=$(SRC) B=$(B) tests/run fault/elf
	@$(MAKE) fuzz-calls
	@$(MAKE) fuzz-search

# Determinism evidence with threads: make soak [RUNS=100] [ONLY=thread_create] [HOSTS=idle]; hours, of which thread_many takes most.
.PHONY: soak
soak: check-build
	@SRC=$(SRC) B=$(B) ONLY=$(ONLY) $(if $(RUNS),RUNS=$(RUNS)) $(if $(HOSTS),HOSTS='$(HOSTS)') tests/schedule/soak
	@$(MAKE) soak-network
	@$(MAKE) soak-hostile
	@$(MAKE) soak-jitter

# A storm of connections for a published server: make soak-network [MEGABYTES=1000] [AT_ONCE=500]; some minutes.
.PHONY: soak-network
soak-network: check-build
	@SRC=$(SRC) B=$(B) $(if $(MEGABYTES),MEGABYTES=$(MEGABYTES)) $(if $(AT_ONCE),AT_ONCE=$(AT_ONCE)) tests/net/soak

# Hostile clients of a published server, with HOSTILE times (10) as many connections and datagrams: make soak-hostile.
.PHONY: soak-hostile
soak-hostile: check-build
	@SRC=$(SRC) B=$(B) HOSTILE=$(or $(HOSTILE),10) tests/run net/hostile

# The whole suite with --jitter, and programs with threads with SEEDS seeds (20): make soak-jitter [SEEDS=5] [ONLY=linux/spin].
.PHONY: soak-jitter
soak-jitter: check-build
	@SRC=$(SRC) B=$(B) ONLY=$(ONLY) $(if $(SEEDS),SEEDS=$(SEEDS)) tests/schedule/soak_jitter
