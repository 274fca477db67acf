/* SPDX-License-Identifier: MIT */
/* fuzz_calls SEED ROUNDS PROCESSES STEPS [KIND]: makes calls that the seed chooses on terminals, inotify, sockets,
 * netlink, IPC and timers, in PROCESSES processes at once of several threads each. Prints for each round how the
 * processes ended and how much memory is free; ends with 1 if a process dies by a fault or memory gets less from round
 * to round. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/fuzz/guest/calls.h"

#define THREADS 3
#define TICK_NS 2000000 // a call that waits is interrupted after this time at the latest
#define LEAST_ROUNDS 4  // before memory is compared: caches fill
#define SLACK_KB 256    // of one round more or less

static void (*const kinds[])(void) = {calls_terminal, calls_notify, calls_message, calls_netlink,
                                      calls_ipc,      calls_clock,  calls_mixed};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static int only_kind;
static long steps;

static void on_signal(int number)
{
	(void)number;
}

/* All signals are taken, without restart, but faults and those that cannot be. */
static void take_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	for (int i = 1; i <= 64; i++)
		if (i != SIGSEGV && i != SIGBUS && i != SIGILL && i != SIGFPE && i != SIGABRT && i != SIGCHLD &&
		    i != SIGTRAP)
			sigaction(i, &action, NULL);
}

/* Interrupts this thread again and again. */
static void begin_ticks(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 3};
	struct itimerspec value = {{0, TICK_NS}, {0, TICK_NS}};
	int id;
	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &id) == 0)
		syscall(SYS_timer_settime, id, 0, &value, NULL);
}

/* A child that makes a few of the calls on what it has inherited, and is sometimes killed meanwhile. */
static void have_child(void (*call)(void))
{
	uint64_t seed = calls_random();
	pid_t child = fork();
	if (child == 0) {
		calls_state = seed;
		begin_ticks();
		for (unsigned i = calls_below(20); i > 0; i--)
			call();
		_exit(0);
	}
	if (child < 0)
		return;
	if (CALLS_RARELY(3))
		kill(child, SIGKILL);
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
}

static void *make_calls(void *seed)
{
	calls_state = (uintptr_t)seed;
	begin_ticks();
	void (*favourite)(void) = kinds[only_kind >= 0 ? only_kind : (int)calls_below(KINDS)];
	for (long i = 0; i < steps; i++) {
		void (*call)(void) = CALLS_RARELY(4)                    ? calls_mixed
		                     : only_kind < 0 && CALLS_RARELY(4) ? kinds[calls_below(KINDS)]
		                                                        : favourite;
		call();
		if (CALLS_RARELY(200))
			have_child(call);
	}
	return NULL;
}

/* One process: in a directory of its own, which is in the file system in memory. */
static void be_process(uint64_t seed, int place)
{
	char directory[64];
	pthread_t threads[THREADS];
	snprintf(directory, sizeof(directory), "/tmp/fuzz/%d", place);
	mkdir(directory, 0755);
	if (chdir(directory) != 0)
		_exit(3);
	for (int fd = 0; fd < 3; fd++) {
		close(fd);
		open("/dev/null", O_RDWR);
	}
	setsid();
	struct rlimit few = {64, 64}, small = {1 << 20, 1 << 20};
	setrlimit(RLIMIT_NOFILE, &few);
	setrlimit(RLIMIT_FSIZE, &small);
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, make_calls, (void *)(seed * THREADS + i)) != 0)
			_exit(4);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

/* Runs one round; returns how many processes died by a fault. */
static int run_round(uint64_t seed, int processes)
{
	int faults = 0, killed = 0, ended = 0, status;
	for (int i = 0; i < processes; i++)
		if (fork() == 0)
			be_process(seed * 97 + (uint64_t)i, i);
	for (;;) {
		pid_t child = wait(&status);
		if (child < 0 && errno == EINTR) // children signal this process by F_SETOWN and the like
			continue;
		if (child < 0)
			break;
		int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
		ended += WIFEXITED(status) && WEXITSTATUS(status) == 0;
		killed += signal == SIGKILL;
		if ((signal && signal != SIGKILL) || (WIFEXITED(status) && WEXITSTATUS(status) > 0)) {
			printf("wrong: a process ends with status %#x\n", (unsigned)status);
			faults++;
		}
	}
	calls_ipc_clear();
	if (system("rm -rf /tmp/fuzz/*") != 0)
		printf("wrong: files remain\n");
	printf("seed %llu: %d ended, %d killed", (unsigned long long)seed, ended, killed);
	return faults;
}

/* Memory that is free, in KiB. */
static long free_kb(void)
{
	struct sysinfo info;
	sysinfo(&info);
	return (long)(info.freeram * info.mem_unit / 1024);
}

int main(int count, char **words)
{
	if (count < 5)
		return 2;
	uint64_t seed = strtoull(words[1], NULL, 0);
	int rounds = atoi(words[2]), processes = atoi(words[3]), faults = 0;
	long before = 0, now = 0;
	steps = atol(words[4]);
	only_kind = count > 5 ? atoi(words[5]) : -1;
	take_signals();
	setvbuf(stdout, NULL, _IONBF, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	mkdir("/tmp/fuzz", 0777);
	for (int round = 0; round < rounds; round++) {
		faults += run_round(seed, processes);
		now = free_kb();
		printf(", %ld KiB free\n", now);
		if (round == LEAST_ROUNDS - 1)
			before = now;
	}
	if (rounds > LEAST_ROUNDS && before - now > SLACK_KB) {
		printf("wrong: %ld KiB less are free after %d rounds\n", before - now, rounds - LEAST_ROUNDS);
		faults++;
	}
	return faults ? 1 : 0;
}
