# SPDX-License-Identifier: MIT
#
# Unit tests of memory, at the direct map's address: AddressSanitizer keeps its shadow there, and so only the
# undefined-behaviour sanitizer is on.

MM_memory := kernel/mm/frame.c kernel/mm/kmalloc.c
MM_vm := $(addprefix kernel/mm/,frame.c kmalloc.c mappings.c pages.c pagetable.c space.c vm.c vm_fault.c)
MM_FLAGS_vm := -Wl,--wrap=frame_alloc,--wrap=frame_alloc_run,--wrap=frame_alloc_blocks
MM_NAMES := memory vm
UNIT_PROGRAMS += $(MM_NAMES:%=$(B)/tests/unit/%)

define MM_RULE
$(B)/tests/unit/$(1): tests/unit/mm/test_$(1).c $(MM_$(1)) $(wildcard kernel/mm/*.h abi/*.h) tests/unit/mm.mk
	@mkdir -p $$(@D)
	@echo "  HOSTCC  test_$(1)"
	@$$(CC) -std=gnu11 -O1 -g $$(WARNINGS) -I$$(SRC) -fno-strict-aliasing -fsanitize=undefined \
		-fno-sanitize-recover=all $(MM_FLAGS_$(1)) \
		-o $$@ tests/unit/mm/test_$(1).c $(MM_$(1)) -lcmocka
endef
$(foreach name,$(MM_NAMES),$(eval $(call MM_RULE,$(name))))
