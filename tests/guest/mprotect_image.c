/* SPDX-License-Identifier: MIT */
/* A program protects its own variables and constants: what faults, where, with which code, and how a handler mends it.
 */
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "say.h"

#define PAGE 4096UL
#define RW (PROT_READ | PROT_WRITE)

static char page[4 * PAGE] __attribute__((aligned(4096)));
static char filled[2 * PAGE] __attribute__((aligned(4096))) = "filled";
static const char constant[2 * PAGE] __attribute__((aligned(4096))) = "constant";

static sigjmp_buf back;
static volatile int faults, code;
static char *volatile address;

static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	faults++;
	code = info->si_code;
	address = info->si_addr;
	if (mprotect((void *)((unsigned long)address & ~(PAGE - 1)), PAGE, RW))
		siglongjmp(back, 1);
}

/* Writes, and says what it took. */
static void put(const char *what, volatile char *at, char value)
{
	faults = 0;
	*at = value;
	printf("%s: %d faults", what, faults);
	if (faults)
		printf(", %s, %s", address == at ? "there" : "elsewhere", code == SEGV_ACCERR ? "ACCERR" : "MAPERR");
	printf(", now %d\n", *at);
}

static void get(const char *what, const volatile char *at)
{
	faults = 0;
	char value = *at;
	printf("%s: %d, %d faults\n", what, value, faults);
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	volatile char *readable = (volatile char *)constant;
	unsigned char vector[4];
	int fds[2];
	sigaction(SIGSEGV, &action, NULL);

	put("before", page + 5, 1);
	SAY(mprotect(page, PAGE, PROT_READ));
	get("read-only", page + 5);
	put("read-only", page + 5, 2);
	put("mended", page + 6, 3);

	SAY(mprotect(page + PAGE, 2 * PAGE, PROT_NONE));
	put("before none", page + PAGE - 1, 4);
	get("none", page + PAGE);
	put("none", page + 3 * PAGE - 1, 5);
	put("behind none", page + 3 * PAGE, 6);
	SAY(mincore(page, 4 * PAGE, vector));

	SAY(mprotect(filled, PAGE, PROT_NONE));
	get("filled keeps its contents", filled);
	put("filled", filled + PAGE, 7);
	get("constant", readable);
	SAY(mprotect((void *)constant, PAGE, RW));
	put("writable constant", readable, 8);
	get("behind it", readable + PAGE);
	SAY(mprotect((void *)constant, PAGE, PROT_READ));

	/* Kernel calls find the same rights. */
	pipe(fds);
	write(fds[1], "abc", 3);
	SAY(mprotect(page, PAGE, PROT_READ));
	SAY(read(fds[0], page, 3));
	SAY(mprotect(page, PAGE, RW));
	SAY(read(fds[0], page, 3));
	SAY(mprotect(page, PAGE, PROT_NONE));
	SAY(write(fds[1], page, 3));
	SAY(mprotect(page, PAGE, RW));
	printf("%.3s\n", page);

	SAY(mprotect(page + 1, PAGE, PROT_READ));
	SAY(mprotect(page, 0, PROT_READ));
	SAY(mprotect(page, PAGE, 64));
	SAY(mlock(page, PAGE));
	SAY(munlock(page, PAGE));
	return 0;
}
