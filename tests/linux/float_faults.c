/* SPDX-License-Identifier: MIT */
/* What a handler of SIGFPE is told: which exception it was, of SSE and of the x87 unit. */
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <xmmintrin.h>

/* Bits of the status words, of both units; in their control words they are masks. */
enum { INVALID = 1, DIVISION = 4, OVERFLOW = 8, UNDERFLOW = 16, INEXACT = 32, ALL = 63 };

static sigjmp_buf back;

/* Forgets what has happened; of the exceptions these become traps. */
static void enable(unsigned exceptions)
{
	unsigned short control = (unsigned short)(0x37f & ~exceptions);
	__asm__ volatile("fnclex\n\tfldcw %0" : : "m"(control));
	_mm_setcsr((unsigned)(ALL & ~exceptions) << 7);
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	siglongjmp(back, info->si_code);
}

#define FAULT(name, exceptions, type, expression) \
	do { \
		enable(0); \
		volatile type zero = 0, one = 1, three = 3, large = type##_large, small = type##_small, result = 0; \
		int code = sigsetjmp(back, 1); \
		if (!code) { \
			enable(exceptions); \
			result = expression; \
			__asm__ volatile("fwait"); /* the x87 unit tells at the next instruction */ \
		} \
		enable(0); \
		printf("%s of " #type ": %d\n", name, code); \
		(void)zero, (void)one, (void)three, (void)large, (void)small, (void)result; \
	} while (0)

typedef long double extended;
#define double_large 1e308
#define double_small 1e-308
#define extended_large 1e4930L
#define extended_small 1e-4930L

#define FAULTS(type) \
	do { \
		FAULT("division", DIVISION, type, one / zero); \
		FAULT("overflow", OVERFLOW, type, large *large); \
		FAULT("underflow", UNDERFLOW, type, small *small); \
		FAULT("invalid", INVALID, type, zero / zero); \
		FAULT("inexact", INEXACT, type, one / three); \
		FAULT("overflow, all", OVERFLOW | INEXACT, type, large * large); \
		FAULT("nothing", DIVISION, type, one / three); \
	} while (0)

int main(void)
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_fault;
	action.sa_flags = SA_SIGINFO;
	assert(sigaction(SIGFPE, &action, NULL) == 0);
	FAULTS(double);
	FAULTS(extended);
	return 0;
}
