/* SPDX-License-Identifier: MIT */
/* Children that cut large pieces of memory into small ones, and end: whatever that takes is there for the next one. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCK (2UL << 20)
#define PAGE 4096UL
#define BLOCKS 3

int main(void)
{
	char *memory = mmap(NULL, (BLOCKS + 1) * BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(memory != MAP_FAILED);
	memory = (char *)(((unsigned long)memory + BLOCK - 1) & ~(BLOCK - 1));
	memset(memory, 1, BLOCKS * BLOCK);
	for (int i = 0; i < 400; i++) {
		int status;
		pid_t child = fork();
		assert(child >= 0);
		if (!child) {
			for (char *at = memory; at < memory + BLOCKS * BLOCK; at += BLOCK) {
				int error = i % 2 ? munmap(at + PAGE, PAGE) : mprotect(at + PAGE, PAGE, PROT_READ);
				if (error || at[0] != 1 || at[2 * PAGE] != 1)
					_exit(1);
				at[0] = 2;
			}
			_exit(0);
		}
		assert(waitpid(child, &status, 0) == child);
		if (status) {
			printf("child %d: status %#x\n", i, (unsigned)status);
			return 1;
		}
	}
	assert(memory[0] == 1);
	puts("400 children");
	return 0;
}
