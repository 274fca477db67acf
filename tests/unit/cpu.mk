# SPDX-License-Identifier: MIT
#
# Unit tests of what the kernel does with the processor. Without sanitizers, whose code uses the vector registers, and with
# the kernel's own addresses. What is not reached is not linked, so it needs no fakes.

UNIT_CPU_CFLAGS := -std=gnu11 -O1 -g $(WARNINGS) -I$(SRC) -fno-strict-aliasing -ffunction-sections -fdata-sections $(MAPS)
UNIT_CPU_SOURCES := tests/unit/cpu/test_vector_clean.c kernel/linux/cpu/cpu.c kernel/linux/cpu/vector_upper.S
UNIT_PROGRAMS += $(B)/tests/unit/vector_clean

$(B)/tests/unit/vector_clean: $(UNIT_CPU_SOURCES) $(wildcard abi/*.h) kernel/linux/cpu/cpu.h kernel/linux/cpu/vector_upper.inc
	@mkdir -p $(@D)
	@echo "  HOSTCC  test_vector_clean"
	@$(CC) $(UNIT_CPU_CFLAGS) -Wl,--gc-sections -o $@ $(UNIT_CPU_SOURCES) -lcmocka
