/* SPDX-License-Identifier: MIT
 * eremite-options: --memory 64M
 */
/* PROT_NONE reserves address space beyond all memory for nothing; parts of it are then taken and given back. */
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include "say.h"

#define PAGE 4096UL
#define GIB (1UL << 30)
#define NONE (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)

static sigjmp_buf back;

static void on_fault(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

static int readable(volatile char *at)
{
	if (sigsetjmp(back, 1))
		return 0;
	(void)*at;
	return 1;
}

int main(void)
{
	signal(SIGSEGV, on_fault);
	char *space = mmap(NULL, 1024 * GIB, PROT_NONE, NONE, -1, 0);
	printf("1 TiB: %s\n", space == MAP_FAILED ? errno_name(errno) : "reserved");
	char *more = mmap(NULL, 4096 * GIB, PROT_NONE, NONE, -1, 0);
	printf("4 TiB: %s\n", more == MAP_FAILED ? errno_name(errno) : "reserved");
	SAY_TRUE(readable(space));
	for (int i = 0; i < 8; i++) {
		char *part = space + i * 100 * GIB + i * PAGE;
		SAY(mprotect(part, 5 * PAGE, PROT_READ | PROT_WRITE));
		SAY_TRUE(part[0] == 0 && part[5 * PAGE - 1] == 0);
		memset(part, i + 1, 5 * PAGE);
		SAY_TRUE(readable(part - 1));
		SAY_TRUE(readable(part + 5 * PAGE));
	}
	/* The ways to give memory back: its contents are zero after. */
	char *part = space + 100 * GIB + PAGE;
	SAY(madvise(part, 2 * PAGE, MADV_DONTNEED));
	printf("after MADV_DONTNEED: %d %d %d\n", part[0], part[2 * PAGE - 1], part[2 * PAGE]);
	SAY_TRUE(mmap(part, 5 * PAGE, PROT_NONE, NONE | MAP_FIXED, -1, 0) == part);
	SAY_TRUE(readable(part));
	SAY(mprotect(part, 5 * PAGE, PROT_READ | PROT_WRITE));
	printf("after MAP_FIXED: %d %d\n", part[0], part[5 * PAGE - 1]);
	/* Memory that is taken and given back in turn does not run out. */
	for (int i = 0; i < 40; i++) {
		char *big = space + 500 * GIB + i * (64UL << 20);
		if (mprotect(big, 16 << 20, PROT_READ | PROT_WRITE)) {
			printf("round %d: %s\n", i, errno_name(errno));
			return 1;
		}
		memset(big, i, 16 << 20);
		if (mmap(big, 16 << 20, PROT_NONE, NONE | MAP_FIXED, -1, 0) != big)
			return 2;
	}
	SAY(munmap(space, 1024 * GIB));
	SAY(munmap(more, 4096 * GIB));
	return 0;
}
