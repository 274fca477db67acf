/* SPDX-License-Identifier: MIT */
/* mremap: shrink, grow in place, grow by moving, move to a given place; contents stay and what is new is zero. */
#include <sys/mman.h>

#include "say.h"

#define PAGE 4096UL
#define RW (PROT_READ | PROT_WRITE)
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)

static void number_pages(char *at, unsigned pages)
{
	for (unsigned i = 0; i < pages; i++)
		memset(at + i * PAGE, (int)i + 1, PAGE);
}

static void show(const char *what, const char *at, unsigned pages)
{
	printf("%-12s", what);
	for (unsigned i = 0; i < pages; i++)
		printf(" %d%s", at[i * PAGE], at[i * PAGE] == at[i * PAGE + PAGE - 1] ? "" : "!");
	putchar('\n');
}

static void in_blocks(void)
{
	size_t bytes = 5 << 20;
	char *at = mmap(NULL, bytes, RW, ANON, -1, 0);
	char *end = mmap(at + bytes, PAGE, RW, ANON | MAP_FIXED, -1, 0);
	for (size_t i = 0; i < bytes; i += PAGE)
		*(size_t *)(at + i) = i;
	char *moved = mremap(at, bytes, 2 * bytes, MREMAP_MAYMOVE);
	SAY_TRUE(moved != MAP_FAILED && moved != at);
	int good = 1;
	for (size_t i = 0; i < 2 * bytes; i += PAGE)
		good &= *(size_t *)(moved + i) == (i < bytes ? i : 0);
	SAY_TRUE(good);
	SAY(munmap(moved, 2 * bytes));
	SAY(munmap(end, PAGE));
}

int main(void)
{
	char *space = mmap(NULL, 64 * PAGE, PROT_NONE, ANON, -1, 0);
	char *at = mmap(space, 8 * PAGE, RW, ANON | MAP_FIXED, -1, 0);
	number_pages(at, 8);
	SAY_TRUE(mremap(at, 8 * PAGE, 5 * PAGE, 0) == at);
	show("shrunk", at, 5);
	SAY_TRUE(mremap(at, 5 * PAGE, 5 * PAGE, 0) == at);
	SAY_TRUE(mremap(at, 5 * PAGE, 8 * PAGE, 0) == at);
	show("grown", at, 8);
	SAY_OK(mremap(at, 8 * PAGE, 9 * PAGE, 0));
	char *to = space + 20 * PAGE;
	SAY_TRUE(mremap(at, 8 * PAGE, 10 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to);
	show("moved", to, 10);
	SAY_TRUE(mremap(to, 10 * PAGE, 3 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, at) == at);
	show("moved back", at, 3);
	SAY_OK(mremap(to, PAGE, 2 * PAGE, MREMAP_MAYMOVE));
	SAY_OK(mremap(at + 1, PAGE, 2 * PAGE, MREMAP_MAYMOVE));
	SAY_OK(mremap(at, PAGE, 0, MREMAP_MAYMOVE));
	SAY_OK(mremap(at, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, at + PAGE));
	SAY_OK(mremap(at, PAGE, PAGE, MREMAP_FIXED, to));
	SAY_OK(mremap(at, PAGE, PAGE, 64));
	in_blocks();
	return 0;
}
