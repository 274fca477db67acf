/* SPDX-License-Identifier: MIT */
/* Waits that use vector registers, as Go's sync.Map.Load does: the loop hashes a key and clears memory by 16 bytes at a
 * time. Another loop carries a value in a vector register from one iteration to the next, and ends by it: it is no
 * wait. */
#include <emmintrin.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define ROUNDS 300000

static volatile int go;
static const char key[16] = "the key's bytes";
static volatile uint64_t table[256];

static void *set(void *argument)
{
	table[7] = 1;
	go = 1;
	return argument;
}

/* The place of a key in the table, by way of memory that it clears. */
static __attribute__((noinline)) unsigned place(const char *text)
{
	volatile __m128i local = _mm_setzero_si128();
	__m128i hash = _mm_loadu_si128((const __m128i *)text);
	hash = _mm_add_epi32(_mm_xor_si128(hash, _mm_set1_epi32(0x9e3779b9)), _mm_slli_epi32(hash, 5));
	hash = _mm_sad_epu8(hash, _mm_setzero_si128());
	local = hash;
	return ((unsigned)_mm_cvtsi128_si32(local) & 255) * 0 + 7;
}

static void await(const char *name, int how)
{
	pthread_t thread;
	go = 0;
	table[7] = 0;
	pthread_create(&thread, NULL, set, NULL);
	if (how == 0)
		while (!table[place(key)]) {
		}
	else
		for (__m128i local = _mm_setzero_si128(); !go;)
			__asm__ volatile("movdqa %0, %%xmm3\n\tpaddd %%xmm3, %%xmm3" : : "x"(local) : "xmm3");
	printf("%s: %d\n", name, go);
	pthread_join(thread, NULL);
}

/* General registers and memory stay the same until the sum is reached. */
static void count(void)
{
	unsigned sum;
	__asm__ volatile("pxor %%xmm0, %%xmm0\n\t"
	                 "movd %1, %%xmm1\n\t"
	                 "movd %2, %%xmm2\n"
	                 "1: paddd %%xmm1, %%xmm0\n\t"
	                 "movdqa %%xmm0, %%xmm3\n\t"
	                 "pcmpeqd %%xmm2, %%xmm3\n\t"
	                 "pmovmskb %%xmm3, %0\n\t"
	                 "test $1, %0\n\t"
	                 "jz 1b\n\t"
	                 "movd %%xmm0, %0"
	                 : "=&r"(sum)
	                 : "r"(1), "r"(ROUNDS * 1000)
	                 : "xmm0", "xmm1", "xmm2", "xmm3", "cc");
	printf("counted to %u\n", sum);
}

int main(void)
{
	pthread_t thread;
	await("a table", 0);
	await("a flag", 1);
	pthread_create(&thread, NULL, set, NULL);
	count();
	pthread_join(thread, NULL);
	return 0;
}
