/* SPDX-License-Identifier: MIT */
/* The few devices of a PC that the multiboot door uses: first serial port, interrupt controllers, QEMU's exits. All use
 * ports only, so that ring 0 and ring 3 can call them. */
#ifndef KERNEL_DEV_PC_H
#define KERNEL_DEV_PC_H

/** Exit statuses, equal to those of `eremite run` (docs/boot.md). */
#define PC_EXIT_DEADLOCK 120
#define PC_EXIT_EREMITE 125
#define PC_EXIT_SIGNAL_BASE 128

#ifndef __ASSEMBLER__
#include <stddef.h>

/** Sets the first serial port to 115200 baud, 8N1, with FIFO, and no interrupts. */
void pc_serial_init(void);

/** Sends bytes, and waits until the port takes them. */
void pc_serial_write(const void *from, size_t bytes);

/** Sends a string. */
void pc_serial_print(const char *text);

/** Masks every line of both 8259 interrupt controllers: nothing may interrupt the guest. */
void pc_mask_interrupts(void);

/** Ends QEMU: writes the status (0 to 255) to isa-debug-exit, which keeps only 7 bits of it, and therefore also in
 * decimal to the debug console. A machine without this device prints the status on the serial port and halts. */
_Noreturn void pc_exit(int status);

#endif
#endif
