# SPDX-License-Identifier: MIT
#
# Unit tests of the monitor: tests/unit/hypervisor/test_NAME.c, each a cmocka program with the modules that it needs,
# HYPERVISOR_UNIT_NAME. Sanitizers on: what these modules read comes from guests.
#
# check-unit-hypervisor runs all, or the one named by T; each prints TAP.

HYPERVISOR_UNIT_accounts := accounts
HYPERVISOR_UNIT_array :=
HYPERVISOR_UNIT_write_all :=
CODE_SCAN := code_scan code_search code_hits code_analysis code_repeat code_map code_bits code_branches code_mentions code_entries code_scan_check code_sealed code_sealed_check code_flow \
	code_function code_rules code_tables code_range code_seeds eh_frame elf_file code_stores code_shared code_runtime code_waits code_loop code_reader code_steps code_chosen code_data go_functions beside disassembler plain_instruction vote vote_memo instruction_kind opcode_search die
HYPERVISOR_UNIT_code_analysis := $(CODE_SCAN)
HYPERVISOR_UNIT_code_sealed := $(CODE_SCAN)
HYPERVISOR_UNIT_code_shared := $(CODE_SCAN)
HYPERVISOR_UNIT_code_flow := code_flow code_function disassembler plain_instruction instruction_kind die
HYPERVISOR_UNIT_clean_text :=
HYPERVISOR_UNIT_printable := printable utf8 die
HYPERVISOR_UNIT_code_files := $(CODE_SCAN)
HYPERVISOR_UNIT_code_gaps := $(CODE_SCAN)
HYPERVISOR_UNIT_code_raw := $(CODE_SCAN)
HYPERVISOR_UNIT_code_scan := $(CODE_SCAN)
HYPERVISOR_UNIT_code_points := $(CODE_SCAN)
HYPERVISOR_UNIT_code_waits := $(CODE_SCAN)
HYPERVISOR_UNIT_content_sums := content_sums digest cache volume cache_prune value die
HYPERVISOR_UNIT_code_service := digest code_service content_loading scan_cache keeper cache volume cache_prune value guest_memory guest_contents mapped_file host_memory $(CODE_SCAN) die
HYPERVISOR_UNIT_content_loading := content_loading guest_contents mapped_file host_memory
HYPERVISOR_UNIT_confine_filter := confine_filter
HYPERVISOR_UNIT_cpu_host := cpu_host
HYPERVISOR_UNIT_option_defaults := option_defaults option_list eri_manifest cjson digest sched_option sched_profile from_option value cpu_host guest_memory guest_contents mapped_file host_memory die
HYPERVISOR_UNIT_console := console guest_memory guest_contents mapped_file host_memory digest
HYPERVISOR_UNIT_cache := cache volume cache_prune value die
HYPERVISOR_UNIT_binds := binds host_files host_sealed host_source host_supply eri_image mapped_file eri_manifest eri_names erofs_file erofs_compressed lz4 cjson host_load host_show guest_contents host_chunks host_look host_recording host_place host_scout host_scout_read jitter host_bytecode host_denied host_stop host_names host_objects host_streams host_tree host_part host_notes guest_memory content_sums cache volume cache_prune value keeper host_memory digest die beside
HYPERVISOR_UNIT_host_files := host_files host_sealed host_source host_supply eri_image mapped_file eri_manifest eri_names erofs_file erofs_compressed lz4 cjson host_load host_show guest_contents host_chunks host_look host_recording host_place host_scout host_scout_read jitter host_bytecode host_check beside host_denied host_stop host_names host_objects host_streams host_tree host_part host_notes guest_memory content_sums cache volume cache_prune value keeper host_memory digest die
HYPERVISOR_UNIT_host_bytecode = $(HYPERVISOR_UNIT_host_files)
HYPERVISOR_UNIT_host_part := $(HYPERVISOR_UNIT_host_files)
HYPERVISOR_UNIT_host_large := $(HYPERVISOR_UNIT_host_files)
HYPERVISOR_UNIT_eri_names := eri_names die
HYPERVISOR_UNIT_eri_manifest := eri_manifest manifest_text utf8 cjson digest die guest_memory guest_contents mapped_file host_memory
HYPERVISOR_UNIT_eri_image = $(HYPERVISOR_UNIT_host_files)
HYPERVISOR_UNIT_elf_file := elf_file die
HYPERVISOR_UNIT_erofs_file := erofs_file erofs_compressed lz4 die
HYPERVISOR_UNIT_http_request := http_request
NET := net net_ring net_flow net_limits net_datagram net_input net_address net_rules net_record net_replay net_peers net_peer_choose net_peer_pass net_peer_give net_peer_datagram peers http_request recording \
	record_log record_grow record_capture record_keys record_names redact redact_queue replay digest jitter guest_memory guest_contents mapped_file host_memory die
