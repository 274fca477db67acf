/* SPDX-License-Identifier: MIT */
/* A process: constructors, thread-local storage, environment, memory, jumps, exit handlers, its exit status. */
#include <errno.h>
#include <malloc.h>
#include <pwd.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

static int order;
static int first_at, second_at;
static _Thread_local int counter = 41;
static _Thread_local char empty[1000];
static _Thread_local alignas(256) struct {
	double value;
	int tail;
} aligned = {2.5, 7};

__attribute__((constructor(200))) static void second(void)
{
	second_at = ++order;
}

__attribute__((constructor(150))) static void first(void)
{
	first_at = ++order;
}

__attribute__((destructor)) static void last(void)
{
	printf("destructor\n");
}

static void handler_one(void)
{
	printf("exit handler one\n");
}

static void handler_two(void)
{
	printf("exit handler two\n");
}

static void storage(void)
{
	int zeros = 1;
	for (size_t i = 0; i < sizeof(empty); i++)
		zeros &= empty[i] == 0;
	printf("%d %d %g %d %d\n", ++counter, zeros, aligned.value, aligned.tail, (uintptr_t)&aligned % 256 == 0);
	printf("%d %d\n", first_at, second_at);
}

static void environment(void)
{
	setenv("EREMITE_TEST", "one", 0);
	setenv("EREMITE_TEST", "two", 0);
	printf("%s", getenv("EREMITE_TEST"));
	setenv("EREMITE_TEST", "three", 1);
	printf(" %s", getenv("EREMITE_TEST"));
	putenv((char *)"EREMITE_TEST=four");
	printf(" %s", getenv("EREMITE_TEST"));
	unsetenv("EREMITE_TEST");
	printf(" %d %d\n", getenv("EREMITE_TEST") == NULL, setenv("a=b", "c", 1) < 0 && errno == EINVAL);
}

static void memory(void)
{
	unsigned char *block[300];
	unsigned sum = 0;
	for (int i = 0; i < 300; i++) {
		block[i] = malloc((size_t)(i * i % 5000 + 1));
		memset(block[i], i, (size_t)(i * i % 5000 + 1));
	}
	for (int i = 0; i < 300; i += 2)
		free(block[i]);
	for (int i = 1; i < 300; i += 2) {
		block[i] = realloc(block[i], 9000);
		sum += block[i][0] + block[i][i * i % 5000];
		free(block[i]);
	}
	char *zeros = calloc(1000, 100);
	for (int i = 0; i < 100000; i++)
		sum += (unsigned)zeros[i];
	free(zeros);
	void *at = NULL;
	int error = posix_memalign(&at, 4096, 100);
	printf("%u %d %d %d\n", sum, error, (uintptr_t)at % 4096 == 0, posix_memalign(&at, 3, 1) == EINVAL);
	volatile size_t huge = SIZE_MAX / 2;
	errno = 0;
	printf("%d", malloc(huge) == NULL);
	printf(" %d %d\n", errno == ENOMEM, calloc(huge, 4) == NULL);
	char *big = malloc(100 << 20);
	big[0] = big[(100 << 20) - 1] = 1;
	printf("%d\n", big[0] + big[(100 << 20) - 1]);
	free(big);
}

static void jumps(void)
{
	jmp_buf env;
	volatile int round = 0;
	int value = setjmp(env);
	printf("jump %d\n", value);
	if (round++ < 2)
		longjmp(env, round);
}

static void identity(void)
{
	struct utsname name;
	struct rlimit limit;
	struct passwd *user = getpwuid(0);
	printf("%d %d %d\n", uname(&name), getrlimit(RLIMIT_NOFILE, &limit),
	       user != NULL && strcmp(user->pw_name, "root") == 0);
	printf("%d %ld %ld\n", getpagesize(), sysconf(_SC_PAGESIZE), sysconf(_SC_CLK_TCK));
	printf("%d %d\n", getpid() > 0, waitpid(-1, NULL, 0) < 0 && errno == ECHILD);
	printf("%d %s\n", isatty(100), strerror(errno));
}

int main(int argc, char **argv)
{
	printf("%d %d\n", argc, argv[argc] == NULL);
	storage();
	environment();
	memory();
	jumps();
	identity();
	atexit(handler_one);
	atexit(handler_two);
	fflush(stdout);
	return 0;
}
