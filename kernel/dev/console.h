/* SPDX-License-Identifier: MIT */
/* Console: the program's standard streams, passed to the host of the boot door. */
#ifndef KERNEL_DEV_CONSOLE_H
#define KERNEL_DEV_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/doorbell.h"
#include "abi/layout.h"
#include "kernel/arch/direct_map.h"

/** Writes all bytes to stream 1 (output) or 2 (error). Returns 0, or -EFAULT for a bad program pointer. */
int console_write(int stream, const void *from, size_t bytes);

/** Reads standard input into kernel memory. Blocks the whole guest until the host has input. The result depends only on
 * the contents: reading stops at the end of a line, at the end of input, or after `bytes`. Returns 0 at the end of
 * input, or a negative errno. */
long console_read(void *to, size_t bytes);

/** Waits up to wait_ns for a key typed on the terminal. Returns the number of its bytes, which are valid until the next
 * call; 0 when the terminal has gone; -EAGAIN. */
long console_typed(const uint8_t **key, uint64_t wait_ns);

/** Bytes of standard input that the console keeps at most when they arrive as events (kernel/vfs/input.h). */
#define CONSOLE_KEPT_MAX 16384

/** Makes room for bytes of standard input that have arrived, behind those that were not taken. Returns where they go;
 * NULL if they do not fit. */
void *console_arrive(size_t bytes);

/** The bytes that have arrived and were not taken: stores where they are, until the next call of console_arrive, and
 * returns their number. */
size_t console_kept(const uint8_t **from);

/** Takes the first of these bytes. */
void console_drop(size_t bytes);

/** Whether a key that makes a signal has been typed and not been taken. */
static inline bool console_has_interrupt(void)
{
	const struct doorbell *doorbell = phys_to_virt(LAYOUT_DOORBELL);
	return __atomic_load_n(&doorbell->interrupt, __ATOMIC_RELAXED);
}

/** Called before the events are taken among which that key is. */
static inline void console_forget_interrupt(void)
{
	struct doorbell *doorbell = phys_to_virt(LAYOUT_DOORBELL);
	__atomic_store_n(&doorbell->interrupt, 0, __ATOMIC_SEQ_CST);
}

/** Whether stream 0, 1 or 2 is a terminal on the host. */
bool console_is_tty(int stream);

/** The size of the terminal. */
void console_tty_size(uint16_t *rows, uint16_t *columns);

#endif
