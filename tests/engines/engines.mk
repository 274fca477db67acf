# SPDX-License-Identifier: MIT
#
# What the tests of engines run natively: a host that refuses some system calls.

$(B)/tests/engines/%: tests/engines/%.c
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(CC) $(MONITOR_CFLAGS) -o $@ $<

check-build: $(B)/tests/engines/restricted
