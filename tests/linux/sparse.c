/* SPDX-License-Identifier: MIT */
/* More memory is reserved than there is, and a little of it touched here and there: it takes what it touches, about. */
#include <stdio.h>
#include <sys/mman.h>

#define BYTES (4UL << 30)
#define STEP (2UL << 20)

int main(void)
{
	char *at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	unsigned long sum = 0;
	if (at == MAP_FAILED)
		return 1;
	for (unsigned long i = 0; i < BYTES / STEP; i++)
		at[i * STEP + i] = (char)i;
	for (unsigned long i = 0; i < BYTES / STEP; i++)
		sum += (unsigned long)at[i * STEP + i] & 0xff;
	printf("%lu\n", sum);
	return 0;
}
