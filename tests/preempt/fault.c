/* SPDX-License-Identifier: MIT */
/* An atomic operation that may not be done at first, for each of the faults that it can end in: a page that may not be
 * written to, an address that is none, a page behind the end of its file. The signal's handler looks where it is, and
 * sees to it that it may be done when it returns. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGE 4096
#define NO_ADDRESS ((int *)0x800000000000) /* not canonical: a general-protection fault, which has no address */

extern const char operation[];
static int *page, *file, fd;
static volatile int faults, at_operation, at_address;

static void mend(int sig, siginfo_t *info, void *context)
{
	ucontext_t *where = context;
	greg_t *registers = where->uc_mcontext.gregs;
	const char *at = (char *)registers[REG_RDI];
	const int is_none = at == (char *)NO_ADDRESS;
	faults++;
	at_operation += registers[REG_RIP] == (greg_t)operation;
	at_address += info->si_addr == (is_none ? NULL : at + 16);
	if (is_none)
		registers[REG_RDI] = (greg_t)page;
	if ((sig == SIGBUS ? ftruncate(fd, PAGE) : mprotect(page, PAGE, PROT_READ | PROT_WRITE)) != 0)
		_exit(1);
}

static __attribute__((noinline)) void operate(int *at)
{
	__asm__ volatile(".globl operation\n"
	                 "operation: lock addl $1, 16(%0)"
	                 : "+D"(at)
	                 :
	                 : "memory", "cc");
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = mend, .sa_flags = SA_SIGINFO};
	page = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	fd = memfd_create("short", 0);
	file = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	for (int i = 0; i < 3; i++) {
		operate(page);
		printf("%d\n", page[4]);
		operate(NO_ADDRESS);
		printf("%d\n", page[4]);
		operate(file);
		printf("%d\n", file[4]);
		if (mprotect(page, PAGE, PROT_READ) || ftruncate(fd, 0))
			return 1;
	}
	printf("%d faults, %d at the operation, %d at the address\n", faults, at_operation, at_address);
	return 0;
}
