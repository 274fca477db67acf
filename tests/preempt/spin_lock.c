/* SPDX-License-Identifier: MIT */
/* A spin lock made of xchg, without `pause`: who has it is replaced while it has it. What a thread computes with in
 * vector registers, and its flags, must survive that. */
#include <pthread.h>
#include <stdio.h>

#define THREADS 3
#define ROUNDS 300

static int lock, count, wrong;
static double sums[THREADS];

static void take(void)
{
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		;
}

/* The carry of a comparison, behind locked instructions that leave the flags alone. The first has no room for a jump:
 * its neighbours are branches, or are jumped to. */
static int carry_of(int number)
{
	int result = 0, other = 0;
	__asm__ volatile("cmp $1, %[number]\n\t"
	                 "jrcxz 1f\n\t"
	                 "xchg %[other], (%[at])\n"
	                 "1: adc $0, %[result]\n\t"
	                 "xchg %[other], (%[at])"
	                 : [result] "+r"(result), [other] "+r"(other)
	                 : [number] "r"(number), [at] "r"(&wrong), "c"(1)
	                 : "cc", "memory");
	return result;
}

static void *work(void *argument)
{
	long self = (long)argument;
	double sum = 1.0 / (double)(self + 3);
	for (int i = 0; i < ROUNDS; i++) {
		take();
		int before = count;
		__asm__ volatile("lock orl $0, -8(%%rsp)" : : : "memory", "cc");
		if (carry_of(0) != 1 || carry_of(1) != 0)
			wrong = 1;
		count = before + 1;
		sum = sum * 1.01 + i;
		__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
	}
	sums[self] = sum;
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		printf("%.17g\n", sums[i]);
	printf("%d rounds, %s\n", count, wrong ? "flags were lost" : "flags were kept");
	return count != THREADS * ROUNDS || wrong;
}
