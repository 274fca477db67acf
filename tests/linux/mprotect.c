/* SPDX-License-Identifier: MIT */
/* mprotect(2): which errors come first, PROT_GROWSDOWN, and what has no meaning but is allowed. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define PAGE 4096UL
#define PROT_SEM 8

static void grow(char *at, char *stack, char *hole)
{
	static const int flags[] = {PROT_GROWSDOWN, PROT_GROWSUP, PROT_GROWSDOWN | PROT_GROWSUP};
	for (int i = 0; i < 3; i++) {
		int prot = PROT_READ | PROT_WRITE | flags[i];
		printf("%x\n", flags[i]);
		SAY(mprotect(at, PAGE, prot));
		SAY(mprotect(at, 0, prot));
		SAY(mprotect(at + 1, PAGE, prot));
		SAY(mprotect(at + 0x738, -38UL, prot));
		SAY(mprotect(at, -38UL, prot));
		SAY(mprotect(at, PAGE, prot | 0x40));
		SAY(mprotect(hole, PAGE, prot));
		SAY(mprotect(stack, PAGE, prot));
		SAY(mprotect(stack, 0, prot));
		SAY(mprotect(stack + 1, PAGE, prot));
		SAY(mprotect(stack, PAGE, prot | 0x40));
		SAY(mprotect(stack, 16UL << 20, prot));
	}
}

static void plain(char *at, char *hole)
{
	SAY(mprotect(at, 0, PROT_READ));
	SAY(mprotect(at, 0, 0x12345678));
	SAY(mprotect(at + 1, 0, PROT_READ));
	SAY(mprotect(at, PAGE, PROT_SEM));
	SAY(mprotect(at, PAGE, PROT_SEM | PROT_READ | PROT_WRITE));
	SAY(mprotect(at, PAGE, 0x10));
	SAY(mprotect(at, -38UL, 0x40));
	SAY(mprotect(hole, PAGE, PROT_READ));
	SAY(mprotect(hole, PAGE, 0x40));
	SAY(mprotect(hole, 0, PROT_READ));
}

int main(void)
{
	char here, *at = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *stack = (char *)((unsigned long)&here & ~(PAGE - 1)), *hole = (char *)0x10000;
	memset(at, 1, 16 * PAGE);
	plain(at, hole);
	grow(at, stack, hole);
	/* All of it is there. */
	int sum = 0;
	for (size_t i = 0; i < 16 * PAGE; i += 8)
		sum += ++at[i];
	printf("%d\n", sum);
	return 0;
}
