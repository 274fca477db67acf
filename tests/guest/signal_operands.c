/* SPDX-License-Identifier: MIT */
/* Operands that the processor refuses, of instructions that not each virtual machine knows: SIGSEGV, not SIGILL, and
 * the same code in each run. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

static sigjmp_buf back;

static void handle(int sig, siginfo_t *info, void *context)
{
	(void)context;
	printf("signal %d, code %d, address %p\n", sig, info->si_code, info->si_addr);
	siglongjmp(back, 1);
}

#define TRY(what) \
	do { \
		printf("%s: ", #what); \
		if (!sigsetjmp(back, 1)) { \
			what; \
			puts("nothing"); \
		} \
	} while (0)

int main(void)
{
	static char bytes[64] __attribute__((aligned(64)));
	const char *odd = bytes + 1, *bad = (char *)0x4141414141414140, *kernel = (char *)0xffff800000000000;
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
	sigaction(SIGSEGV, &action, NULL);
	TRY(__asm__ volatile("addps (%0), %%xmm0" : : "r"(odd) : "xmm0"));
	TRY(__asm__ volatile("movdqu (%0), %%xmm0" : : "r"(odd) : "xmm0"));
	TRY(__asm__ volatile("movdqu (%0), %%xmm0" : : "r"(bad) : "xmm0"));
	TRY(__asm__ volatile("mulsd 8(%0), %%xmm0" : : "r"(bad) : "xmm0"));
	TRY(__asm__ volatile("fldl (%0)" : : "r"(bad)));
	TRY(__asm__ volatile("popcnt (%0), %%eax" : : "r"(bad) : "rax"));
	for (volatile int i = 0; i < 5; i++) {
		TRY((void)*(volatile char *)kernel);
		TRY((void)*(volatile char *)(kernel + 0x1000));
	}
	return 0;
}
