# SPDX-License-Identifier: MIT
#
# Unit test of frames and kernel heap, at the direct map's address: AddressSanitizer keeps its shadow there, and so
# only the undefined-behaviour sanitizer is on.

MM_TEST_SOURCES := tests/unit/mm/test_memory.c kernel/mm/frame.c kernel/mm/kmalloc.c
UNIT_PROGRAMS += $(B)/tests/unit/memory

$(B)/tests/unit/memory: $(MM_TEST_SOURCES) $(wildcard kernel/mm/*.h abi/*.h) tests/unit/mm.mk
	@mkdir -p $(@D)
	@echo "  HOSTCC  test_memory"
	@$(CC) -std=gnu11 -O1 -g $(WARNINGS) -I$(SRC) -fno-strict-aliasing -fsanitize=undefined -fno-sanitize-recover=all \
		-o $@ $(MM_TEST_SOURCES) -lcmocka
