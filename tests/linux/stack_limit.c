/* SPDX-License-Identifier: MIT */
/* The main stack follows RLIMIT_STACK: where execve(2) puts it and the mappings, how far it grows, also beyond its
 * first limit, what a thread's stack has, and how many bytes of arguments fit. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define KIB 1024UL
#define MIB (KIB * KIB)

/* The bounds of the mapping that holds an address. */
static void find(const void *address, unsigned long *start, unsigned long *end)
{
	char line[512];
	FILE *maps = fopen("/proc/self/maps", "r");
	while (fgets(line, sizeof(line), maps)) {
		*start = strtoul(line, NULL, 16);
		*end = strtoul(strchr(line, '-') + 1, NULL, 16);
		if ((unsigned long)address >= *start && (unsigned long)address < *end)
			break;
	}
	fclose(maps);
}

/* Recurses until this many bytes of stack are in use; each call has 10,000. */
static __attribute__((noinline)) int recurse(const char *from, unsigned long bytes)
{
	volatile char room[10000];
	room[0] = 1;
	if ((unsigned long)(from - (const char *)room) >= bytes)
		return room[0];
	return recurse(from, bytes) + room[0];
}

static void *stack_of(void *size)
{
	pthread_attr_t attributes;
	void *at;
	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &at, size);
	pthread_attr_destroy(&attributes);
	return NULL;
}

static unsigned long kib_in_status(const char *name)
{
	char line[256];
	unsigned long kib = 0;
	FILE *status = fopen("/proc/self/status", "r");
	while (fgets(line, sizeof(line), status))
		if (!strncmp(line, name, strlen(name)))
			kib = strtoul(line + strlen(name), NULL, 10);
	fclose(status);
	return kib;
}

/* What a program finds that was started with a limit. It uses `bytes` of its stack, perhaps after a new limit. */
static int executed(unsigned long bytes, unsigned long limit)
{
	unsigned long start, end, own;
	char here;
	pthread_t thread;
	find(&here, &start, &end);
	printf("at 0x%lx, %lu KiB; ", end, (end - start) / KIB);
	printf("VmStk %lu KiB; ", kib_in_status("VmStk:"));
	void *low = malloc(8 * MIB); /* a mapping, for the unlimited stack is above it */
	printf("mappings %s 0x%lx; ", (unsigned long)low > end - 256 * MIB ? "above" : "below", end - 256 * MIB);
	free(low);
	if (!pthread_create(&thread, NULL, stack_of, &own)) {
		pthread_join(thread, NULL);
		printf("a thread has %lu KiB; ", own / KIB);
	}
	if (limit)
		assert(!setrlimit(RLIMIT_STACK, &(struct rlimit){limit, RLIM_INFINITY}));
	printf("%d, ", recurse(&here, bytes) > 0);
	find(&here, &start, &end);
	printf("used: %d\n", end - start >= bytes && end - start <= bytes + MIB);
	return 0;
}

static void run(const char *name, unsigned long limit, unsigned long bytes, unsigned long later)
{
	char numbers[2][32];
	int status;
	printf("%s: ", name);
	fflush(stdout);
	snprintf(numbers[0], sizeof(numbers[0]), "%lu", bytes);
	snprintf(numbers[1], sizeof(numbers[1]), "%lu", later);
	if (!fork()) {
		char *const arguments[] = {"stack_limit", numbers[0], numbers[1], NULL}, *const none[] = {NULL};
		assert(!setrlimit(RLIMIT_STACK, &(struct rlimit){limit, RLIM_INFINITY}));
		execve("/proc/self/exe", arguments, none);
		_exit(1);
	}
	wait(&status);
	if (status)
		printf("signal %d\n", WTERMSIG(status));
}

