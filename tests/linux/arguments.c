/* SPDX-License-Identifier: MIT */
/* What execve takes: strings of 128 KiB, as many as fit into a quarter of the stack with their pointers, and none. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a program that was given strings says of them. */
static int tell(int argc, char **argv, char **environment)
{
	unsigned long bytes = 0, others = 0, names = 0;
	for (int i = 0; i < argc; i++)
		bytes += strlen(argv[i]) + 1;
	for (; environment[names]; names++)
		others += strlen(environment[names]) + 1;
	printf("%d arguments of %lu bytes, %lu names of %lu\n", argc, bytes, names, others);
	return 0;
}

static void run(char **arguments, char **environment)
{
	int status;
	fflush(stdout);
	if (!fork()) {
		execve("/proc/self/exe", arguments, environment);
		printf("%s\n", strerrorname_np(errno));
		fflush(stdout);
		_exit(0);
	}
	assert(wait(&status) > 0);
	if (status)
		printf("status 0x%x\n", status);
}

/* `count` strings of a length, as arguments or as the environment. */
static void run_with(unsigned count, unsigned length, char **others, int as_environment)
{
	char **strings = malloc((count + 2UL) * sizeof(*strings)), *string = malloc(length + 1UL);
	assert(strings && string);
	memset(string, 'a', length);
	string[length] = 0;
	strings[0] = "first";
	for (unsigned i = 1; i <= count; i++)
		strings[i] = string;
	strings[count + 1] = NULL;
	if (as_environment)
		run(others, strings);
	else
		run(strings, others);
	free(strings);
	free(string);
}

int main(int argc, char **argv, char **environment)
{
	static const unsigned numbers[][2] = {{1, 1},      {1, 131071}, {1, 131072}, {15, 131071}, {16, 131071},
	                                      {70000, 9},  {100000, 9}, {110000, 9}, {120000, 9},  {200000, 1},
	                                      {209700, 1}, {210000, 1}, {232000, 0}, {234000, 0},  {2000000, 0}};
	char *const one[] = {"child", NULL}, *const none[] = {NULL};
	if (argc == 1 && !argv[0][0])
		return printf("no arguments: ") < 0 || tell(argc, argv, environment);
	if (argc > 1 || !strcmp(argv[0], "child"))
		return tell(argc, argv, environment);
	struct rlimit limit;
	getrlimit(RLIMIT_STACK, &limit);
	limit.rlim_cur = 8 << 20;
	assert(!setrlimit(RLIMIT_STACK, &limit));
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		printf("%u of %u: ", numbers[i][0], numbers[i][1]);
		run_with(numbers[i][0], numbers[i][1], (char **)none, 0);
		printf("as environment: ");
		run_with(numbers[i][0], numbers[i][1], (char **)one, 1);
	}
	run((char **)none, (char **)none);
	run(NULL, NULL);
	return 0;
}
