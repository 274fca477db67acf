/* SPDX-License-Identifier: MIT */
/* The countdown of ticks, __eremite_ticks_left, as the kernel, libc and the compiler's plugin share it; for assembly,
 * too.
 *
 * It counts in parts of a tick so small that its lowest byte is always 0: a check that goes on then leaves the same
 * flags behind whatever is left (only parity is set). What is left depends on the policy, and flags get into memory,
 * with the frame of a fault or by pushf. */
#ifndef ABI_TICKS_H
#define ABI_TICKS_H

/* A tick is 1 << TICKS_LEFT_SHIFT of the countdown. */
#define TICKS_LEFT_SHIFT 8

/* What the loop that runs has counted in a register, but not charged yet (libc-port/ticks/check.h), is in
 * __eremite_ticks_owed, so many bytes behind the countdown. */
#define TICKS_OWED_AT 8

#endif
