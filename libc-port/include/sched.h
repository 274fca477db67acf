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

/* CPU_SET(3). Those with _S know the set's size, which may be another than that of cpu_set_t; what lies beyond it is
 * not set, and not in any set. */
#define CPU_ALLOC_SIZE(count) (((count) + 63UL) / 64 * 8)
#define CPU_ALLOC(count) __sched_cpualloc(count)
#define CPU_FREE(set) __sched_cpufree(set)

#define CPU_ZERO_S(size, set) ((void)__builtin_memset(set, 0, size))
#define CPU_SET_S(cpu, size, set) __sched_cpuchange(cpu, size, set, 1)
#define CPU_CLR_S(cpu, size, set) __sched_cpuchange(cpu, size, set, 0)
#define CPU_ISSET_S(cpu, size, set) __sched_cpuisset(cpu, size, set)
#define CPU_COUNT_S(size, set) __sched_cpucount(size, set)
#define CPU_EQUAL_S(size, one, other) (__builtin_memcmp(one, other, size) == 0)
#define CPU_AND_S(size, to, one, other) __sched_cpucombine(size, to, one, other, '&')
#define CPU_OR_S(size, to, one, other) __sched_cpucombine(size, to, one, other, '|')
#define CPU_XOR_S(size, to, one, other) __sched_cpucombine(size, to, one, other, '^')

#define CPU_ZERO(set) CPU_ZERO_S(sizeof(cpu_set_t), set)
#define CPU_SET(cpu, set) CPU_SET_S(cpu, sizeof(cpu_set_t), set)
#define CPU_CLR(cpu, set) CPU_CLR_S(cpu, sizeof(cpu_set_t), set)
#define CPU_ISSET(cpu, set) CPU_ISSET_S(cpu, sizeof(cpu_set_t), set)
#define CPU_COUNT(set) CPU_COUNT_S(sizeof(cpu_set_t), set)
#define CPU_EQUAL(one, other) CPU_EQUAL_S(sizeof(cpu_set_t), one, other)
#define CPU_AND(to, one, other) CPU_AND_S(sizeof(cpu_set_t), to, one, other)
#define CPU_OR(to, one, other) CPU_OR_S(sizeof(cpu_set_t), to, one, other)
#define CPU_XOR(to, one, other) CPU_XOR_S(sizeof(cpu_set_t), to, one, other)

__BEGIN_DECLS
int sched_getaffinity(pid_t __pid, size_t __size, cpu_set_t *__set);
int sched_setaffinity(pid_t __pid, size_t __size, const cpu_set_t *__set);
int getcpu(unsigned *__cpu, unsigned *__node);
int __sched_cpucount(size_t __size, const cpu_set_t *__set);
cpu_set_t *__sched_cpualloc(size_t __count);
void __sched_cpufree(cpu_set_t *__set);

static __inline int __sched_cpuisset(size_t __cpu, size_t __size, const cpu_set_t *__set)
{
	const unsigned long *__words = (const unsigned long *)__set; /* may be more of them than a cpu_set_t has */
	return __cpu / 8 < __size && (__words[__cpu / 64] >> (__cpu % 64) & 1);
}

static __inline void __sched_cpuchange(size_t __cpu, size_t __size, cpu_set_t *__set, int __to)
{
	unsigned long *__words = (unsigned long *)__set;
	if (__cpu / 8 >= __size)
		return;
	__words[__cpu / 64] &= ~(1UL << (__cpu % 64));
	__words[__cpu / 64] |= (unsigned long)__to << (__cpu % 64);
}

static __inline void __sched_cpucombine(size_t __size, cpu_set_t *__to, const cpu_set_t *__one,
                                        const cpu_set_t *__other, char __how)
{
	for (size_t __i = 0; __i < __size / sizeof(unsigned long); __i++) {
		unsigned long __a = ((const unsigned long *)__one)[__i], __b = ((const unsigned long *)__other)[__i];
		((unsigned long *)__to)[__i] = __how == '&' ? __a & __b : __how == '|' ? __a | __b : __a ^ __b;
	}
}
__END_DECLS
#endif

#endif
