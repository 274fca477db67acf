/* SPDX-License-Identifier: MIT */
/* Commands are started with posix_spawn, which is as quick as a shell's vfork, and timed until wait4 returns. */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "counts.h"

#define COMMAND_BYTES 1024

extern char **environ;

static double now_s(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Cuts a command into words. */
static void split(const char *command, unsigned long count, char text[COMMAND_BYTES], char *words[RUNNER_WORDS_MAX])
{
	unsigned used = 0;
	int at = 0;
	for (const char *number; (number = strstr(command, "%n")); command = number + 2)
		at += snprintf(text + at, COMMAND_BYTES - (size_t)at, "%.*s%lu", (int)(number - command), command,
		               count);
	snprintf(text + at, COMMAND_BYTES - (size_t)at, "%s", command);
	for (char *word = strtok(text, " "); word && used < RUNNER_WORDS_MAX - 1; word = strtok(NULL, " "))
		words[used++] = word;
	words[used] = NULL;
}

/* Reads a pipe to its end. */
static void consume(int fd)
{
	static char buffer[1 << 16];
	while (read(fd, buffer, sizeof(buffer)) > 0)
		;
	close(fd);
}

static bool run_once(const struct series *s, double *wall_s, double *cpu_s, char *refused)
{
	char text[COMMAND_BYTES];
	char *words[RUNNER_WORDS_MAX];
	posix_spawn_file_actions_t actions;
	int ends[2] = {-1, -1}, status;
	struct rusage usage;
	pid_t pid;
	split(s->command, s->count, text, words);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	if (s->pipe && pipe2(ends, O_CLOEXEC) == 0)
		posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
	else
		posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	double start = now_s();
	int error = posix_spawnp(&pid, words[0], &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (ends[1] >= 0)
		close(ends[1]);
	if (ends[0] >= 0)
		consume(ends[0]);
	if (error) {
		snprintf(refused, sizeof(s->refused), "%.60s: %s", words[0], strerror(error));
		return false;
	}
	while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR)
		;
	*wall_s = now_s() - start;
	*cpu_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
	if (WIFEXITED(status) && WEXITSTATUS(status) == s->expect)
		return true;
	snprintf(refused, sizeof(s->refused), "%.60s: %s %d", words[0], WIFEXITED(status) ? "status" : "signal",
	         WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	return false;
}

void runner_measure(struct series **series, unsigned count, unsigned rounds, double limit_s)
{
	double wall_s, cpu_s, end = now_s() + limit_s;
	for (unsigned i = 0; i < count; i++) {
		series[i]->samples = 0;
		series[i]->refused[0] = 0;
		if (series[i]->command)
			run_once(series[i], &wall_s, &cpu_s, series[i]->refused);
	}
	if (rounds > RUNNER_SAMPLES_MAX)
		rounds = RUNNER_SAMPLES_MAX;
	for (unsigned round = 0; round < rounds && (round < 3 || now_s() < end); round++) {
		for (unsigned i = 0; i < count; i++) {
			/* Forwards and backwards: what one leaves behind can slow down the next. */
			struct series *s = series[round % 2 ? count - 1 - i : i];
			if (!s->command || s->refused[0] || !run_once(s, &wall_s, &cpu_s, s->refused))
				continue;
			s->wall_s[s->samples] = wall_s;
			s->cpu_s[s->samples++] = cpu_s;
		}
	}
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double runner_min(double *samples, unsigned count)
{
	qsort(samples, count, sizeof(*samples), compare);
	return count ? samples[0] : 0;
}

double runner_median(double *samples, unsigned count)
{
	qsort(samples, count, sizeof(*samples), compare);
	return count ? (samples[(count - 1) / 2] + samples[count / 2]) / 2 : 0;
}

/* Resident bytes of the shared libraries of a stopped process, and its peak. */
static long peak_of(pid_t pid)
{
	char path[64], line[512];
	long peak_kb = -1, library_kb = 0, kb;
	bool library = false;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	FILE *file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "VmHWM: %ld", &peak_kb);
	if (file)
		fclose(file);
	snprintf(path, sizeof(path), "/proc/%d/smaps", (int)pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		unsigned long start, end;
		if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
			library = strstr(line, ".so") != NULL;
		else if (library && sscanf(line, "Rss: %ld", &kb) == 1)
			library_kb += kb;
	}
	if (file)
		fclose(file);
	return peak_kb < 0 ? -1 : (peak_kb - library_kb) * 1024;
}

long runner_peak_bytes(const char *command)
{
	char text[COMMAND_BYTES];
	char *words[RUNNER_WORDS_MAX];
	long peak = -1;
	int status;
	split(command, 0, text, words);
	pid_t pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);
		dup2(null, 1);
		dup2(null, 2);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execvp(words[0], words);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return -1;
	ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)(PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL));
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		int sig = WSTOPSIG(status);
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8)) {
			peak = peak_of(pid);
			sig = 0;
		}
		ptrace(PTRACE_CONT, pid, NULL, (void *)(long)sig);
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? peak : -1;
}

double runner_jumps(const char *command, const char *summary)
{
	static struct series run;
	struct series *list[] = {&run};
	struct counts counts;
	run = (struct series){.command = command};
	runner_measure(list, 1, 1, 8);
	const bool has_counts = !run.refused[0] && counts_read(summary, &counts);
	unlink(summary);
	return has_counts ? 100 * (counts.kernel_calls - counts.trapped_calls) / counts.kernel_calls : -1;
}
