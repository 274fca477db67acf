/* SPDX-License-Identifier: MIT */
/* What lies behind the break is not the heap's, whatever is mapped there ahead: a program may put a mapping there,
 * which the heap does not grow over, and what the heap gives back is gone. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096UL

static sigjmp_buf back;

static void caught(int number)
{
	siglongjmp(back, number);
}

static char *page_end(void)
{
	return (char *)(((uintptr_t)sbrk(0) + PAGE - 1) & ~(PAGE - 1));
}

static const char *told(long result)
{
	return result == -1 ? strerror(errno) : "done";
}

static void *put(char *at, size_t bytes, int how)
{
	return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | how, -1, 0);
}

static unsigned long heap_end(void)
{
	unsigned long start, end = 0;
	char line[256];
	FILE *maps = fopen("/proc/self/maps", "r");
	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "[heap]"))
			sscanf(line, "%lx-%lx", &start, &end);
	if (maps)
		fclose(maps);
	return end;
}

int main(void)
{
	unsigned char resident;
	struct sigaction action = {.sa_handler = caught};
	setvbuf(stdout, NULL, _IOLBF, 0);
	free(malloc(1000));
	printf("/proc/self/maps knows where the heap ends: %d\n", heap_end() == (uintptr_t)page_end());
	printf("mincore behind the break: %s\n", told(mincore(page_end(), PAGE, &resident)));
	printf("mprotect behind the break: %s\n", told(mprotect(page_end(), PAGE, PROT_READ)));

	/* Given back. */
	sbrk(3 << 20);
	char *last = (char *)sbrk(0) - 1;
	*last = 1;
	sbrk(-(1 << 20));
	sigaction(SIGSEGV, &action, NULL);
	if (!sigsetjmp(back, 1)) {
		*(volatile char *)last = 2;
		puts("what was given back can be written to");
	} else {
		puts("what was given back is gone");
	}

	/* A mapping where the heap would have grown stays, and is not in the way of what ends before it. */
	char *mine = page_end() + 16 * PAGE;
	printf("a mapping behind the break: %s\n", told((long)put(mine, PAGE, MAP_FIXED_NOREPLACE)));
	strcpy(mine, "mine");
	printf("the heap up to it: %s\n", told((long)sbrk(16 * PAGE - PAGE)));
	printf("the heap over it: %s\n", told((long)sbrk(64 * PAGE)));
	for (int i = 0; i < 100; i++)
		memset(malloc(20000), 'h', 20000);
	printf("the mapping: %s\n", mine);
	sbrk(-(8 * (long)PAGE));
	printf("the mapping when the heap shrinks: %s\n", mine);
	munmap(mine, PAGE);
	printf("the heap over where it was: %s\n", told((long)sbrk(64 * PAGE)));
	/* However far it grows: not over what else is there. */
	void *far = sbrk(0);
	for (uint64_t bytes = 1UL << 46; bytes >= 1UL << 20; bytes /= 2)
		sbrk((intptr_t)bytes);
	brk(far);
	printf("the heap as far as it goes, and back: %s\n", sbrk(0) == far ? "done" : "elsewhere");
	return 0;
}