HYPERVISOR_UNIT_net := $(NET) beside
HYPERVISOR_UNIT_net_rules := net_rules net_address die
HYPERVISOR_UNIT_event_log := event_log guest_memory guest_contents mapped_file host_memory
HYPERVISOR_UNIT_image := image digest guest_memory guest_contents mapped_file host_memory
HYPERVISOR_UNIT_input := input
HYPERVISOR_UNIT_host_ahead := host_ahead host_lookups host_walk host_unasked host_asked $(filter-out beside,$(HYPERVISOR_UNIT_host_files))
HYPERVISOR_UNIT_host_lookups := host_lookups $(HYPERVISOR_UNIT_host_files)
HYPERVISOR_UNIT_host_scout := $(filter-out beside,$(HYPERVISOR_UNIT_host_files))
HYPERVISOR_UNIT_host_walk := host_walk host_objects
HYPERVISOR_UNIT_host_recall := host_recall host_asked scan_cache keeper die cache volume cache_prune value
HYPERVISOR_UNIT_jitter := jitter
HYPERVISOR_UNIT_mapped_file := mapped_file beside
HYPERVISOR_UNIT_memory_ahead := memory_ahead jitter beside guest_memory guest_contents mapped_file host_memory
HYPERVISOR_UNIT_oci := oci oci_attributes oci_config oci_layer oci_layout oci_marks oci_remove oci_source oci_start oci_stream oci_tree libarchive cjson clean_path die digest
HYPERVISOR_UNIT_oci_hostile := $(HYPERVISOR_UNIT_oci)
HYPERVISOR_UNIT_oci_source := $(HYPERVISOR_UNIT_oci)
HYPERVISOR_UNIT_out := out new_file clean_path keeper die guest_memory guest_contents mapped_file host_memory digest
# A module of the stub, which is not part of the monitor.
HYPERVISOR_UNIT_STUB_vector := hypervisor/engine/process/stub/vector
HYPERVISOR_UNIT_instruction_forms := disassembler plain_instruction instruction_kind opcode_search die
HYPERVISOR_UNIT_plain_instruction := plain_instruction disassembler instruction_kind opcode_search die
HYPERVISOR_UNIT_placement := engine/process/placement beside
HYPERVISOR_UNIT_portable := portable $(CODE_SCAN)
HYPERVISOR_UNIT_preempt_option := preempt_option value $(CODE_SCAN)
HYPERVISOR_UNIT_progress := progress
HYPERVISOR_UNIT_recording := recording record_log record_grow record_capture record_keys record_names redact redact_queue replay digest beside die
HYPERVISOR_UNIT_record_names := record_names record_log digest
HYPERVISOR_UNIT_redact_queue := redact redact_queue die
HYPERVISOR_UNIT_root := root mkfs own_path child root_cache tree_key stat_index cache volume cache_prune value digest die
HYPERVISOR_UNIT_run_tries := run_tries run_end place progress schedule_window schedule preempt_option value thread_reports guest_memory guest_contents mapped_file host_memory $(CODE_SCAN)
HYPERVISOR_UNIT_save := save
HYPERVISOR_UNIT_save_apply := save_apply save_plan save_dir changes clean_path new_file attributes keeper $(HYPERVISOR_UNIT_host_files)
HYPERVISOR_UNIT_from_option := from_option value die
HYPERVISOR_UNIT_sched_option := sched_option sched_profile cjson value
HYPERVISOR_UNIT_search_guest := search_guest search_stop die
HYPERVISOR_UNIT_search_points := search_points search_go search_sanitizer program_main text option_words option_names option_list value die $(CODE_SCAN)
HYPERVISOR_UNIT_search_said := search_said search_junit die
HYPERVISOR_UNIT_search_profile := search_profile text die
HYPERVISOR_UNIT_search_feedback := search_feedback search_corpus text die
HYPERVISOR_UNIT_schedule := schedule preempt_option value $(CODE_SCAN)
HYPERVISOR_UNIT_schedule_window := schedule_window schedule preempt_option value guest_memory guest_contents mapped_file host_memory $(CODE_SCAN)
HYPERVISOR_UNIT_schedule_plan := schedule_plan schedule preempt_option value $(CODE_SCAN)
HYPERVISOR_UNIT_analyze_edits := analyze_edits $(HYPERVISOR_UNIT_schedule_plan)
HYPERVISOR_UNIT_analyze_path := analyze_path $(HYPERVISOR_UNIT_schedule_plan)
HYPERVISOR_UNIT_shared_notes := shared_notes pair_table races race_clock race_calls guest_memory guest_contents mapped_file host_memory $(CODE_SCAN)
HYPERVISOR_UNIT_terminal := terminal digest guest_memory guest_contents mapped_file host_memory
HYPERVISOR_UNIT_thread_reports := thread_reports guest_memory guest_contents mapped_file host_memory
HYPERVISOR_UNIT_scan := scan scan_code disassembler plain_instruction vote instruction_kind opcode_search scan_cache keeper die eh_frame code_range cache volume cache_prune value guest_memory guest_contents mapped_file host_memory
HYPERVISOR_UNIT_kvm := engine/kvm/kvm engine/kvm/kvm_cpuid engine/kvm/kvm_contents engine/kvm/kvm_filler beside jitter guest_memory guest_contents mapped_file host_memory
HYPERVISOR_UNIT_LINK_array := -Wl,--wrap=realloc
HYPERVISOR_UNIT_LINK_code_service := -Wl,--wrap=scan_cache_get
HYPERVISOR_UNIT_LINK_host_ahead := -Wl,--wrap=guest_memory_read,--wrap=digest_add,--wrap=pthread_cond_timedwait
HYPERVISOR_UNIT_LINK_schedule_window := -Wl,--wrap=schedule_print_record
HYPERVISOR_UNIT_LINK_search_guest := -Wl,--wrap=poll
HYPERVISOR_UNIT_LINK_save := -Wl,--wrap=renameat
HYPERVISOR_UNIT_LINK_input := -Wl,--wrap=realloc,--wrap=poll
HYPERVISOR_UNIT_LINK_net := -Wl,--wrap=socket,--wrap=sendto,--wrap=epoll_pwait2
HYPERVISOR_UNIT_LINK_oci := -larchive
HYPERVISOR_UNIT_LINK_oci_hostile := -larchive
HYPERVISOR_UNIT_LINK_oci_source := -larchive -Wl,--wrap=pwrite
HYPERVISOR_UNIT_LINK_recording := -Wl,--wrap=pwritev
HYPERVISOR_UNIT_LINK_root := -Wl,--wrap=clock_gettime
HYPERVISOR_UNIT_LINK_kvm := -Wl,--wrap=open,--wrap=ioctl
HYPERVISOR_UNIT_guest_virtual := guest_virtual guest_memory guest_contents mapped_file host_memory
HYPERVISOR_UNIT_report := report python_stack image digest linux_view symbolizer own_path keeper die child guest_virtual guest_memory guest_contents mapped_file host_memory
HYPERVISOR_UNIT_report_threads := report_threads report python_stack image digest linux_view guest_virtual guest_memory guest_contents mapped_file host_memory
HYPERVISOR_UNIT_spin := spin jitter disassembler plain_instruction instruction_kind opcode_search linux_view guest_virtual guest_memory guest_contents mapped_file host_memory die
HYPERVISOR_UNIT_symbolize :=
HYPERVISOR_UNIT_demangle :=
HYPERVISOR_UNIT_STUB_demangle := hypervisor/symbolize/demangle
HYPERVISOR_UNIT_LIBS_demangle := -l:libstdc++.a
HYPERVISOR_UNIT_value := value
HYPERVISOR_UNIT_verify := verify event_log guest_memory guest_contents mapped_file host_memory input die recording record_log record_grow record_capture record_keys record_names redact redact_queue replay digest beside
HYPERVISOR_UNIT_NAMES := $(patsubst tests/unit/hypervisor/test_%.c,%,$(sort $(wildcard tests/unit/hypervisor/test_*.c)))
HYPERVISOR_UNIT_PROGRAMS := $(HYPERVISOR_UNIT_NAMES:%=$(B)/tests/unit/%)
UNIT_PROGRAMS += $(HYPERVISOR_UNIT_PROGRAMS)

