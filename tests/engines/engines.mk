# SPDX-License-Identifier: MIT
#
# What the tests of engines run natively, a host that refuses some system calls, and Linux programs that they run.

$(B)/tests/engines/areas $(B)/tests/engines/eat: LINKED := -static

$(B)/tests/engines/%: tests/engines/%.c
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(CC) $(MONITOR_CFLAGS) $(LINKED) -o $@ $<

check-build: $(B)/tests/engines/restricted $(B)/tests/engines/areas $(B)/tests/engines/eat
