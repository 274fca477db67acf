/* SPDX-License-Identifier: MIT */
/* The program break moves both ways, and what it takes is zero each time. */
#include <stdint.h>
#include <unistd.h>

#include "say.h"

int main(void)
{
	/* No stdio buffer may lie on the heap that is cut off below. */
	static char buffer[4096];
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	char *start = sbrk(0);
	SAY_TRUE(sbrk(0) == start);
	for (int round = 0; round < 4; round++) {
		size_t bytes = 1000000UL * (unsigned)(1 + round * 3);
		SAY_TRUE(sbrk((intptr_t)bytes) == start);
		int zero = 1;
		for (size_t i = 0; i < bytes; i++)
			zero &= start[i] == 0;
		SAY_TRUE(zero);
		memset(start, 0x5a, bytes);
		SAY_TRUE(sbrk(-(intptr_t)(bytes / 2)) == start + bytes);
		SAY_TRUE(start[bytes / 2 - 1] == 0x5a);
		SAY(brk(start));
		SAY_TRUE(sbrk(0) == start);
	}
	SAY_OK(sbrk(INTPTR_MAX));
	SAY_OK(brk((void *)1L) == -1 || sbrk(0) == start ? 0 : -1);
	return 0;
}
