/* SPDX-License-Identifier: MIT */
/* The floating-point environment is a thread's own: exceptions that are noted, those that are not masked, the rounding
 * mode. A new thread begins with its creator's. */
#include <fenv.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static pthread_barrier_t barrier;

static void meet(void)
{
	pthread_barrier_wait(&barrier);
}

static unsigned x87_status(void)
{
	uint16_t status;
	__asm__ volatile("fnstsw %0" : "=m"(status));
	return status & 0x80bf;
}

static unsigned mxcsr(void)
{
	uint32_t value;
	__asm__ volatile("stmxcsr %0" : "=m"(value));
	return value;
}

static void say(const char *who, const char *when)
{
	printf("%s %s: x87 %x, MXCSR %x, rounding %s\n", who, when, x87_status(), mxcsr(),
	       fegetround() == FE_DOWNWARD ? "down" : "to nearest");
}

static void divide_by_zero(void)
{
	volatile long double one = 1, zero = 0, result = one / zero;
	volatile double narrow_one = 1, narrow_zero = 0, narrow = narrow_one / narrow_zero;
	(void)result, (void)narrow;
}

static void *other(void *unused)
{
	say("other", "at its start");
	feclearexcept(FE_ALL_EXCEPT);
	meet();
	meet();
	say("other", "after the first divided");
	divide_by_zero();
	feraiseexcept(FE_INEXACT);
	fesetround(FE_DOWNWARD);
	meet();
	meet();
	say("other", "after the first cleared");
	return unused;
}

/* With division by zero unmasked here and noted there. */
static void *masked(void *unused)
{
	const uint16_t all_masked = 0x37f;
	__asm__ volatile("fldcw %0" : : "m"(all_masked));
	meet();
	volatile long double one = 1, zero = 0, result = one / zero;
	(void)result;
	meet();
	meet();
	say("masked", "at its end");
	return unused;
}

static void unmasked(void)
{
	pthread_t thread;
	const uint16_t before = 0x37f, trapping = 0x37b;
	pthread_create(&thread, NULL, masked, NULL);
	__asm__ volatile("fldcw %0" : : "m"(trapping));
	meet();
	meet();
	volatile long double sum = 1;
	sum = sum + 2;
	printf("a sum where another divided: %d\n", (int)sum);
	meet();
	pthread_join(thread, NULL);
	__asm__ volatile("fldcw %0" : : "m"(before));
}

/* In the midst of a calculation, which a tick may interrupt. */
static void *count(void *result)
{
	volatile long double sum = 0;
	for (int i = 1; i < 200000; i++)
		sum += 1.0L / i;
	*(long double *)result = sum;
	return NULL;
}

int main(void)
{
	pthread_t thread, counters[3];
	long double sums[3];
	pthread_barrier_init(&barrier, NULL, 2);
	feraiseexcept(FE_OVERFLOW);
	pthread_create(&thread, NULL, other, NULL);
	meet();
	say("first", "after the other cleared");
	feclearexcept(FE_ALL_EXCEPT);
	divide_by_zero();
	meet();
	meet();
	say("first", "after the other divided");
	feclearexcept(FE_ALL_EXCEPT);
	meet();
	pthread_join(thread, NULL);
	unmasked();
	for (int i = 0; i < 3; i++)
		pthread_create(&counters[i], NULL, count, &sums[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(counters[i], NULL);
	say("first", "at the end");
	for (int i = 0; i < 3; i++)
		printf("sum %.18Lf\n", sums[i]);
	return 0;
}
