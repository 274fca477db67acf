/* SPDX-License-Identifier: MIT */
/* Mappings that grow page by page, as realloc has them, past the place below which new ones begin; and one that moves
 * to directly beside itself. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096UL
#define RW (PROT_READ | PROT_WRITE)
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)

static int holds(const char *at, unsigned pages, int first)
{
	for (unsigned i = 0; i < pages; i++)
		if (at[i * PAGE] != (char)(first + (int)i) || at[i * PAGE + PAGE - 1] != (char)(first + (int)i))
			return 0;
	return 1;
}

static void number(char *at, unsigned pages, int first)
{
	for (unsigned i = 0; i < pages; i++)
		memset(at + i * PAGE, first + (int)i, PAGE);
}

static void grow(void)
{
	unsigned pages = 12;
	int good = 1;
	char *at = mmap(NULL, pages * PAGE, RW, ANON, -1, 0), *others[8];
	number(at, pages, 1);
	for (unsigned i = 0; i < 8; i++) {
		for (unsigned end = pages + 5; pages < end; pages++) {
			at = mremap(at, pages * PAGE, (pages + 1) * PAGE, MREMAP_MAYMOVE);
			if (at == MAP_FAILED) {
				perror("mremap");
				return;
			}
			number(at + pages * PAGE, 1, 1 + (int)pages);
		}
		others[i] = mmap(NULL, (40 + i) * PAGE, RW, ANON, -1, 0);
		memset(others[i], 100 + (int)i, (40 + i) * PAGE);
		good &= holds(at, pages, 1);
	}
	for (unsigned i = 0; i < 8; i++)
		good &= others[i][0] == 100 + (int)i && others[i][(40 + i) * PAGE - 1] == 100 + (int)i;
	printf("grown: %d\n", good);
}

static void beside(void)
{
	char *space = mmap(NULL, 16 * PAGE, PROT_NONE, ANON, -1, 0);
	char *at = mmap(space + 6 * PAGE, 2 * PAGE, RW, ANON | MAP_FIXED, -1, 0), *to;
	number(at, 2, 1);
	to = mremap(at, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, at - 2 * PAGE);
	printf("below: %d %d\n", to == at - 2 * PAGE, holds(to, 2, 1));
	at = to;
	to = mremap(at, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, at + 2 * PAGE);
	printf("above: %d %d\n", to == at + 2 * PAGE, holds(to, 2, 1));
	at = to;
	to = mremap(at, 2 * PAGE, 4 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, at - 4 * PAGE);
	printf("below, and grown: %d %d %d\n", to == at - 4 * PAGE, holds(to, 2, 1), to[3 * PAGE]);
	printf("protected: %d\n", mprotect(to, 4 * PAGE, PROT_READ));
	printf("where it was: %d\n", mprotect(at, 2 * PAGE, PROT_READ));
}

int main(void)
{
	grow();
	beside();
	return 0;
}
