/* SPDX-License-Identifier: MIT */
/* Included before the monitor's files that have defaults of inputs, for a monitor with other ones. */
#include "abi/boot.h"
#include "abi/environment.h"
#include "abi/sched_parameters.h"
#include "verify/verify_option.h"
#include "session/file_times.h"
#include "session/session.h"

#undef DEFAULT_MEMORY
#define DEFAULT_MEMORY (1UL << 30)
#undef DEFAULT_EPOCH_NS
#define DEFAULT_EPOCH_NS (1000000000L * 1000000000L)
#undef DEFAULT_FILE_TIMES
#define DEFAULT_FILE_TIMES "content:1995-05-05T00:00:00Z"
#undef DEFAULT_CPU_LINUX
#define DEFAULT_CPU_LINUX CPU_V2
#undef DEFAULT_CPUS
#define DEFAULT_CPUS 3
#undef DEFAULT_SEED
#define DEFAULT_SEED 11
#undef DEFAULT_SCHED_SEED
#define DEFAULT_SCHED_SEED 12
#undef DEFAULT_FAULT_SEED
#define DEFAULT_FAULT_SEED 13
#undef DEFAULT_NET_JUMPS
#define DEFAULT_NET_JUMPS true
#undef DEFAULT_UNKNOWN_CALLS
#define DEFAULT_UNKNOWN_CALLS UNKNOWN_ENOSYS
#undef UPTIME_DEFAULT_S
#define UPTIME_DEFAULT_S 7
#undef ENVIRONMENT_DEFAULT_LIST
#define ENVIRONMENT_DEFAULT_LIST(X) X("PATH=/bin") X("HOME=/") X("USER=guest")
#undef SCHED_LINUX_SLICE_TICKS
#define SCHED_LINUX_SLICE_TICKS (1000000UL * TICKS_PER_NS)

/* No input, but nobody waits ten minutes for the end of a test. */
#undef VERIFY_TIMEOUT_LEAST_S
#define VERIFY_TIMEOUT_LEAST_S 1.0
