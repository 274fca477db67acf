/* SPDX-License-Identifier: MIT */
/* Loops that call nothing are interrupted by timers, whatever is in the registers then. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t rung;
static sigjmp_buf out;

static void ring(int signal)
{
	double x = 3;
	(void)signal;
	for (int i = 0; i < 100; i++)
		x = x * 1.5 - 1;
	rung += x > 0;
}

static void leave(int signal)
{
	(void)signal;
	siglongjmp(out, 1);
}

/* Every millisecond from now on. */
static void every_ms(void (*handler)(int))
{
	struct itimerval timer = {{0, 1000}, {0, 1000}};
	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void no_more(void)
{
	setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
}

static unsigned long mix(unsigned long rounds)
{
	unsigned long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12;
	for (unsigned long n = 0; n < rounds; n++)
		a += l, b ^= a, c += b, d ^= c * 3, e += d, f ^= e, g += f, h ^= g, i += h, j ^= i, k += j, l ^= k;
	return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l;
}

/* No value comes near zero: QEMU's processor does not set the flag of denormal operands, which stays in memory. */
static double real(long rounds)
{
	double a = 1, b = 2, c = 3, d = 4, e = 5;
	for (long n = 0; n < rounds; n++) {
		a = a * 0.25 + b + 1;
		b = b * 0.125 - c;
		c = c * 0.5 + d / (n + 1.0);
		d = d * 0.5 + e;
		e = e * 0.25 + a / (n + 3.0) + 2;
	}
	return a + b + c + d + e;
}

int main(void)
{
	unsigned long mixed = mix(20000000);
	double realed = real(3000000);

	alarm(1);
	signal(SIGALRM, ring);
	while (!rung)
		;
	puts("a spin was interrupted");

	every_ms(ring);
	rung = 0;
	printf("integers %s", mix(20000000) == mixed ? "unharmed" : "harmed");
	printf(", interrupted %s\n", rung > 5 ? "often" : "seldom");
	rung = 0;
	printf("reals %s", real(3000000) == realed ? "unharmed" : "harmed");
	printf(", interrupted %s\n", rung > 2 ? "often" : "seldom");

	static char from[1 << 20], to[1 << 20];
	memset(from, 'x', sizeof(from));
	for (rung = 0; rung < 3;)
		memcpy(to, from, sizeof(to));
	puts(memcmp(from, to, sizeof(to)) ? "copies harmed" : "copies unharmed");
	no_more();

	every_ms(leave);
	if (sigsetjmp(out, 1) == 0)
		for (;;)
			;
	no_more();
	puts("left a loop without an end");
	return 0;
}
