# SPDX-License-Identifier: MIT
#
# A monitor that is taken over at the first doorbell, for tests/security/hijack.test: all of the monitor as it is, and
# engines in place of its own.

$(B)/obj/tests/security/hijack.o: tests/security/hijack.c
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(CC) $(MONITOR_CFLAGS) -MMD -MP -c $< -o $@
	@$(RELOCATE) $(@:.o=.d)

$(B)/eremite-hijacked: $(B)/obj/tests/security/hijack.o $(MONITOR_OBJECTS) hypervisor/hypervisor.mk tests/security/security.mk
	@echo "  LD      eremite-hijacked"
	@$(CC) -o $@ -Wl,--wrap=engine_kvm,--wrap=engine_process $(B)/obj/tests/security/hijack.o $(MONITOR_OBJECTS) -Wl,-z,relro,-z,now $(MONITOR_LIBS)

$(B)/tests/security/without_landlock $(B)/tests/security/kill $(B)/tests/security/unstoppable \
		$(B)/tests/security/write_root $(B)/tests/security/map_many $(B)/tests/security/covered \
		$(B)/tests/security/reach_contents $(B)/tests/security/write_contents: $(B)/tests/security/%: tests/security/%.c \
		hypervisor/monitor/engine/process/channel.h $(wildcard abi/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(CC) $(MONITOR_CFLAGS) -o $@ $<

$(B)/tests/security/count_calls.so: tests/security/count_calls.c tests/security/moment.h
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(CC) -std=gnu11 -D_GNU_SOURCE -I$(SRC) -O2 -Wall -Wextra -Werror -Wshadow -fPIC -shared -fno-builtin -mgeneral-regs-only \
		-o $@ $<

check-build: $(B)/eremite-hijacked $(B)/tests/security/without_landlock $(B)/tests/security/kill \
	$(B)/tests/security/count_calls.so $(B)/tests/security/unstoppable $(B)/tests/security/write_root $(B)/tests/security/map_many \
	$(B)/tests/security/covered $(B)/tests/security/reach_contents $(B)/tests/security/write_contents

-include $(B)/obj/tests/security/hijack.d
