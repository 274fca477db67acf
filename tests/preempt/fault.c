/* SPDX-License-Identifier: MIT */
/* An atomic operation that may not be done at first: the signal's handler looks where it is, and sees to it that it may
 * be done when it returns. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

extern const char operation[];
static int *page;
static volatile int faults, at_operation, at_page;

static void mend(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *where = context;
	(void)sig;
	faults++;
	at_operation += where->uc_mcontext.gregs[REG_RIP] == (greg_t)operation;
	at_page += info->si_addr == (char *)page + 16;
	mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = mend, .sa_flags = SA_SIGINFO};
	page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGSEGV, &action, NULL);
	for (int i = 0; i < 3; i++) {
		__asm__ volatile(".globl operation\n"
		                 "operation: lock addl $1, 16(%0)"
		                 :
		                 : "r"(page)
		                 : "memory", "cc");
		printf("%d\n", page[4]);
		mprotect(page, 4096, PROT_READ);
	}
	printf("%d faults, %d at the operation, %d at the page\n", faults, at_operation, at_page);
	return 0;
}
