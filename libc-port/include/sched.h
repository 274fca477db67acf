/* SPDX-License-Identifier: MIT */
/* Over newlib's <sched.h>: sets of processors (sched_setaffinity(2)). */
#ifndef EREMITE_SCHED_H
#define EREMITE_SCHED_H

#include_next <sched.h>
#include <sys/types.h>

#define SCHED_BATCH 3
#define SCHED_IDLE 5

#if __GNU_VISIBLE
#define CPU_SETSIZE 1024

typedef struct {
	unsigned long __bits[CPU_SETSIZE / 64];
} cpu_set_t;

#define CPU_ZERO(set) __builtin_memset(set, 0, sizeof(cpu_set_t))
#define CPU_SET(cpu, set) ((set)->__bits[(cpu) / 64] |= 1UL << ((cpu) % 64))
#define CPU_CLR(cpu, set) ((set)->__bits[(cpu) / 64] &= ~(1UL << ((cpu) % 64)))
#define CPU_ISSET(cpu, set) (((set)->__bits[(cpu) / 64] >> ((cpu) % 64)) & 1)
#define CPU_COUNT(set) __sched_cpucount(sizeof(cpu_set_t), set)

__BEGIN_DECLS
int sched_getaffinity(pid_t __pid, size_t __size, cpu_set_t *__set);
int sched_setaffinity(pid_t __pid, size_t __size, const cpu_set_t *__set);
int __sched_cpucount(size_t __size, const cpu_set_t *__set);
__END_DECLS
#endif

#endif
