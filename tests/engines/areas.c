/* SPDX-License-Identifier: MIT */
/* As many areas of memory as Linux allows a process (vm.max_map_count, 65530): every other page is read-only. What it
 * says does not tell how many there are, for that differs by those that a process has from the start. */
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>

#define PAGE 4096UL
#define PAGES 66000UL

static char value(unsigned long page)
{
	return (char)(page * 7 + page / 256);
}

int main(void)
{
	unsigned long wrong = 0, changed = 0;
	char *at = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return 2;
	for (unsigned long i = 0; i < PAGES; i++)
		at[i * PAGE] = value(i);
	while (changed < PAGES && !mprotect(at + changed * PAGE, PAGE, PROT_READ))
		changed += 2;
	for (int round = 0; round < 3; round++)
		for (unsigned long i = 0; i < PAGES; i++) {
			wrong += at[i * PAGE] != value(i);
			if (i % 2)
				at[i * PAGE] = value(i);
		}
	printf("%lu pages are wrong, %s changed, then error %d\n", wrong, changed > 64000 ? "many were" : "few were",
	       changed < PAGES ? errno : ENOMEM);
	return 0;
}
