# SPDX-License-Identifier: MIT
#
# Unit tests of scheduling policies, on a model of the scheduler's core. The boot area and the schedule area are mapped
# where the kernel has them, where AddressSanitizer keeps its shadow: only the other sanitizer is on.

SCHED_SOURCES := $(sort $(wildcard kernel/sched/policy/*.c)) $(addprefix kernel/sched/,accesses.c arm.c decide.c notes.c op_name.c reads_from.c record.c) \
	kernel/rand/chacha20.c kernel/lib/format.c tests/unit/sched/model.c
SCHED_NAMES := $(patsubst tests/unit/sched/test_%.c,%,$(sort $(wildcard tests/unit/sched/test_*.c)))
UNIT_PROGRAMS += $(SCHED_NAMES:%=$(B)/tests/unit/%)

define SCHED_RULE
$(B)/tests/unit/$(1): tests/unit/sched/test_$(1).c $(SCHED_SOURCES) $(wildcard kernel/sched/*.h abi/*.h) \
		tests/unit/sched/model.h tests/unit/sched.mk
	@mkdir -p $$(@D)
	@echo "  HOSTCC  test_$(1)"
	@$$(CC) -std=gnu11 -O1 -g $$(WARNINGS) -I$$(SRC) -fno-strict-aliasing -fsanitize=undefined \
		-fno-sanitize-recover=all -o $$@ tests/unit/sched/test_$(1).c $(SCHED_SOURCES) -lcmocka
endef
$(foreach name,$(SCHED_NAMES),$(eval $(call SCHED_RULE,$(name))))
