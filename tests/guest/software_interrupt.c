/* SPDX-License-Identifier: MIT */
/* `int n`: int3 is a breakpoint in both its forms, 4 an overflow, all others a program may not do. Vectors whose
 * exceptions have an error code matter most: by software there is none on the stack. (Linux uses 0x80 itself.) The
 * expected output is what Linux prints on a processor; on QEMU's it shows other error codes. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

static sigjmp_buf back;
static siginfo_t told;
static long trap, error;

static void note(int sig, siginfo_t *info, void *context)
{
	const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	told = *info;
	trap = registers[REG_TRAPNO];
	error = registers[REG_ERR];
	siglongjmp(back, sig);
}

#define INT(n) \
	do { \
		int sig = sigsetjmp(back, 1); \
		if (!sig) { \
			__asm__ volatile(".byte 0xcd, %c0" : : "i"(n)); \
			printf("int %#x: nothing\n", n); \
		} else { \
			printf("int %#x: signal %d, code %d, address %#lx, trap %ld, error %#lx\n", n, sig, \
			       told.si_code, (unsigned long)told.si_addr, trap, error); \
		} \
	} while (0)

int main(void)
{
	struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
	static const int signals[] = {SIGSEGV, SIGILL, SIGTRAP, SIGFPE, SIGBUS};
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
	INT(0);
	INT(1);
	INT(2);
	INT(3);
	INT(4);
	INT(6);
	INT(8);
	INT(10);
	INT(13);
	INT(14);
	INT(16);
	INT(17);
	INT(19);
	INT(32);
	INT(0x81);
	INT(0xff);
	return 0;
}
