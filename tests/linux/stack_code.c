/* SPDX-License-Identifier: MIT */
/* Code on stacks: functions within functions, whose addresses are those of a few instructions in their frames, on the
 * main stack and on a thread's; and a stack that becomes executable as the program runs. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int sum(int (*f)(int), int n)
{
	int all = 0;
	for (int i = 0; i < n; i++)
		all += f(i);
	return all;
}

static void *in_thread(void *factor)
{
	int by = *(int *)factor;
	int times(int x)
	{
		return x * by;
	}
	printf("in a thread: %d\n", sum(times, 10));
	return NULL;
}

static int nest(int depth, int (*outer)(int))
{
	int inner(int x)
	{
		return outer(x) + depth;
	}
	return depth ? nest(depth - 1, inner) : outer(1);
}

static void in_handler(int sig)
{
	int plus(int x)
	{
		return x + sig;
	}
	printf("in a handler: %d\n", sum(plus, 3));
}

/* What /proc tells of the main stack. */
static void print_protection(void)
{
	char line[400];
	FILE *maps = fopen("/proc/self/maps", "r");
	assert(maps);
	while (fgets(line, sizeof(line), maps))
		if (strstr(line, "[stack]"))
			printf("stack: %.4s\n", strchr(line, ' ') + 1);
	fclose(maps);
}

int main(int argc, char **argv)
{
	int by = 3, status, keys[] = {3, 1, 2};
	pthread_t thread;
	(void)argv;
	int compare(const void *a, const void *b)
	{
		return argc * (*(const int *)a - *(const int *)b);
	}
	int id(int x)
	{
		return x + argc;
	}
	qsort(keys, 3, sizeof(*keys), compare);
	printf("sorted: %d %d %d\n", keys[0], keys[1], keys[2]);
	printf("nested: %d\n", nest(40, id));
	pthread_create(&thread, NULL, in_thread, &by);
	pthread_join(thread, NULL);
	signal(SIGUSR1, in_handler);
	raise(SIGUSR1);
	print_protection();
	fflush(stdout);
	if (!fork()) {
		printf("in a child: %d\n", nest(3, id));
		fflush(stdout);
		_exit(0);
	}
	assert(wait(&status) > 0 && !status);
	/* Not executable any more, and again. */
	unsigned char code[16] = {0xb8, 42, 0, 0, 0, 0xc3};
	char *page = (char *)((unsigned long)argv & ~4095UL);
	assert(!mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_GROWSDOWN));
	print_protection();
	if (!fork())
		_exit(((int (*)(void))(void *)code)());
	assert(wait(&status) > 0);
	printf("signal %d\n", WTERMSIG(status));
	assert(!mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC | PROT_GROWSDOWN));
	printf("%d\n", ((int (*)(void))(void *)code)());
	return 0;
}
