/* SPDX-License-Identifier: MIT */
/* The few system calls of the stub, and the C library functions that it needs. */
#ifndef ENGINE_PROCESS_STUB_SYSTEM_H
#define ENGINE_PROCESS_STUB_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

/** Makes a system call; filter.c lists the allowed ones. Returns a negative errno if it fails (syscall(2)). */
long stub_call(long number, long a, long b, long c, long d, long e, long f);
#define stub_call3(number, a, b, c) stub_call(number, (long)(a), (long)(b), (long)(c), 0, 0, 0)

/** Adds 1 to a futex and wakes one process that waits on it. */
void stub_wake(uint32_t *word);

/** Waits until a futex is no longer `old`. */
void stub_wait(const uint32_t *word, uint32_t old);

/** Work as memcpy(3), and as memset(3) with zero. */
void stub_copy(void *to, const void *from, size_t bytes);
void stub_clear(void *at, size_t bytes);

/** Ends this process by SIGSEGV, which the monitor detects. */
_Noreturn void stub_die(void);

#endif
