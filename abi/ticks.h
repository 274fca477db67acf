/* SPDX-License-Identifier: MIT */
/* The tick, and the countdown of ticks, __eremite_ticks_left, which the kernel, libc and the compiler's plugin share.
 * Also included by assembly.
 *
 * It counts in 1/256 of a tick, so that its lowest byte is always 0. Therefore a check that continues leaves the same
 * flags behind, whatever the countdown's value (only parity is set). This matters because the value depends on the
 * policy, and flags reach memory by pushf or by the frame of a fault. */
#ifndef ABI_TICKS_H
#define ABI_TICKS_H

/* A tick is a quarter of a nanosecond of virtual time. */
#define TICKS_PER_NS 4

/* One tick is 1 << TICKS_LEFT_SHIFT units of the countdown. */
#define TICKS_LEFT_SHIFT 8

/* Offset from the countdown to __eremite_ticks_owed, in bytes. It holds the amount that the running loop has counted in
 * a register but not yet charged (libc-port/ticks/check.h). */
#define TICKS_OWED_AT 8

#endif
