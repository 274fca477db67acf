/* SPDX-License-Identifier: MIT */
/* A process whose pages lie in memory in such an order that no two neighbours can be mapped together: more of them than
 * Linux allows a process areas (vm.max_map_count, 65530). To Linux, and to the program, they are one area. */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096UL
#define PAGES 70001UL
#define STRIDE 7919UL /* prime to PAGES */

static char value(unsigned long page)
{
	return (char)(page * 7 + page / 256);
}

int main(void)
{
	char *at = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return 2;
	for (unsigned long i = 0; i < PAGES; i++)
		at[i * PAGE] = (char)~value(i);
	pid_t child = fork();
	if (child == 0) {
		unsigned long wrong = 0;
		for (unsigned long i = 0; i < PAGES; i++) /* each write takes the next free frame */
			at[i * STRIDE % PAGES * PAGE] = value(i * STRIDE % PAGES);
		for (int round = 0; round < 2; round++)
			for (unsigned long i = 0; i < PAGES; i++)
				wrong += at[i * PAGE] != value(i);
		printf("%lu pages are wrong in the child\n", wrong);
		fflush(stdout);
		_exit(0);
	}
	int status;
	unsigned long wrong = 0;
	if (waitpid(child, &status, 0) != child || status)
		return 3;
	for (unsigned long i = 0; i < PAGES; i++)
		wrong += at[i * PAGE] != (char)~value(i);
	printf("%lu pages are wrong in the parent\n", wrong);
	return 0;
}
