/* SPDX-License-Identifier: MIT */
/* A leak on purpose that shows in the first run of --verify alone: whether the monitor has read the console to its end,
 * which it cannot while nobody reads its standard output. Later runs have their output discarded, and never wait. */
#include <string.h>
#include <unistd.h>

#include "abi/layout.h"
#include "abi/ring.h"

#define SPINS 400000000UL
#define TIMES 64 /* 4 MiB: more than a pipe holds */

static __attribute__((noinline)) int has_been_read(void)
{
	const volatile struct console_ring *ring = (void *)(LAYOUT_DIRECT_MAP + LAYOUT_CONSOLE_RING);
	for (unsigned long i = 0; i < SPINS; i++)
		if (ring->tail == ring->head)
			return 1;
	return 0;
}

int main(void)
{
	static char text[0x10000];
	memset(text, '.', sizeof(text));
	for (unsigned i = 0; i < TIMES && has_been_read(); i++)
		write(1, text, sizeof(text));
	write(1, "\n", 1);
	return 0;
}
