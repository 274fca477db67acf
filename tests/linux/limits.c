/* SPDX-License-Identifier: MIT */
/* Resource limits: each process has its own, which its children and what it executes begin with. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

static void show(const char *who, pid_t pid)
{
	struct rlimit limit;
	if (prlimit(pid, RLIMIT_NOFILE, NULL, &limit))
		printf("%s: %s\n", who, errno_name(errno));
	else
		printf("%s: %lu %d\n", who, limit.rlim_cur, (long)limit.rlim_max < 0 ? -1 : 0);
	fflush(stdout);
}

static void set(int resource, rlim_t soft)
{
	struct rlimit limit;
	getrlimit(resource, &limit);
	limit.rlim_cur = soft;
	SAY(setrlimit(resource, &limit));
}

/* A child lowers its own, and has its parent's where it has not. */
static void own(void)
{
	set(RLIMIT_NOFILE, 50);
	pid_t child = fork();
	if (child == 0) {
		show("child", 0);
		set(RLIMIT_NOFILE, 20);
		SAY(dup2(0, 30));
		if (fork() == 0) {
			show("grandchild", getpid());
			_exit(0);
		}
		wait(NULL);
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	show("parent", 0);
	SAY(dup2(0, 30));
	SAY(dup2(0, 50));
	close(30);
}

/* Another's, by its number. */
static void other(void)
{
	int ends[2], back[2];
	char byte;
	pipe(ends), pipe(back);
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		close(ends[1]);
		read(ends[0], &byte, 1);
		show("child after", 0);
		SAY(dup2(0, 45));
		fflush(stdout);
		write(back[1], "x", 1);
		pause();
	}
	struct rlimit limit = {40, 50};
	show("child", child);
	SAY(prlimit(child, RLIMIT_NOFILE, &limit, NULL) == 0);
	fflush(stdout);
	write(ends[1], "x", 1);
	read(back[0], &byte, 1);
	show("parent", getpid());
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	show("ended", child);
	SAY(prlimit(-1, RLIMIT_NOFILE, NULL, &limit));
	SAY(prlimit(-1, 99, NULL, &limit));
}

/* What takes another mapping's place takes its share: near the top, too, sums do not wrap. */
static void space(void)
{
	set(RLIMIT_AS, RLIM_INFINITY - 1);
	char *all = mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	SAY(mmap(all + 4096, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == all + 4096);
	SAY(munmap(all, 1 << 20));
	set(RLIMIT_AS, RLIM_INFINITY);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		show("executed", 0);
		return 0;
	}
	own();
	other();
	space();
	fflush(stdout);
	return execv(argv[0], (char *[]){argv[0], "again", NULL});
}