HYPERVISOR_UNIT_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
HYPERVISOR_UNIT_CFLAGS := -std=gnu11 -D_GNU_SOURCE= -O1 -g $(WARNINGS) -I$(SRC) -I$(SRC)/hypervisor -I$(B)/names \
	-fno-strict-aliasing $(UNIT_LAYOUT) $(HYPERVISOR_UNIT_SANITIZE) $(MAPS)

$(B)/tests/unit/hypervisor/obj/%.o: %.c | $(LIBRARY_NAMES)
	@mkdir -p $(@D)
	@echo "  HOSTCC  $<"
	@$(CC) $(HYPERVISOR_UNIT_CFLAGS) -MMD -MP -c $< -o $@
	@$(RELOCATE) $(@:.o=.d)

hypervisor_unit_objects = $(patsubst %,$(B)/tests/unit/hypervisor/obj/%.o,tests/unit/hypervisor/test_$(1) \
	$(call monitor_modules,$(HYPERVISOR_UNIT_$(1))) $(HYPERVISOR_UNIT_STUB_$(1)))

define HYPERVISOR_UNIT_RULE
$(B)/tests/unit/$(1): $(call hypervisor_unit_objects,$(1))
	@echo "  HOSTLD  test_$(1)"
	@$$(CC) $(HYPERVISOR_UNIT_SANITIZE) $(HYPERVISOR_UNIT_LINK_$(1)) -o $$@ $$^ -lcmocka -lcrypto -ldl $(HYPERVISOR_UNIT_LIBS_$(1))
endef
$(foreach name,$(HYPERVISOR_UNIT_NAMES),$(eval $(call HYPERVISOR_UNIT_RULE,$(name))))
$(B)/tests/unit/symbolize: | $(B)/eremite-symbolize

.PHONY: check-unit-hypervisor
check-unit-hypervisor: $(HYPERVISOR_UNIT_PROGRAMS)
	@failed=; for name in $(if $(filter $(HYPERVISOR_UNIT_NAMES),$(T)),$(T),$(HYPERVISOR_UNIT_NAMES)); do \
		echo "# unit/$$name"; \
		$(B)/tests/unit/$$name || failed="$$failed $$name"; \
	done; \
	for name in $$failed; do echo "# FAILED: make check-unit-hypervisor T=$$name"; done; test -z "$$failed"

-include $(shell find $(B)/tests/unit/hypervisor/obj -name '*.d' 2>/dev/null)
