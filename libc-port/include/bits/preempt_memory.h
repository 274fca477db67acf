/* SPDX-License-Identifier: MIT */
/* Included before a program's first line by -fpreempt=memory. gcc may put loads and stores in the place of the four
 * functions below, too late for its instrumentation: what they touch is announced here. Copies of the size of a word
 * need it not: gcc makes assignments of them first. */
#ifndef EREMITE_PREEMPT_MEMORY_H
#define EREMITE_PREEMPT_MEMORY_H

#if !defined(__ASSEMBLER__) && !defined(__cplusplus)

#pragma GCC system_header

void __tsan_read_range(const void *from, __SIZE_TYPE__ bytes);
void __tsan_write_range(void *to, __SIZE_TYPE__ bytes);

#define __PREEMPT_INLINE extern __inline __attribute__((__gnu_inline__, __always_inline__, __artificial__))
#define __PREEMPT_RANGE(bytes) \
	(!__builtin_constant_p(bytes) || (bytes) > 16 || (bytes) == 0 || ((bytes) & ((bytes)-1)) != 0)

__PREEMPT_INLINE void *memcpy(void *__restrict to, const void *__restrict from, __SIZE_TYPE__ bytes)
{
	if (__PREEMPT_RANGE(bytes)) {
		__tsan_read_range(from, bytes);
		__tsan_write_range(to, bytes);
	}
	return __builtin_memcpy(to, from, bytes);
}

__PREEMPT_INLINE void *memmove(void *to, const void *from, __SIZE_TYPE__ bytes)
{
	if (__PREEMPT_RANGE(bytes)) {
		__tsan_read_range(from, bytes);
		__tsan_write_range(to, bytes);
	}
	return __builtin_memmove(to, from, bytes);
}

__PREEMPT_INLINE void *memset(void *to, int value, __SIZE_TYPE__ bytes)
{
	__tsan_write_range(to, bytes);
	return __builtin_memset(to, value, bytes);
}

__PREEMPT_INLINE int memcmp(const void *a, const void *b, __SIZE_TYPE__ bytes)
{
	__tsan_read_range(a, bytes);
	__tsan_read_range(b, bytes);
	return __builtin_memcmp(a, b, bytes);
}

#undef __PREEMPT_RANGE
#undef __PREEMPT_INLINE

#endif
#endif
