# SPDX-License-Identifier: MIT
#
# Unit tests of the monitor: tests/unit/hypervisor/test_NAME.c, each a cmocka program. Sanitizers on: what the monitor reads
# comes from guests. A test is linked with the monitor's folders from the highest that it includes downwards, and so builds
# no others; an archive for each folder, so that the linker takes what is used and a test's own function goes before it.
#
# check-unit-hypervisor runs all, or the one named by T; each prints TAP.

define SANITIZED_FOLDER_RULE
$(B)/obj-asan/$(notdir $(1)).a: $(filter $(B)/obj-asan/hypervisor/$(1)/%,$(ASAN_OBJECTS)) $(MONITOR_DATA_$(notdir $(1)))
	@rm -f $$@ && ar rcDT $$@ $$^
endef
$(foreach folder,$(MONITOR_FOLDERS),$(eval $(call SANITIZED_FOLDER_RULE,$(folder))))

# monitor_folders NAME: the folders for tests/.../NAME.c, top to bottom.
MONITOR_FOLDERS_READ :=
$(foreach folder,$(notdir $(MONITOR_FOLDERS)),$(eval MONITOR_FOLDERS_READ := $(folder) $(MONITOR_FOLDERS_READ))\
	$(eval MONITOR_FROM_$(folder) := $(MONITOR_FOLDERS_READ)))
HIGHEST_FOLDERS := $(shell awk -v folders='$(notdir $(MONITOR_FOLDERS))' -f tests/unit/highest_folder.awk \
	tests/unit/hypervisor/test_*.c tests/unit/hostfs/*.c tests/fuzz/fuzz_*.c)
monitor_folders = $(MONITOR_FROM_$(patsubst $(1)=%,%,$(filter $(1)=%,$(HIGHEST_FOLDERS))))

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
# Its programs and the kernel's stubs have addresses of 32 bits.
HYPERVISOR_UNIT_LINK_tick_programs := -no-pie
# What is no part of the monitor.
HYPERVISOR_UNIT_MORE_tick_programs := $(addprefix tests/unit/ticks/,maker program run kernel_fakes) \
	kernel/linux/patch/stub kernel/linux/patch/stub_loop kernel/linux/patch/stub_rounds \
	kernel/linux/patch/stub_place
HYPERVISOR_UNIT_MORE_vector := hypervisor/monitor/engine/process/stub/vector
HYPERVISOR_UNIT_MORE_demangle := hypervisor/symbolize/demangle
HYPERVISOR_UNIT_LIBS_demangle := -l:libstdc++.a
HYPERVISOR_UNIT_NAMES := $(patsubst tests/unit/hypervisor/test_%.c,%,$(sort $(wildcard tests/unit/hypervisor/test_*.c)))
HYPERVISOR_UNIT_PROGRAMS := $(HYPERVISOR_UNIT_NAMES:%=$(B)/tests/unit/%)
UNIT_PROGRAMS += $(HYPERVISOR_UNIT_PROGRAMS)

define HYPERVISOR_UNIT_RULE
$(B)/tests/unit/$(1): $(patsubst %,$(B)/obj-asan/%.o,tests/unit/hypervisor/test_$(1) $(HYPERVISOR_UNIT_MORE_$(1))) \
		$(patsubst %,$(B)/obj-asan/%.a,$(call monitor_folders,test_$(1)))
	@mkdir -p $$(@D)
	@echo "  HOSTLD  test_$(1)"
	@$$(CC) $(ASAN_FLAGS) $(HYPERVISOR_UNIT_LINK_$(1)) -o $$@ $$^ -lcmocka -lcrypto -ldl $(HYPERVISOR_UNIT_LIBS_$(1))
endef
$(foreach name,$(HYPERVISOR_UNIT_NAMES),$(eval $(call HYPERVISOR_UNIT_RULE,$(name))))
$(B)/tests/unit/symbolize: | $(B)/eremite-symbolize
$(B)/tests/unit/session: | $(B)/apps/hello

.PHONY: check-unit-hypervisor
check-unit-hypervisor: $(HYPERVISOR_UNIT_PROGRAMS)
	@failed=; for name in $(if $(filter $(HYPERVISOR_UNIT_NAMES),$(T)),$(T),$(HYPERVISOR_UNIT_NAMES)); do \
		echo "# unit/$$name"; \
		$(B)/tests/unit/$$name || failed="$$failed $$name"; \
	done; \
	for name in $$failed; do echo "# FAILED: make check-unit-hypervisor T=$$name"; done; test -z "$$failed"

-include $(shell find $(B)/obj-asan/tests $(B)/obj-asan/hypervisor/monitor/engine/process/stub $(B)/obj-asan/hypervisor/symbolize -name '*.d' 2>/dev/null)
