/* SPDX-License-Identifier: MIT */
/* A leak on purpose: looks past the kernel at how far the monitor's thread has read the console, which depends on the
 * host. No honest program does; --verify has to tell. With an argument the leak shows in the sizes of writes, too. */
#include <stdio.h>
#include <unistd.h>

#include "abi/layout.h"
#include "abi/ring.h"

int main(int argc, char **argv)
{
	(void)argv;
	const volatile struct console_ring *ring = (void *)(LAYOUT_DIRECT_MAP + LAYOUT_CONSOLE_RING);
	unsigned long sum = 0;
	for (int i = 0; i < 20000; i++) {
		puts("a line, so that there is something to read");
		for (int n = 0; n < 3000; n++)
			sum = sum * 31 + ring->tail;
	}
	printf("%lu\n", sum);
	fflush(stdout);
	for (unsigned bit = 0; argc > 1 && bit < 64; bit += 4)
		write(1, "0123456789abcdef", (sum >> bit) % 16);
	return 0;
}
