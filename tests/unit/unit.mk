# SPDX-License-Identifier: MIT
#
# Unit tests: kernel modules compiled for the host with fakes of what they build on, one cmocka program for each
# tests/unit/test_NAME.c. UNIT_NAME, when set, lists the sources that it needs instead of the VFS and all fakes.
#
# check-unit runs all, or the one named by T; each prints TAP.

UNIT_VFS := $(sort $(filter-out kernel/vfs/export.c kernel/vfs/mapping.c,$(wildcard kernel/vfs/*.c)) \
	$(wildcard kernel/sys/file_*.c))
UNIT_chacha20 := kernel/rand/chacha20.c kernel/rand/entropy.c
UNIT_debug_condition := kernel/linux/debug/debug_condition.c
UNIT_format := kernel/lib/format.c
UNIT_line := kernel/vfs/line.c kernel/vfs/line_echo.c kernel/vfs/line_output.c tests/unit/fakes/kernel.c
UNIT_cmdline := kernel/boot/cmdline.c tests/unit/fakes/memory.c tests/unit/fakes/kernel.c
UNIT_kernel_array := tests/unit/fakes/memory.c tests/unit/fakes/kernel.c
UNIT_LIBS_kernel_array := -Wl,--wrap=krealloc
UNIT_inet_port := $(addprefix kernel/net/inet_,address.c closed.c group.c option.c port.c table.c) kernel/net/net_interface.c \
	tests/unit/fakes/memory.c tests/unit/fakes/kernel.c
UNIT_LIBS_inet_port := -Wl,--wrap=inet_address_is_same
UNIT_net_delay := kernel/net/fault/net_delay.c tests/unit/fakes/memory.c tests/unit/fakes/kernel.c
UNIT_LIBS_net_delay := -Wl,--wrap=kmalloc
UNIT_timer := kernel/time/timer.c kernel/time/posix_timer.c kernel/signal/queue.c tests/unit/fakes/kernel.c
# With the monitor's part, linked as for its own tests (hypervisor.mk).
UNIT_hostfs = $(UNIT_FAKES) $(UNIT_VFS) kernel/linux/files/hostfs.c kernel/linux/files/host_ahead.c kernel/linux/files/host_guess.c \
	kernel/linux/files/host_contents.c kernel/linux/files/host_request.c \
	kernel/linux/files/mounts.c kernel/linux/files/own_files.c
UNIT_MORE_hostfs := $(B)/obj-asan/tests/unit/hostfs/broker.o $(patsubst %,$(B)/obj-asan/%.a,$(call monitor_folders,broker))
UNIT_LIBS_hostfs := -lcrypto
UNIT_FAKES := $(sort $(wildcard tests/unit/fakes/*.c))
UNIT_NAMES := $(patsubst tests/unit/test_%.c,%,$(sort $(wildcard tests/unit/test_*.c)))
UNIT_PROGRAMS += $(patsubst %,$(B)/tests/unit/%,$(UNIT_NAMES))

# _FORTIFY_SOURCE off: the same code as in the kernel. Sanitizers find what the kernel would not survive.
UNIT_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_LAYOUT := -DLAYOUT_DIRECT_MAP=0x100000000000UL # below all memory that the host hands out
UNIT_CFLAGS := -std=gnu11 -O1 -g $(WARNINGS) -I$(SRC) -fno-strict-aliasing $(UNIT_LAYOUT) $(UNIT_SANITIZE) $(MAPS)
$(B)/obj-asan/tests/unit/hostfs/broker.o: MONITOR_CFLAGS += $(UNIT_LAYOUT)

$(B)/tests/unit/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "  HOSTCC  $<"
	@$(CC) $(UNIT_CFLAGS) -MMD -MP -c $< -o $@
	@$(RELOCATE) $(@:.o=.d)

unit_objects = $(patsubst %.c,$(B)/tests/unit/obj/%.o,$(1))

define UNIT_RULE
$(B)/tests/unit/$(1): $(call unit_objects,tests/unit/test_$(1).c $(or $(UNIT_$(1)),$(UNIT_FAKES) $(UNIT_VFS))) $(UNIT_MORE_$(1))
	@echo "  HOSTLD  test_$(1)"
	@$$(CC) $(UNIT_SANITIZE) -o $$@ $$^ -lcmocka $(UNIT_LIBS_$(1))
endef
$(foreach name,$(UNIT_NAMES),$(eval $(call UNIT_RULE,$(name))))

.PHONY: check-unit
check-unit: $(UNIT_PROGRAMS)
	@failed=; for name in $(if $(filter $(UNIT_NAMES),$(T)),$(T),$(UNIT_NAMES)); do \
		echo "# unit/$$name"; \
		$(B)/tests/unit/$$name || failed="$$failed $$name"; \
	done; \
	for name in $$failed; do echo "# FAILED: make check-unit T=$$name"; done; test -z "$$failed"

-include $(shell find $(B)/tests/unit/obj -name '*.d' 2>/dev/null)