/* Tries an argument list of so many bytes, most of them in strings of 100 KiB. */
static int takes(unsigned long bytes)
{
	static char string[100 * KIB];
	char *arguments[128] = {"true"}, last[100 * KIB];
	char *const none[] = {NULL};
	unsigned long count = 1, left = bytes - strlen("/bin/true") - 1 - strlen("true") - 1 - sizeof(char *);
	memset(string, 'a', sizeof(string) - 1);
	for (; left > 2 * sizeof(string); left -= sizeof(string) + sizeof(char *))
		arguments[count++] = string;
	left -= sizeof(char *);
	if (left > sizeof(string)) {
		arguments[count++] = string;
		left -= sizeof(string) + sizeof(char *);
	}
	memset(last, 'b', left - 1);
	last[left - 1] = 0;
	arguments[count++] = last;
	int status;
	if (!fork()) {
		execve("/bin/true", arguments, none);
		_exit(errno == E2BIG ? 7 : 8);
	}
	wait(&status);
	return status;
}

static void arguments(const char *name, unsigned long limit, unsigned long most)
{
	if (!fork()) {
		assert(!setrlimit(RLIMIT_STACK, &(struct rlimit){limit, RLIM_INFINITY}));
		printf("%s: %d, %x\n", name, takes(most - 64), takes(most + 64));
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
}

/* What Linux 6.18 gives: for hosts that keep this program from trying. */
static const char expected[] = "8 MiB: at 0x7ffffffff000, 132 KiB; VmStk 132 KiB; mappings above 0x7fffeffff000; a "
			       "thread has 8192 KiB; 1, used: 1\n"
			       "too much: at 0x7ffffffff000, 132 KiB; VmStk 132 KiB; mappings above 0x7fffeffff000; a "
			       "thread has 8192 KiB; signal 11\n"
			       "1 MiB: at 0x7ffffffff000, 132 KiB; VmStk 132 KiB; mappings above 0x7fffeffff000; a "
			       "thread has 1024 KiB; 1, used: 1\n"
			       "raised later: at 0x7ffffffff000, 132 KiB; VmStk 132 KiB; mappings above "
			       "0x7fffeffff000; a thread has 1024 KiB; 1, used: 1\n"
			       "lowered later: at 0x7ffffffff000, 132 KiB; VmStk 132 KiB; mappings above "
			       "0x7fffeffff000; a thread has 8192 KiB; signal 11\n"
			       "64 MiB: at 0x7ffffffff000, 132 KiB; VmStk 132 KiB; mappings above 0x7fffeffff000; a "
			       "thread has 65536 KiB; 1, used: 1\n"
			       "unlimited: at 0x7ffffffff000, 132 KiB; VmStk 132 KiB; mappings below 0x7fffeffff000; a "
			       "thread has 2048 KiB; 1, used: 1\n"
			       "8 MiB: 0, 700\n"
			       "64 MiB: 0, 700\n"
			       "256 KiB: 0, 700\n"
			       "unlimited: 0, 700\n";

int main(int count, char **strings)
{
	struct rlimit limit;
	setvbuf(stdout, NULL, _IONBF, 0);
	if (count > 1)
		return executed(strtoul(strings[1], NULL, 10), strtoul(strings[2], NULL, 10));
	getrlimit(RLIMIT_STACK, &limit);
	if (limit.rlim_max != RLIM_INFINITY || personality(ADDR_NO_RANDOMIZE) == -1)
		return fputs(expected, stdout) < 0;
	run("8 MiB", 8 * MIB, 7 * MIB, 0);
	run("too much", 8 * MIB, 9 * MIB, 0);
	run("1 MiB", MIB, 900 * KIB, 0);
	run("raised later", MIB, 20 * MIB, 24 * MIB);
	run("lowered later", 8 * MIB, 3 * MIB, 2 * MIB);
	run("64 MiB", 64 * MIB, 60 * MIB, 0);
	run("unlimited", RLIM_INFINITY, 150 * MIB, 0);
	arguments("8 MiB", 8 * MIB, 2 * MIB);
	arguments("64 MiB", 64 * MIB, 6 * MIB);
	arguments("256 KiB", 256 * KIB, 128 * KIB);
	arguments("unlimited", RLIM_INFINITY, 6 * MIB);
	return 0;
}
