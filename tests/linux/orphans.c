/* SPDX-License-Identifier: MIT */
/* A group that stands still gets SIGHUP and SIGCONT when it loses the last process outside of it that could let it go
 * on: a parent of one of its members, or a member that had such a parent. Others get nothing. */
#include <assert.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *text)
{
	assert(write(1, text, strlen(text)) == (ssize_t)strlen(text));
}

static void on_signal(int sig)
{
	say(sig == SIGHUP ? "SIGHUP\n" : "SIGCONT\n");
}

/* A grandchild that stops itself, in a group of its own, if that is asked for, and what it does when it goes on. */
static pid_t start_stopped(bool own_group, int end)
{
	pid_t pid = fork();
	if (pid)
		return pid;
	if (own_group)
		setpgid(0, 0);
	raise(SIGSTOP);
	say("goes on\n");
	close(end);
	_exit(0);
}

/* In a session of its own: the leader's child, in a group of its own, has a child that stops, and ends. */
static void lose_parent(bool child_has_own_group)
{
	int ends[2], status;
	char byte;
	assert(!pipe(ends));
	if (!fork()) {
		close(ends[0]);
		setsid();
		pid_t middle = fork();
		if (!middle) {
			setpgid(0, 0);
			pid_t last = start_stopped(child_has_own_group, ends[1]);
			assert(waitpid(last, &status, WUNTRACED) == last && WIFSTOPPED(status));
			_exit(0);
		}
		assert(waitpid(middle, &status, 0) == middle);
		_exit(0);
	}
	assert(wait(&status) > 0);
	close(ends[1]);
	assert(read(ends[0], &byte, 1) == 0); /* all have ended */
	close(ends[0]);
}

/* The same group, but its parent stays: nothing happens until that lets it go on. */
static void keep_parent(void)
{
	int ends[2], status;
	char byte;
	assert(!pipe(ends));
	if (!fork()) {
		setsid();
		pid_t last = start_stopped(true, ends[1]);
		assert(waitpid(last, &status, WUNTRACED) == last && WIFSTOPPED(status));
		pid_t other = fork();
		if (!other)
			_exit(0);
		assert(waitpid(other, &status, 0) == other);
		say("lets it go on\n");
		kill(last, SIGCONT);
		assert(waitpid(last, &status, 0) == last);
		_exit(0);
	}
	assert(wait(&status) > 0);
	close(ends[1]);
	assert(read(ends[0], &byte, 1) == 0);
	close(ends[0]);
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigfillset(&action.sa_mask);
	sigaction(SIGHUP, &action, NULL);
	sigaction(SIGCONT, &action, NULL);
	say("its last member outside ends, in its group\n");
	lose_parent(false);
	say("its parent ends, in another group\n");
	lose_parent(true);
	say("nobody ends\n");
	keep_parent();
	return 0;
}
