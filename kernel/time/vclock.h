/* SPDX-License-Identifier: MIT */
/* Virtual clock: nanoseconds of work done. Advances at kernel entries and by jumps; reads no hardware. */
#ifndef KERNEL_TIME_VCLOCK_H
#define KERNEL_TIME_VCLOCK_H

#include <stdint.h>

/** Starts the clock at 0 with CLOCK_REALTIME at epoch_ns (nanoseconds since 1970-01-01T00:00:00Z). */
void vclock_init(int64_t epoch_ns);

/** Nanoseconds since the start: CLOCK_MONOTONIC. */
uint64_t vclock_now(void);

/** Nanoseconds since 1970: CLOCK_REALTIME. */
int64_t vclock_realtime(void);

/** Nanoseconds of work done, jumps left out: CLOCK_PROCESS_CPUTIME_ID. */
uint64_t vclock_cpu(void);

/** Lets ns pass, as work done. */
void vclock_advance(uint64_t ns);

/** Jumps to a later moment because nothing can run before it; earlier ones change nothing. */
void vclock_jump(uint64_t now_ns);

#endif
