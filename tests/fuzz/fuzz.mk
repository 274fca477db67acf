# SPDX-License-Identifier: MIT
#
# Fuzzing: fuzz_NAME.c gives what a guest writes to the monitor's function that reads it, linked with FUZZ_LINK_NAME and, as unit tests are, the
# monitor's folders from the highest that it includes downwards.
# Programs are made for it twice: by clang with libFuzzer (make fuzz-search), and by the host's compiler with the corpus alone,
# which `make check` goes through (tests/fuzz/corpus.test). Sanitizers are on in both.

FUZZ_LINK_ahead := -Wl,--wrap=pthread_cond_wait,--wrap=pthread_cond_timedwait
FUZZ_LINK_channel := -Wl,--wrap=syscall,--wrap=waitpid
FUZZ_LINK_network := -Wl,--wrap=socket,--wrap=connect,--wrap=listen,--wrap=accept4,--wrap=sendto,--wrap=recvfrom
# dies.h
FUZZ_DIES := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=strdup,--wrap=vasprintf
FUZZ_LINK_search_merge := $(FUZZ_DIES)
FUZZ_MORE_search_merge := dies
FUZZ_LINK_verify_shard := $(FUZZ_DIES)
FUZZ_MORE_verify_shard := dies
FUZZ_NAMES := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))

# --- the corpus ---

FUZZ_REPLAYS := $(FUZZ_NAMES:%=$(B)/tests/fuzz/%.replay)
check-build: $(FUZZ_REPLAYS)

define FUZZ_REPLAY_RULE
$(B)/tests/fuzz/$(1).replay: $(patsubst %,$(B)/obj-asan/tests/fuzz/%.o,replay fuzz_$(1) $(FUZZ_MORE_$(1))) \
		$(patsubst %,$(B)/obj-asan/%.a,$(call monitor_folders,fuzz_$(1)))
	@mkdir -p $$(@D)
	@echo "  HOSTLD  $(1).replay"
	@$$(CC) $(ASAN_FLAGS) $(FUZZ_LINK_$(1)) -o $$@ $$^ -lcrypto -ldl
endef
$(foreach name,$(FUZZ_NAMES),$(eval $(call FUZZ_REPLAY_RULE,$(name))))

# --- the search ---

FUZZ_CC := clang
FUZZ_CFLAGS := -std=gnu11 -D_GNU_SOURCE= -O1 -g -Wno-c2x-extensions -I$(SRC) $(MONITOR_INCLUDES) -I$(B)/names -fno-strict-aliasing \
	$(UNIT_SANITIZE) -fsanitize=fuzzer-no-link -fprofile-instr-generate=/dev/null -fcoverage-mapping
FUZZERS := $(FUZZ_NAMES:%=$(B)/tests/fuzz/%)

$(B)/tests/fuzz/obj/%.o: %.c tests/fuzz/fuzz.mk | $(LIBRARY_NAMES)
	@mkdir -p $(@D)
	@echo "  CLANG   $<"
	@$(FUZZ_CC) $(FUZZ_CFLAGS) -MMD -MP -c $< -o $@
	@$(RELOCATE) $(@:.o=.d)

define FUZZED_FOLDER_RULE
$(B)/tests/fuzz/obj/$(notdir $(1)).a: $(patsubst %.c,$(B)/tests/fuzz/obj/%.o,$(filter hypervisor/$(1)/%,$(MONITOR_SOURCES))) $(MONITOR_DATA_$(notdir $(1)))
	@rm -f $$@ && ar rcDT $$@ $$^
endef
$(foreach folder,$(MONITOR_FOLDERS),$(eval $(call FUZZED_FOLDER_RULE,$(folder))))

define FUZZ_RULE
$(B)/tests/fuzz/$(1): $(patsubst %,$(B)/tests/fuzz/obj/tests/fuzz/%.o,fuzz_$(1) $(FUZZ_MORE_$(1))) $(patsubst %,$(B)/tests/fuzz/obj/%.a,$(call monitor_folders,fuzz_$(1)))
	@mkdir -p $$(@D)
	@echo "  LD      fuzz $(1)"
	@$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer $(FUZZ_LINK_$(1)) -o $$@ $$^ -lcrypto -ldl
endef
$(foreach name,$(FUZZ_NAMES),$(eval $(call FUZZ_RULE,$(name))))

# Seconds for all harnesses together; ONLY=out is one of them.
FUZZ_SECONDS ?= 600
.PHONY: fuzz-search
fuzz-search:
	@scripts/install-packages fuzz
	@$(MAKE) $(FUZZERS)
	@SRC=$(SRC) B=$(B) ONLY=$(ONLY) FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/search

# --- calls in a guest ---

FUZZ_CALLS := $(B)/tests/fuzz/guest/calls
FUZZ_CALLS_SOURCES := $(sort $(wildcard tests/fuzz/guest/*.c))
check-build: $(FUZZ_CALLS)

$(FUZZ_CALLS): $(FUZZ_CALLS_SOURCES) tests/fuzz/guest/calls.h
	@mkdir -p $(@D)
	@echo "  LINUX   tests/fuzz/guest"
	@$(CC) $(LINUX_TEST_CFLAGS) -static -pthread -o $@ $(FUZZ_CALLS_SOURCES)

# For FUZZ_SECONDS, from the seed FIRST on.
.PHONY: fuzz-calls
fuzz-calls: $(FUZZ_CALLS) $(B)/eremite $(B)/eremite-asan $(B)/lib/linux.image
	@SRC=$(SRC) B=$(B) FUZZ_SECONDS=$(FUZZ_SECONDS) FIRST=$(FIRST) tests/fuzz/calls

-include $(shell find $(B)/tests/fuzz/obj -name '*.d' 2>/dev/null)
