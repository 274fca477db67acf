/* SPDX-License-Identifier: MIT */
/* Anonymous memory is zero, also where other pages lay before; holes, fixed addresses and refusals. */
#include <stdint.h>
#include <sys/mman.h>

#include "say.h"

#define PAGE 4096UL
#define RW (PROT_READ | PROT_WRITE)
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)

static int all_zero(const char *at, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (at[i])
			return 0;
	return 1;
}

static void reuse(size_t bytes)
{
	for (int round = 0; round < 5; round++) {
		char *at = mmap(NULL, bytes, RW, ANON, -1, 0);
		printf("%zu bytes, round %d: %s\n", bytes, round, all_zero(at, bytes) ? "zero" : "DIRTY");
		memset(at, 0xa5, bytes);
		munmap(at, bytes);
	}
}

static void holes(void)
{
	char *at = mmap(NULL, 9 * PAGE, RW, ANON, -1, 0);
	memset(at, 1, 9 * PAGE);
	SAY(munmap(at + 2 * PAGE, PAGE));
	SAY(munmap(at + 2 * PAGE, PAGE));
	SAY(munmap(at + 4 * PAGE, 2 * PAGE));
	printf("kept: %d %d %d %d\n", at[PAGE], at[3 * PAGE], at[6 * PAGE], at[9 * PAGE - 1]);
	SAY_TRUE(mmap(at + 2 * PAGE, PAGE, RW, ANON | MAP_FIXED, -1, 0) == at + 2 * PAGE);
	SAY_TRUE(mmap(at + 4 * PAGE, 2 * PAGE, RW, ANON | MAP_FIXED_NOREPLACE, -1, 0) == at + 4 * PAGE);
	SAY_OK(mmap(at + 3 * PAGE, PAGE, RW, ANON | MAP_FIXED_NOREPLACE, -1, 0));
	SAY_TRUE(all_zero(at + 2 * PAGE, PAGE));
	SAY_TRUE(all_zero(at + 4 * PAGE, 2 * PAGE));
	SAY_TRUE(mmap(at, 9 * PAGE, RW, ANON | MAP_FIXED, -1, 0) == at);
	SAY_TRUE(all_zero(at, 9 * PAGE));
	SAY(munmap(at, 9 * PAGE));
}

static void refusals(void)
{
	char *at = mmap(NULL, PAGE, RW, ANON, -1, 0);
	SAY_OK(mmap(NULL, 0, RW, ANON, -1, 0));
	SAY_OK(mmap(NULL, PAGE, RW, MAP_ANONYMOUS, -1, 0));
	SAY_OK(mmap(at + 1, PAGE, RW, ANON | MAP_FIXED, -1, 0));
	SAY_OK(mmap(NULL, SIZE_MAX - PAGE, RW, ANON, -1, 0));
	SAY_OK(mmap(NULL, PAGE, RW, MAP_PRIVATE, -1, 0));
	SAY_OK(mmap(NULL, PAGE, RW, MAP_PRIVATE, 99, 0));
	SAY(munmap(at + 1, PAGE));
	SAY(munmap(at, 0));
	SAY(mprotect(at + 1, PAGE, PROT_READ));
	SAY(mprotect(at, 0, PROT_READ));
	SAY(munmap(at, PAGE));
	SAY(mprotect(at, PAGE, PROT_READ));
	SAY(msync(at, PAGE, MS_SYNC));
	SAY(madvise(at, PAGE, MADV_DONTNEED));
}

int main(void)
{
	reuse(PAGE);
	reuse(3 * PAGE);
	reuse(2 << 20);
	reuse((2 << 20) + PAGE);
	reuse(5 << 20);
	holes();
	refusals();
	return 0;
}
