/* SPDX-License-Identifier: MIT */
/* A main thread that has ended stays in /proc as a zombie, and can be sent signals, which it does not heed, until its
 * process has been waited for (pthread_exit(3), proc(5)). */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

static volatile sig_atomic_t heard;

static void on_signal(int sig)
{
	(void)sig;
	heard = (int)gettid();
}

/* The state, and the number of threads, that a stat file tells; '?' if there is none. */
static char state_of(const char *path, int *threads)
{
	char text[1024], state = '?';
	FILE *file = fopen(path, "r");
	size_t length = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
	if (file)
		fclose(file);
	text[length] = 0;
	char *after = strrchr(text, ')');
	if (after)
		sscanf(after + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d", &state,
		       threads);
	return state;
}

/* What begins a line of a status file. */
static void show_line(const char *path, const char *begin)
{
	char line[256];
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, begin, strlen(begin)))
			printf("%s", line);
	if (file)
		fclose(file);
}

/* How many threads a process's directory has, and whether the first is among them, before the others. */
static void show_tasks(pid_t pid)
{
	char path[64];
	int count = 0, first = 0;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	DIR *dir = opendir(path);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		if (entry->d_name[0] == '.')
			continue;
		first |= atoi(entry->d_name) == pid && !count;
		count++;
	}
	if (dir)
		closedir(dir);
	printf("%d tasks, it is the first: %d\n", count, first);
}

static void show(pid_t pid)
{
	char path[64];
	int threads = 0;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, pid);
	printf("state %c", state_of(path, &threads));
	printf(", %d threads\n", threads);
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	printf("its process: state %c", state_of(path, &threads));
	printf(", %d threads\n", threads);
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	show_line(path, "State:");
	show_line(path, "Threads:");
	show_line(path, "VmSize:");
	show_tasks(pid);
}

static void children(void)
{
	siginfo_t info;
	pid_t child = fork();
	if (!child)
		_exit(0);
	assert(!waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT));
	show(child);
	printf("signal 0: %ld", syscall(SYS_tgkill, child, child, 0));
	printf(", SIGKILL: %ld\n", syscall(SYS_tkill, child, SIGKILL));
	assert(waitpid(child, NULL, 0) == child);
	SAY(syscall(SYS_tgkill, child, child, 0));
	show_tasks(child);
}

static void *go_on(void *unused)
{
	char path[64];
	int threads;
	pid_t pid = getpid();
	(void)unused;
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", pid);
	while (state_of(path, &threads) != 'Z')
		usleep(1000);
	show(pid);
	snprintf(path, sizeof(path), "/proc/thread-self/stat");
	printf("the other: state %c\n", state_of(path, &threads));
	signal(SIGUSR1, on_signal);
	SAY(syscall(SYS_tgkill, pid, pid, 0));
	SAY(syscall(SYS_tgkill, pid, pid, SIGUSR1));
	SAY(syscall(SYS_tkill, pid, 100));
	SAY(syscall(SYS_tgkill, pid + 1000, pid, 0));
	printf("heard: %d\n", heard != 0);
	SAY(kill(pid, SIGUSR1));
	printf("heard by the other: %d\n", heard == gettid());
	children();
	fflush(stdout);
	exit(3);
}

int main(void)
{
	pthread_t thread;
	assert(!pthread_create(&thread, NULL, go_on, NULL));
	pthread_exit(NULL);
}
