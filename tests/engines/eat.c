/* SPDX-License-Identifier: MIT */
/* Writes to so many MiB of memory as its argument says. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	size_t bytes = argc > 1 ? strtoul(argv[1], NULL, 10) << 20 : 0;
	volatile char *at = malloc(bytes);
	if (!at)
		return 1;
	for (size_t i = 0; i < bytes; i += 4096)
		at[i] = 1;
	puts("all is written");
	return 0;
}
