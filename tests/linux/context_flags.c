/* SPDX-License-Identifier: MIT */
/* What a signal's context says of itself (uc_flags of <asm/ucontext.h>): an XSAVE area is announced where one is, by
 * its first magic number (<asm/sigcontext.h>); and arch_prctl(2) about the processor. */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define ARCH_GET_CPUID 0x1011
#define UC_FP_XSTATE 1UL
#define AREA_DESCRIPTION 464 /* behind what FXSAVE stores */
#define FP_XSTATE_MAGIC1 0x46505853U

static void on_signal(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *at = context;
	uint32_t magic;
	(void)info;
	memcpy(&magic, (const char *)at->uc_mcontext.fpregs + AREA_DESCRIPTION, sizeof(magic));
	assert(!(at->uc_flags & UC_FP_XSTATE) == (magic != FP_XSTATE_MAGIC1));
	printf("signal %d: flags %#lx beside the area's\n", sig, at->uc_flags & ~UC_FP_XSTATE);
}

int main(void)
{
	const struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	raise(SIGUSR1);
	kill(getpid(), SIGSEGV);
	printf("cpuid may be executed: %ld\n", syscall(SYS_arch_prctl, ARCH_GET_CPUID, 0));
	assert(syscall(SYS_arch_prctl, 0x1fff, 0) == -1 && errno == EINVAL);
	return 0;
}
