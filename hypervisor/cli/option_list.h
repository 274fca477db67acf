/* SPDX-License-Identifier: MIT */
/* The options of `eremite run`, as argp(3) takes them. */
#ifndef HYPERVISOR_OPTION_LIST_H
#define HYPERVISOR_OPTION_LIST_H

#include <argp.h>

/** Long options without a letter. */
enum key {
	KEY_SEED = 0x100,
	KEY_EPOCH,
	KEY_MEMORY,
	KEY_NO_ENV,
	KEY_ROOT,
	KEY_OUT,
	KEY_SAVE,
	KEY_TIMEOUT,
	KEY_VERIFY,
	KEY_NO_CONFINE,
	KEY_CACHE,
	KEY_NO_CACHE,
	KEY_SUMMARY,
	KEY_TTY,
	KEY_NET,
	KEY_PUBLISH,
	KEY_NET_TIME,
	KEY_NET_FAULT,
	KEY_RECORD,
	KEY_REPLAY,
	KEY_REPLAY_NET,
	KEY_REPLAY_MISS,
	KEY_SCHED,
	KEY_SCHED_SEED,
	KEY_PREEMPT,
	KEY_SCHEDULE,
	KEY_SCHEDULE_OUT,
	KEY_BIND,
	KEY_WORKDIR,
	KEY_FILES_OUT,
	KEY_FILE_TIMES,
	KEY_UNKNOWN_SYSCALL,
	KEY_CPU,
	KEY_CPUS,
	KEY_LAYOUT_SEED,
	KEY_ENGINE,
	KEY_JITTER,
	KEY_NO_FSGSBASE,
	KEY_ARGV0,
	KEY_STEP,
	KEY_DATA,
};

/** Ends with an entry of zeros. */
extern const struct argp_option option_list[];

#endif
