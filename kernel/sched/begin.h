/* SPDX-License-Identifier: MIT */
/* The point of a run at which the policy starts (--from, abi/sched_settings.h). Until then fifo schedules.
 *
 * Reaching the point leaves no trace in the program or the kernel, because the replay of such a run has no point: the
 * work is done on the policies' stack and in the boot area. */
#ifndef KERNEL_SCHED_BEGIN_H
#define KERNEL_SCHED_BEGIN_H

#include <stdbool.h>
#include <stdint.h>

struct boot_sched;
struct sched_from;

/** Takes the policy and the point from boot_info. */
void begin_init(const struct boot_sched *boot, const struct sched_from *from);

/** The program is at a point: in eremite_marker(marker), or right before main if `marker` is NULL. `marker` comes from
 * the program and may be a bad pointer. */
void begin_at(const char *marker);

/** begin_at, for a caller on the policies' stack. Returns 0. */
uint64_t begin_reached(const void *marker);

/** If set, called at the point, before the policy starts; it may change the policy, and return again and again, with
 * all memory as it was. On the policies' stack. */
extern void (*begin_tries)(struct boot_sched *boot);

/** Counts a decision point before `op` while the point is a kernel call. Returns whether it is that call. On the
 * policies' stack. */
bool begin_is_due(uint64_t op);

/** Starts the policy before the decision point that is asked about, and passes that point under it. Returns whether the
 * policy does not want to be asked there. On the policies' stack. */
bool begin_before_point(void);

#endif
