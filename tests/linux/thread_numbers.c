/* SPDX-License-Identifier: MIT */
/* natively: nice 0 */
/* The number of a thread that is not its process's first, where calls take one. */
#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

static _Atomic pid_t tid;
static pthread_barrier_t both;

static void *wait_for_end(void *unused)
{
	(void)unused;
	tid = (pid_t)syscall(SYS_gettid);
	pthread_setname_np(pthread_self(), "other");
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&both);
	return NULL;
}

static void priorities(void)
{
	SAY(setpriority(PRIO_PROCESS, tid, 5));
	SAY(getpriority(PRIO_PROCESS, tid));
	SAY(getpriority(PRIO_PROCESS, 0));
	SAY(getpriority(PRIO_PROCESS, getpid()));
	SAY(setpriority(PRIO_PGRP, 0, 7));
	SAY(getpriority(PRIO_PROCESS, tid));
	SAY(syscall(SYS_ioprio_set, 1, tid, 2 << 13 | 3));
	SAY(syscall(SYS_ioprio_get, 1, tid));
	SAY(syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 2));
	SAY(syscall(SYS_ioprio_get, 1, tid));
	SAY(syscall(SYS_ioprio_get, 1, getpid()));
}

static volatile sig_atomic_t signals;

static void count(int sig)
{
	(void)sig;
	signals++;
}

static void processes(void)
{
	struct rlimit limit, own;
	SAY(prlimit(tid, RLIMIT_NOFILE, NULL, &limit));
	getrlimit(RLIMIT_NOFILE, &own);
	SAY_TRUE(limit.rlim_cur == own.rlim_cur);
	SAY(prlimit(tid, RLIMIT_NOFILE, &(struct rlimit){50, limit.rlim_max}, NULL));
	SAY(prlimit(tid, RLIMIT_CPU, &(struct rlimit){1000, RLIM_INFINITY}, NULL));
	getrlimit(RLIMIT_NOFILE, &own);
	SAY(own.rlim_cur);
	SAY(dup2(0, 50));
	SAY_TRUE(getpgid(tid) == getpgid(0));
	SAY_TRUE(getsid(tid) == getsid(0));
	SAY(setpgid(tid, 0));
	SAY(kill(tid, 0));
	signal(SIGUSR1, count);
	SAY(kill(tid, SIGUSR1));
	SAY(sigqueue(getpid(), SIGUSR1, (union sigval){0}));
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, tid};
	struct __user_cap_data_struct data[2];
	SAY(syscall(SYS_capget, &header, data));
	header.pid = 999999;
	SAY(syscall(SYS_capget, &header, data));
}

static void owners(void)
{
	int pipes[2];
	pipe(pipes);
	SAY(fcntl(pipes[0], F_SETOWN, tid));
	SAY_TRUE(fcntl(pipes[0], F_GETOWN) == 0);
	SAY(fcntl(pipes[0], F_SETOWN, 999999));
	SAY(fcntl(pipes[0], F_SETOWN, getpid()));
	SAY_TRUE(fcntl(pipes[0], F_GETOWN) == getpid());
	close(pipes[0]), close(pipes[1]);
}

static void show(const char *name, const char *wanted)
{
	char path[64], line[1024], comm[32];
	int pid;
	snprintf(path, sizeof(path), "/proc/%d/%s", tid, name);
	printf("%s: %s\n", name, access(path, R_OK) ? errno_name(errno) : "readable");
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, wanted, strlen(wanted))) {
			if (sscanf(line, "Tgid: %d", &pid) == 1)
				printf("first: %d\n", pid == getpid());
			else if (sscanf(line, "Pid: %d", &pid) == 1 || sscanf(line, "%d (%16[^)])", &pid, comm) == 2)
				printf("itself: %d\n", pid == tid);
			else
				printf("%s", line);
		}
	if (file)
		fclose(file);
}

static void in_proc(void)
{
	show("comm", "");
	show("stat", "");
	show("status", "Tgid:");
	show("status", "Pid:");
	show("status", "Name:");
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/task/%d", tid, getpid());
	SAY(access(path, F_OK));
	DIR *proc = opendir("/proc");
	int listed = 0, first = 0;
	for (struct dirent *entry; (entry = readdir(proc));) {
		listed += atoi(entry->d_name) == tid;
		first += atoi(entry->d_name) == getpid();
	}
	closedir(proc);
	printf("listed: %d %d\n", listed, first);
	show("comm", "");
}

int main(void)
{
	pthread_t thread;
	setpgid(0, 0);
	pthread_barrier_init(&both, NULL, 2);
	sigset_t user;
	sigemptyset(&user);
	sigaddset(&user, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &user, NULL); /* in the other thread for good */
	pthread_create(&thread, NULL, wait_for_end, NULL);
	pthread_sigmask(SIG_UNBLOCK, &user, NULL);
	pthread_barrier_wait(&both);
	priorities();
	processes();
	owners();
	in_proc();
	pthread_barrier_wait(&both);
	pthread_join(thread, NULL);
	printf("signals: %d\n", signals);
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d", tid);
	/* Linux's join may come before its end. */
	for (int i = 0; i < 1000 && !access(path, F_OK); i++)
		usleep(1000);
	SAY(access(path, F_OK));
	SAY(kill(tid, 0));
	SAY(getpriority(PRIO_PROCESS, tid));
	return 0;
}
