/* SPDX-License-Identifier: MIT */
/* The few devices of a PC that the multiboot door uses: first serial port, interrupt controllers, QEMU's exits.
 * All by port, so that ring 0 and ring 3 can call it alike. */
#ifndef KERNEL_DEV_PC_H
#define KERNEL_DEV_PC_H

/** Exit statuses as `eremite run` has them (docs/boot.md). */
#define PC_EXIT_DEADLOCK 120
#define PC_EXIT_EREMITE 125
#define PC_EXIT_SIGNAL_BASE 128

#ifndef __ASSEMBLER__
#include <stddef.h>

/** Sets the first serial port to 115200 baud, 8N1, with FIFO, and no interrupts. */
void pc_serial_init(void);

/** Sends bytes, waiting for the port. */
void pc_serial_write(const void *from, size_t bytes);

/** Sends a string. */
void pc_serial_print(const char *text);

/** Masks every line of both 8259 interrupt controllers: nothing may interrupt the guest. */
void pc_mask_interrupts(void);

/**
 * Ends QEMU: the status (0 to 255) goes to isa-debug-exit, and in decimal to the debug console, because QEMU keeps
 * only 7 bits of it. A machine that has no such device says the status on the serial port and stands still.
 */
_Noreturn void pc_exit(int status);

#endif
#endif
