/* SPDX-License-Identifier: MIT */
/* For determinism/random_streams.test. Draws random numbers in a shell-like tree of processes. The arguments choose
 * what happens elsewhere; the lines of output that begin with "watched" come from processes that do not take part in
 * it. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *self;

static void say(const char *what, uint64_t a, uint64_t b)
{
	printf("%s %016lx %016lx\n", what, a, b);
	fflush(stdout);
}

static uint64_t draw(void)
{
	uint64_t number;
	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		abort();
	return number;
}

static void *draw_in_thread(void *unused)
{
	draw();
	return unused;
}

static void disturb(const char *how)
{
	pthread_t thread;
	for (const char *at = how; *at; at++)
		switch (*at) {
		case 'd': /* a draw */
			draw();
			break;
		case 't': /* a thread, which draws */
			if (pthread_create(&thread, NULL, draw_in_thread, NULL) || pthread_join(thread, NULL))
				abort();
			break;
		case 'p': /* a process, which draws and makes another */
			if (!fork()) {
				draw();
				if (!fork()) {
					draw();
					_exit(0);
				};
				wait(NULL);
				_exit(0);
			}
			wait(NULL);
			break;
		}
}

/* What a program finds after execve(2). */
static int show(void)
{
	uint64_t random[2], number;
	memcpy(random, (void *)getauxval(AT_RANDOM), sizeof(random));
	say("watched AT_RANDOM", random[0], random[1]);
	say("watched layout", (uint64_t)show, (uint64_t)&number);
	say("watched program", draw(), draw());
	return 0;
}

static void run_child(const char *how, int shared, int executes)
{
	uint64_t number;
	pid_t child = fork();
	if (child) {
		waitpid(child, NULL, 0);
		return;
	}
	if (executes == 2)
		disturb(how); /* draws before execve(2) have no effect on the program */
	if (executes) {
		execl(self, self, "show", NULL);
		abort();
	}
	if (read(shared, &number, sizeof(number)) != sizeof(number))
		abort();
	say("watched child", draw(), number);
	_exit(0);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	self = "/proc/self/exe";
	if (!strcmp(how, "show"))
		return show();
	int shared = open("/dev/urandom", O_RDONLY);
	pid_t other = fork(); /* the process elsewhere */
	if (!other) {
		uint64_t number;
		disturb(how);
		if (*how && read(shared, &number, sizeof(number)) != sizeof(number))
			abort();
		_exit(0);
	}
	waitpid(other, NULL, 0);
	if (!strchr(how, 'p')) /* a child of this process would change the numbers of the next ones */
		disturb(how);
	run_child(how, shared, 0);
	run_child(how, shared, 1);
	run_child(how, shared, 2);
	say("parent", draw(), draw());
	return 0;
}
