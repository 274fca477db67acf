/* SPDX-License-Identifier: MIT */
/* The x87 and SSE state that a handler sees has nothing of the host's vendor: where the last x87 instruction was, and
 * the mask of MXCSR, are the same on Intel's and AMD's processors. Nor is the resume flag the host's. Linux passes on
 * what the processor says, so the expected output is beside this file. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

static double operand = 1.5;
static fpregset_t seen;
static struct _libc_fpstate state;
static long flags;

static void handler(int sig, siginfo_t *info, void *context)
{
	ucontext_t *user = context;
	(void)sig, (void)info;
	seen = user->uc_mcontext.fpregs;
	state = *seen;
	flags = user->uc_mcontext.gregs[REG_EFL];
	user->uc_mcontext.gregs[REG_RIP] += 2; /* behind ud2 */
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
	double kept = 0;
	sigaction(SIGILL, &action, NULL);
	__asm__ volatile("fldl %1; ud2; fstpl %0" : "=m"(kept) : "m"(operand));
	printf("cwd %#x swd %#x ftw %#x fop %#x\n", state.cwd, state.swd, state.ftw, state.fop);
	printf("rip %#lx rdp %#lx\n", (unsigned long)state.rip, (unsigned long)state.rdp);
	printf("mxcsr %#x mask %#x\n", state.mxcsr, state.mxcr_mask);
	printf("resume flag %d\n", !!(flags & 0x10000));
	printf("%g\n", kept);
	return 0;
}
