/* SPDX-License-Identifier: MIT */
/* What the stub has of the system: a few calls, and what a C library would do. */
#ifndef ENGINE_PROCESS_STUB_SYSTEM_H
#define ENGINE_PROCESS_STUB_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

/** A system call; filter.c says which are left. Returns a negative errno where it fails (syscall(2)). */
long stub_call(long number, long a, long b, long c, long d, long e, long f);
#define stub_call3(number, a, b, c) stub_call(number, (long)(a), (long)(b), (long)(c), 0, 0, 0)

/** Adds 1 to a futex and wakes one process that waits on it. */
void stub_wake(uint32_t *word);

/** Waits until a futex is no longer `old`. */
void stub_wait(const uint32_t *word, uint32_t old);

/** As memcpy(3) and as memset(3) with zero. */
void stub_copy(void *to, const void *from, size_t bytes);
void stub_clear(void *at, size_t bytes);

/** Ends this process by SIGSEGV, which the monitor hears of. */
_Noreturn void stub_die(void);

#endif
