# SPDX-License-Identifier: MIT
#
# Fuzzing: fuzz_NAME.c gives what a guest writes to the monitor's function that reads it, with the modules FUZZ_NAME, linked with FUZZ_LINK_NAME.
# Programs are made for it twice: by clang with libFuzzer (make fuzz-search), and by the host's compiler with the corpus alone,
# which `make check` goes through (tests/fuzz/corpus.test). Sanitizers are on in both.

FUZZ_console := $(HYPERVISOR_UNIT_console)
FUZZ_end := run_end place progress schedule_window schedule preempt_option value thread_reports guest_memory guest_contents mapped_file host_memory $(CODE_SCAN)
FUZZ_schedule := $(HYPERVISOR_UNIT_schedule_window)
FUZZ_out := $(HYPERVISOR_UNIT_out)
FUZZ_changes := changes clean_path save_dir save_plan save_apply new_file attributes keeper $(HYPERVISOR_UNIT_host_files)
FUZZ_host_files := $(HYPERVISOR_UNIT_host_files)
FUZZ_erofs := extract_plan $(HYPERVISOR_UNIT_erofs_file)
FUZZ_image := binds eri_bound eri_check erofs_walk $(HYPERVISOR_UNIT_host_files)
FUZZ_analysis := $(CODE_SCAN)
FUZZ_code := $(HYPERVISOR_UNIT_code_service)
FUZZ_portable := $(HYPERVISOR_UNIT_portable) code_compare extensions
FUZZ_view := linux_view guest_virtual guest_memory guest_contents mapped_file host_memory
FUZZ_spin := $(HYPERVISOR_UNIT_spin)
FUZZ_ahead := host_ahead host_lookups host_walk host_unasked host_asked host_check $(filter-out beside,$(HYPERVISOR_UNIT_host_files))
FUZZ_LINK_ahead := -Wl,--wrap=pthread_cond_wait,--wrap=pthread_cond_timedwait
FUZZ_channel := engine/process/process engine/process/content_files engine/process/bases engine/process/memory engine/process/placement beside guest_memory guest_contents mapped_file host_memory
FUZZ_LINK_channel := -Wl,--wrap=syscall,--wrap=waitpid
FUZZ_network := $(NET) beside
FUZZ_LINK_network := -Wl,--wrap=socket,--wrap=connect,--wrap=listen,--wrap=accept4,--wrap=sendto,--wrap=recvfrom
FUZZ_recording := $(NET) beside
FUZZ_names := record_names record_log digest
FUZZ_oci := oci_attributes oci_config oci_layout cjson clean_path die
FUZZ_oci_layer := oci_attributes oci_layer oci_marks oci_remove oci_source oci_start oci_stream oci_tree libarchive clean_path die digest
FUZZ_feedback := $(HYPERVISOR_UNIT_search_feedback)
FUZZ_tries := run_tries $(FUZZ_end)
FUZZ_notes := $(HYPERVISOR_UNIT_shared_notes)
FUZZ_doorbell := $(filter-out beside,$(sort run_serve run_net run_tries run_notes run_copy shared_notes pair_table races race_clock race_calls console input recorded_input terminal memory_ahead $(FUZZ_end) $(FUZZ_ahead) $(FUZZ_out) $(FUZZ_code) $(FUZZ_spin) \
	$(NET)))
# dies.h
FUZZ_DIES := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=strdup,--wrap=vasprintf
FUZZ_junit := search_said search_junit die
# What makes runs is left out; nothing calls it.
FUZZ_PART := -no-pie -Wl,--unresolved-symbols=ignore-all
FUZZ_races := races race_clock race_calls pair_table search_races search_go search_sanitizer json_in json_out cjson text utf8 die
FUZZ_LINK_races := $(FUZZ_PART)
FUZZ_search_merge := search_merge search_resume search_results search_races search_go search_sanitizer search_shard search_input search_feedback search_corpus \
	search_outcome search_said search_junit search_try search_vary search_points search_profile search_option image_text option_words option_names json_in json_out cjson text save utf8 results_format printable
FUZZ_LINK_search_merge := $(FUZZ_DIES) $(FUZZ_PART)
FUZZ_MORE_search_merge := tests/fuzz/dies
FUZZ_verify_shard := verify_shard image_results image_compare image_text json_in json_out cjson text save utf8 results_format printable
FUZZ_LINK_verify_shard := $(FUZZ_DIES) $(FUZZ_PART)
FUZZ_MORE_verify_shard := tests/fuzz/dies
FUZZ_NAMES := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))

# --- the corpus ---

FUZZ_REPLAYS := $(FUZZ_NAMES:%=$(B)/tests/fuzz/%.replay)
check-build: $(FUZZ_REPLAYS)

define FUZZ_REPLAY_RULE
$(B)/tests/fuzz/$(1).replay: $(patsubst %,$(B)/tests/unit/hypervisor/obj/%.o,tests/fuzz/replay tests/fuzz/fuzz_$(1) $(FUZZ_MORE_$(1)) \
		$(call monitor_modules,$(FUZZ_$(1))))
	@mkdir -p $$(@D)
	@echo "  HOSTLD  $(1).replay"
	@$$(CC) $(HYPERVISOR_UNIT_SANITIZE) $(FUZZ_LINK_$(1)) -o $$@ $$^ -lcrypto -ldl
endef
$(foreach name,$(FUZZ_NAMES),$(eval $(call FUZZ_REPLAY_RULE,$(name))))

# --- the search ---

FUZZ_CC := clang
FUZZ_CFLAGS := -std=gnu11 -D_GNU_SOURCE= -O1 -g -I$(SRC) -I$(SRC)/hypervisor -I$(B)/names -fno-strict-aliasing $(UNIT_LAYOUT) \
	$(HYPERVISOR_UNIT_SANITIZE) -fsanitize=fuzzer-no-link -fprofile-instr-generate=/dev/null -fcoverage-mapping
FUZZERS := $(FUZZ_NAMES:%=$(B)/tests/fuzz/%)

$(B)/tests/fuzz/obj/%.o: %.c tests/fuzz/fuzz.mk | $(LIBRARY_NAMES)
	@mkdir -p $(@D)
	@echo "  CLANG   $<"
	@$(FUZZ_CC) $(FUZZ_CFLAGS) -MMD -MP -c $< -o $@
	@$(RELOCATE) $(@:.o=.d)

define FUZZ_RULE
$(B)/tests/fuzz/$(1): $(patsubst %,$(B)/tests/fuzz/obj/%.o,tests/fuzz/fuzz_$(1) $(FUZZ_MORE_$(1)) $(call monitor_modules,$(FUZZ_$(1))))
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
