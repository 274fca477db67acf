# SPDX-License-Identifier: MIT
#
# The stub of the process engine: freestanding code at an address of its own, which the monitor carries as bytes.

STUB_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(sort $(wildcard hypervisor/monitor/engine/process/stub/*.c)))
STUB_OBJECT := $(B)/obj/hypervisor/monitor/engine/process/stub.o
STUB_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -g $(WARNINGS) -I$(SRC) $(MONITOR_INCLUDES) -ffreestanding -fPIE -fno-stack-protector \
	-fno-strict-aliasing -fcf-protection=none -fno-asynchronous-unwind-tables -fvisibility=hidden -mgeneral-regs-only \
	-fno-tree-loop-distribute-patterns $(MAPS)

$(STUB_OBJECTS): $(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(CC) $(STUB_CFLAGS) -MMD -MP -c $< -o $@
	@$(RELOCATE) $(@:.o=.d)

$(B)/obj/hypervisor/monitor/engine/process/stub.elf: $(STUB_OBJECTS) hypervisor/monitor/engine/process/stub/stub.lds
	@echo "  STUB    $@"
	@ld -static -no-pie -T hypervisor/monitor/engine/process/stub/stub.lds -o $@ $(STUB_OBJECTS)

$(B)/obj/hypervisor/monitor/engine/process/stub.bin: $(B)/obj/hypervisor/monitor/engine/process/stub.elf
	@objcopy -O binary -j .all $< $@

$(STUB_OBJECT): $(B)/obj/hypervisor/monitor/engine/process/stub.bin
	@printf '.section .rodata\n.balign 64\n.globl process_stub, process_stub_end\nprocess_stub:\n.incbin "%s"\nprocess_stub_end:\n.section .note.GNU-stack, "", @progbits\n' $< | \
		$(CC) -x assembler -c - -o $@

-include $(STUB_OBJECTS:.o=.d)
