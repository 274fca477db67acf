/* SPDX-License-Identifier: MIT */
/* What the segment registers hold: selectors are visible to programs, and the host must not be. */
#include <stdio.h>

#define SHOW(reg) \
	do { \
		unsigned long value; \
		__asm__ volatile("mov %%" #reg ", %0" : "=r"(value)); \
		printf(#reg " %lx\n", value); \
	} while (0)

int main(void)
{
	SHOW(cs);
	SHOW(ss);
	SHOW(ds);
	SHOW(es);
	SHOW(fs);
	SHOW(gs);
	/* A null selector may be loaded again, and memory is still there. */
	__asm__ volatile("mov %0, %%ds; mov %0, %%es" : : "r"(0) : "memory");
	puts("loaded null");
	return 0;
}
