/* SPDX-License-Identifier: MIT */
/* The accounts of threads, for --summary: how long each ran, and why it waited. */
#ifndef ABI_SCHED_ACCOUNT_H
#define ABI_SCHED_ACCOUNT_H

#include <stdint.h>

/** What a thread did, for --summary; in the schedule area. */
struct sched_account {
	uint32_t thread; /**< its number; 0: the slot was never used */
	uint32_t ended;
	char name[16];
	uint64_t points;        /**< decision points passed */
	uint64_t switches;      /**< number of switches to this thread */
	uint64_t ran_ns;        /**< virtual time it ran */
	uint64_t blocked_ns[8]; /**< virtual time it waited, by enum sched_cause */
};

/** The process of a thread that has an account, at the same index in an array of its own. */
struct sched_account_process {
	uint32_t process; /**< its number; 0: unknown, as of older kernels */
	uint32_t reserved;
	char name[16]; /**< of the thread of a Linux program (PR_SET_NAME) */
};

/** Why a thread waits: X(name, "text in a report"). At most 8. */
#define SCHED_CAUSE_LIST(X) \
	X(ready, "ready to run") \
	X(lock, "lock") \
	X(condition, "condition") \
	X(join, "thread's end") \
	X(sleep, "sleep") \
	X(io, "file") \
	X(signal, "signal") \
	X(futex, "futex")

enum sched_cause {
#define SCHED_CAUSE_NUMBER(name, text) SCHED_CAUSE_##name,
	SCHED_CAUSE_LIST(SCHED_CAUSE_NUMBER)
#undef SCHED_CAUSE_NUMBER
		SCHED_CAUSES
};

/** Number of accounts kept: those of the first threads of a run. */
#define SCHED_ACCOUNTS 4096

_Static_assert(sizeof(struct sched_account) == 112, "sched_account");
_Static_assert(sizeof(struct sched_account_process) == 24, "sched_account_process");

#endif
