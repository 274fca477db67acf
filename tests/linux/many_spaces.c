/* SPDX-License-Identifier: MIT */
/* Many processes at once, and memory of which a page is used here and there: both take many page tables. */
#include <assert.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN 150
#define PLACES 1500
#define APART (2UL << 20)

int main(void)
{
	int ready[2], go[2], status, ended = 0;
	char byte;
	assert(pipe(ready) == 0 && pipe(go) == 0);
	for (int i = 0; i < CHILDREN; i++) {
		pid_t child = fork();
		assert(child >= 0);
		if (child)
			continue;
		close(go[1]);
		_exit(write(ready[1], "x", 1) != 1 || read(go[0], &byte, 1) != 0);
	}
	for (int i = 0; i < CHILDREN; i++)
		assert(read(ready[0], &byte, 1) == 1);
	close(go[1]);
	while (wait(&status) > 0)
		ended += status == 0;
	printf("%d children\n", ended);

	char *memory = mmap(NULL, PLACES * APART, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(memory != MAP_FAILED);
	for (unsigned long i = 0; i < PLACES; i++)
		assert(mprotect(memory + i * APART, 4096, PROT_READ | PROT_WRITE) == 0);
	for (unsigned long i = 0; i < PLACES; i++)
		memory[i * APART] = (char)i;
	for (unsigned long i = 0; i < PLACES; i++)
		assert(memory[i * APART] == (char)i);
	printf("%d places\n", PLACES);
	return 0;
}
