# SPDX-License-Identifier: MIT
#
# What the fault, determinism, schedule and search tests run: guests from these folders, and
# the monitor with sanitizers (hypervisor.mk).

FAULT_GUESTS := $(patsubst %.c,$(B)/%,$(sort $(wildcard tests/fault/*.c tests/determinism/*.c tests/schedule/*.c tests/search/*.c)))

$(FAULT_GUESTS): $(B)/%: %.c $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   $<"
	@$(B)/eremite-cc $(GUEST_CFLAGS) -I$(SRC) -o $@ $< -lm

# Whose times are those of kernel calls alone, or whose loops must not look at counters that they have spoilt.
$(addprefix $(B)/tests/,schedule/raw fault/hostile_sched): GUEST_CFLAGS += -fno-ticks

$(B)/tests/schedule/%_memory: GUEST_CFLAGS += -fpreempt=memory
$(B)/tests/schedule/held_memory: tests/schedule/held.c
$(B)/tests/schedule/turns_memory: tests/schedule/turns.c

# The same programs for Linux, as anybody compiles them.
SCHEDULE_LINUX := $(addprefix $(B)/tests/schedule/,late.linux woken.linux)

$(SCHEDULE_LINUX): $(B)/tests/schedule/%.linux: tests/schedule/%.c
	@mkdir -p $(@D)
	@echo "  LINUX   $<"
	@$(CC) -O2 -g -Wall -Wextra -Werror -pthread -o $@ $<

# Programs for Linux that call eremite_marker().
$(B)/tests/%_linux: tests/%.c libc-port/include/eremite.h
	@mkdir -p $(@D)
	@echo "  LINUX   $<"
	@$(CC) -O2 -g -Wall -Wextra -Werror -pthread -I$(SRC) -o $@ $< -lm

check-build: $(addprefix $(B)/tests/,schedule/from_linux search/state_linux search/input_linux)

check-build: $(FAULT_GUESTS) $(SCHEDULE_LINUX) $(B)/eremite-asan
