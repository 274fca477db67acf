/* SPDX-License-Identifier: MIT */
/* For work_slower.test: sorts by a key, whose computation takes ROUNDS rounds. */
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 20000 };

static unsigned list[COUNT];

__attribute__((noinline)) static unsigned key(unsigned x)
{
	for (int i = 0; i < ROUNDS; i++)
		x = x * 1664525 + 1013904223 + (x >> 7);
	return x;
}

static int by_key(const void *a, const void *b)
{
	const unsigned x = key(*(const unsigned *)a), y = key(*(const unsigned *)b);
	return (x > y) - (x < y);
}

int main(void)
{
	for (unsigned i = 0; i < COUNT; i++)
		list[i] = i * 2654435761U;
	qsort(list, COUNT, sizeof(*list), by_key);
	for (unsigned i = 1; i < COUNT; i++)
		if (key(list[i - 1]) > key(list[i]))
			return 1;
	puts("sorted");
	return 0;
}
