/* SPDX-License-Identifier: MIT */
/* System calls, and the C library functions that a compiler expects. */
#include "engine/process/stub/system.h"

#include <linux/futex.h>
#include <sys/syscall.h>

long stub_call(long number, long a, long b, long c, long d, long e, long f)
{
	long result;
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	__asm__ volatile("syscall"
	                 : "=a"(result)
	                 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
	                 : "rcx", "r11", "memory");
	return result;
}

void stub_wake(uint32_t *word)
{
	__atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST);
	stub_call3(SYS_futex, word, FUTEX_WAKE, 1);
}

void stub_wait(const uint32_t *word, uint32_t old)
{
	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == old)
		stub_call(SYS_futex, (long)word, FUTEX_WAIT, old, 0, 0, 0);
}

void stub_copy(void *to, const void *from, size_t bytes)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes)::"memory");
}

void stub_clear(void *at, size_t bytes)
{
	__asm__ volatile("rep stosb" : "+D"(at), "+c"(bytes) : "a"(0) : "memory");
}

void stub_die(void)
{
	for (;;)
		__asm__ volatile("hlt"); /* a fault while signals are blocked ends the process */
}

void *memset(void *to, int byte, size_t bytes);
void *memcpy(void *to, const void *from, size_t bytes);

void *memset(void *to, int byte, size_t bytes)
{
	void *at = to;
	__asm__ volatile("rep stosb" : "+D"(at), "+c"(bytes) : "a"(byte) : "memory");
	return to;
}

void *memcpy(void *to, const void *from, size_t bytes)
{
	stub_copy(to, from, bytes);
	return to;
}
