/* SPDX-License-Identifier: MIT */
/* Parameters of the scheduling policies, as --sched NAME:param=value takes them and boot_sched.parameters passes them.
 *
 * One list: the monitor parses values and prints help from it; the policies take index and default from it. */
#ifndef ABI_SCHED_PARAMETERS_H
#define ABI_SCHED_PARAMETERS_H

#include <stdint.h>

#include "abi/sched_settings.h"
#include "abi/ticks.h"

/* A time or a number of ticks that never passes: the meaning of `slice=0`. */
#define SCHED_NEVER UINT64_MAX

/* The meaning of `object=any`: all objects. */
#define SCHED_OBJECT_ANY UINT64_MAX

/* A parameter that is not given is passed as 0, which stands for the default. So no given value is passed as 0. Kinds:
 * - time: virtual time, "100ms", passed in ticks; 0 is passed as SCHED_NEVER
 * - ticks: a number of ticks, or a time, at least 1
 * - count: a number up to 2^32 - 1; 0 means none, and is the default
 * - depth: a number from 1 to SCHED_DEPTH_MAX
 * - address: of a variable, hexadecimal after 0x, or `any`, passed as SCHED_OBJECT_ANY; 0 means none, and is the
 * default
 * - chance: a fraction above 0 up to 1, passed in billionths
 * - counts: numbers separated by slashes, passed in sched_area.counts and boot_sched.counts (no index)
 * - pairs: reads-from pairs separated by slashes, passed in the same place as counts (no index)
 * - profile: a file from which the monitor takes such numbers (no index) */
#define SCHED_PARAMETER_NONE SCHED_PARAMETERS
#define SCHED_CHANCE_ONE 1000000000UL
#define SCHED_DEPTH_MAX 2045 /* leaves room for one change point less than this (kernel/sched/policy/policy_pct.c) */
#define SCHED_SLICE_TICKS (100000000UL * TICKS_PER_NS)
/* In a Linux program only kernel calls advance time, and it makes thousands in a millisecond. */
#define SCHED_LINUX_SLICE_TICKS (3000000UL * TICKS_PER_NS)
#define SCHED_DELAY_TICKS (1000000000UL * TICKS_PER_NS)
#define SCHED_DELAY_TEXT "longest time that sleeps and timeouts skip while a thread is ready (default 1s, 0: none)"
#define SCHED_SLICE_TEXT "time after which a running thread makes way for all others (default 100ms, 0: never)"

/** X(policy, name, index in boot_sched.parameters, kind, default, "what it does"). */
#define SCHED_PARAMETER_LIST(X) \
	X(fifo, slice, 0, time, SCHED_SLICE_TICKS, \
	  "time after which a running thread makes way for others (default 100ms, Linux programs 3ms; 0: never)") \
	X(rr, quantum, 0, ticks, 40000000UL, \
	  "longest time, or number of ticks (quarters of a nanosecond), that a thread runs at once (default 10ms)") \
	X(random, p, 0, chance, SCHED_CHANCE_ONE, \
	  "probability that a decision point is used: any ready thread, also the same one, then runs (default 1)") \
	X(random, ticks, 1, time, 40000UL, \
	  "average time between additional switches, at random moments (default 10us, 0: none)") \
	X(random, delay, 5, time, SCHED_DELAY_TICKS, SCHED_DELAY_TEXT) \
	X(pct, depth, 0, depth, 3, "number of orderings that the bug needs (default 3, at most 2045)") \
	X(pct, steps, 1, count, 0, \
	  "expected number of decision points of a run, without those of `from` (default 0: drawn by the seed)") \
	X(pct, slice, 2, time, SCHED_SLICE_TICKS, \
	  "time after which a running thread gets the lowest priority (default 100ms, 0: never)") \
	X(pct, delay, 5, time, SCHED_DELAY_TICKS, SCHED_DELAY_TEXT) \
	X(pct, from, 3, count, 0, "decision points at the beginning of a run that have no change point (default 0)") \
	X(pos, slice, 0, time, SCHED_SLICE_TICKS, SCHED_SLICE_TEXT) \
	X(pos, delay, 5, time, SCHED_DELAY_TICKS, SCHED_DELAY_TEXT) \
	X(pos, reads, SCHED_PARAMETER_NONE, pairs, 0, \
	  "which writes reads get their values from, as WRITE-READ/!WRITE-READ: sites in hexadecimal, ! avoids a " \
	  "pair; A+B: the access at A comes right before that at B") \
	X(surw, slice, 0, time, SCHED_SLICE_TICKS, SCHED_SLICE_TEXT) \
	X(surw, delay, 5, time, SCHED_DELAY_TICKS, SCHED_DELAY_TEXT) \
	X(surw, object, 1, address, 0, \
	  "only decision points on the object at this address are sampled; any: those on all objects (default: all " \
	  "points)") \
	X(surw, counts, SCHED_PARAMETER_NONE, counts, 0, \
	  "expected numbers of decision points of threads 1, 2, ..., as A/B/C") \
	X(surw, profile, SCHED_PARAMETER_NONE, profile, 0, \
	  "counts from a file that --summary=json:FILE wrote in an earlier run") \
	X(near, slice, 0, time, SCHED_SLICE_TICKS, \
	  "time after which a running thread makes way for others (default 100ms, Linux programs 3ms; 0: never)") \
	X(near, p, 1, chance, 0, \
	  "probability that any ready thread runs next at a decision point that the file says nothing about " \
	  "(default: never)") \
	X(near, from, 2, count, 0, "decision points at the beginning of a run to which p does not apply (default 0)")

/* SCHED_PARAMETER_pct_depth etc.: the index. */
enum sched_parameter_index {
#define SCHED_PARAMETER_INDEX(policy, name, index, kind, otherwise, text) SCHED_PARAMETER_##policy##_##name = (index),
	SCHED_PARAMETER_LIST(SCHED_PARAMETER_INDEX)
#undef SCHED_PARAMETER_INDEX
};

/* SCHED_DEFAULT_pct_depth etc.: the default. */
enum sched_parameter_default {
#define SCHED_PARAMETER_DEFAULT(policy, name, index, kind, otherwise, text) \
	SCHED_DEFAULT_##policy##_##name = (otherwise),
	SCHED_PARAMETER_LIST(SCHED_PARAMETER_DEFAULT)
#undef SCHED_PARAMETER_DEFAULT
};

/** The value of a policy's parameter: SCHED_PARAMETER(boot, pct, depth). */
#define SCHED_PARAMETER(boot, policy, name) \
	((boot)->parameters[SCHED_PARAMETER_##policy##_##name] ? (boot)->parameters[SCHED_PARAMETER_##policy##_##name] \
	                                                       : (uint64_t)SCHED_DEFAULT_##policy##_##name)

#endif
