# SPDX-License-Identifier: MIT
#
# Programs for tests of --preempt: as anybody compiles them, nothing of ours in them.

PREEMPT_TESTS := $(patsubst tests/preempt/%,$(B)/tests/preempt/%,$(basename $(sort $(wildcard tests/preempt/*.c \
	tests/preempt/*.cc))))

$(B)/tests/preempt/%: tests/preempt/%.c
	@mkdir -p $(@D)
	@echo "  LINUX   $<"
	@$(CC) -O2 -g -Wall -Wextra -Werror -pthread -o $@ $<

$(B)/tests/preempt/%: tests/preempt/%.cc
	@mkdir -p $(@D)
	@echo "  LINUX   $<"
	@$(CXX) -O2 -g -Wall -Wextra -Werror -pthread -o $@ $<

check-build: $(PREEMPT_TESTS)
