/* SPDX-License-Identifier: MIT */
/* watchdog [--foreground] SECONDS COMMAND [ARG...] stops a command that hangs, as timeout(1) does, but on a loaded host
 * only if it hangs there, too. It counts two times, and ends the command with status 124 when one is over:
 * - processor time of the command and its descendants, SPINNING times SECONDS;
 * - time in which all of them sleep, SECONDS. While other programs share the processors, each second
 *   counts as the share that one program gets, because the command may wait for one of them.
 * Descendants that lose their parents become children of this process, so that it can count and end them. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SPINNING 4 /* a command may use several processors */
#define SAMPLE_NS 500000000
#define SAMPLE_S 0.5
#define IDLE_SHARE 0.02     /* of a processor: periodic wake-ups of a program that waits */
#define GRACE_S 5           /* from SIGTERM to SIGKILL, in idle seconds */
#define PROCESSES_MAX 65536 /* of the host; more are not counted */
#define TIMED_OUT 124       /* as timeout(1) */
#define CANNOT_RUN 127

struct process {
	pid_t pid, parent;
	char state;
	double cpu_s;
	bool ours;
};

static struct process processes[PROCESSES_MAX];
static int count;
/* proc(5): the name may have blanks and parentheses, so fields are counted from the last one. */
static bool read_process(pid_t pid, struct process *process)
{
	char path[64], line[1024], *after;
	unsigned long user, system;
	long children_user, children_system;
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	bool good = fgets(line, sizeof(line), file) && (after = strrchr(line, ')')) &&
	            sscanf(after + 1, " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld", &process->state,
	                   &process->parent, &user, &system, &children_user, &children_system) == 6;
	fclose(file);
	if (!good)
		return false;
	process->pid = pid;
	process->cpu_s = ((double)user + (double)system + (double)children_user + (double)children_system) /
	                 (double)sysconf(_SC_CLK_TCK);
	process->ours = false;
	return true;
}

static bool has_parent(const struct process *process)
{
	if (process->parent == getpid())
		return true;
	for (int i = 0; i < count; i++)
		if (processes[i].pid == process->parent)
			return processes[i].ours;
	return false;
}

/* Finds all descendants. A child's number may be lower than its parent's, so the search repeats until nothing is new.
 */
static void find_descendants(void)
{
	DIR *proc = opendir("/proc");
	count = 0;
	for (struct dirent *entry; proc && (entry = readdir(proc));) {
		int pid = atoi(entry->d_name);
		if (pid > 0 && count < PROCESSES_MAX && read_process(pid, &processes[count]))
			count++;
	}
	if (proc)
		closedir(proc);
	for (bool more = true; more;) {
		more = false;
		for (int i = 0; i < count; i++)
			if (!processes[i].ours && has_parent(&processes[i]))
				more = processes[i].ours = true;
	}
}

/* A thread that is not the first of its process has a state of its own. */
static bool wants_to_run(const struct process *process)
{
	char path[64], line[1024], *after;
	bool wants = process->state == 'R' || process->state == 'D';
	snprintf(path, sizeof(path), "/proc/%d/task", process->pid);
	DIR *tasks = opendir(path);
	for (struct dirent *entry; !wants && tasks && (entry = readdir(tasks));) {
		char name[400];
		snprintf(name, sizeof(name), "%s/%s/stat", path, entry->d_name);
		FILE *file = fopen(name, "re");
		wants = file && fgets(line, sizeof(line), file) && (after = strrchr(line, ')')) &&
		        (after[2] == 'R' || after[2] == 'D');
		if (file)
			fclose(file);
	}
	if (tasks)
		closedir(tasks);
	return wants;
}

/* Returns the share of a processor that one more program gets on this host now: 1 when it is quiet. */
static double processor_share(void)
{
	int runnable = 0;
	cpu_set_t set;
	FILE *file = fopen("/proc/loadavg", "re");
	if (!file || fscanf(file, "%*f %*f %*f %d/", &runnable) != 1)
		runnable = 0;
	if (file)
		fclose(file);
	int processors = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);
	return runnable > processors ? (double)processors / runnable : 1;
}

/* Takes a sample: adds to the idle time, or sets it to 0, and returns the processor time until now. */
static double take_sample(double *idle_s, double before_s)
{
	struct rusage ended;
	double cpu_s = 0;
	bool wants = false;
	find_descendants();
	for (int i = 0; i < count; i++) {
		if (!processes[i].ours)
			continue;
		cpu_s += processes[i].cpu_s;
		wants = wants || wants_to_run(&processes[i]);
	}
	getrusage(RUSAGE_CHILDREN, &ended);
	cpu_s += (double)ended.ru_utime.tv_sec + (double)ended.ru_stime.tv_sec;
	*idle_s = wants || cpu_s - before_s > IDLE_SHARE * SAMPLE_S + 0.01 ? 0 : *idle_s + SAMPLE_S * processor_share();
	return cpu_s;
}

/* Sends a signal to the descendants except COMMAND, which has got it: a second one would end it at once. If GROUP is
 * not 0, sends it only to those in this process group. */
static void send_to_descendants(int sig, pid_t group, pid_t command)
{
	find_descendants();
	for (int i = 0; i < count; i++)
		if (processes[i].ours && processes[i].pid != command &&
		    (group == 0 || getpgid(processes[i].pid) == group))
			kill(processes[i].pid, sig);
}

/* Ends as the command did; a signal is the shell's 128 + number. */
static int reap_until(pid_t command)
{
	int status;
	for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
		if (pid == command)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return -1;
}

/* Waits for the next sample, the end of a child, or a signal. Returns the signal to pass on, or 0. */
static int wait_for_event(const sigset_t *events)
{
	const struct timespec sample = {0, SAMPLE_NS};
	int sig = sigtimedwait(events, NULL, &sample);
	return sig > 0 && sig != SIGCHLD ? sig : 0;
}

static int watch(pid_t command, double limit_s, const sigset_t *events)
{
	double idle_s = 0, cpu_s = 0, last = 0;
	bool stopping = false;
	for (;;) {
		int received = wait_for_event(events);
		int status = reap_until(command);
		if (status >= 0)
			return stopping ? TIMED_OUT : status;
		if (received) {
			kill(command, received);
			if (getpgrp() == getpid())
				send_to_descendants(received, getpid(), command);
		}
		struct timespec now;
		clock_gettime(CLOCK_MONOTONIC, &now);
		double now_s = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
		if (now_s - last < SAMPLE_S)
			continue;
		last = now_s;
		cpu_s = take_sample(&idle_s, cpu_s);
		if (stopping && (idle_s > GRACE_S || cpu_s > SPINNING * limit_s + GRACE_S)) {
			send_to_descendants(SIGKILL, 0, 0);
		} else if (!stopping && (idle_s > limit_s || cpu_s > SPINNING * limit_s)) {
			fprintf(stderr, "watchdog: stopped after %.0f s of processor time and %.0f s of waiting\n",
			        cpu_s, idle_s);
			stopping = true;
			idle_s = 0;
			kill(command, SIGTERM);
			send_to_descendants(SIGTERM, getpgrp(), command);
		}
	}
}

/* Sets the signals that `watch` waits for, and those of them that were ignored: an ignored signal never becomes
 * pending, and a shell starts commands in the background with SIGINT ignored. */
static void take_signals(sigset_t *events, sigset_t *ignored)
{
	static const int signals[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
	sigemptyset(events);
	sigemptyset(ignored);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaddset(events, signals[i]);
		if (signal(signals[i], SIG_DFL) == SIG_IGN)
			sigaddset(ignored, signals[i]);
	}
}

int main(int argc, char **argv)
{
	int at = 1;
	bool foreground = argc > 1 && !strcmp(argv[1], "--foreground");
	at += foreground;
	double limit_s = argc > at + 1 ? strtod(argv[at], NULL) : 0;
	if (limit_s <= 0) {
		fprintf(stderr, "usage: watchdog [--foreground] SECONDS COMMAND [ARG...]\n");
		return CANNOT_RUN;
	}
	sigset_t events, before, ignored;
	take_signals(&events, &ignored);
	sigprocmask(SIG_BLOCK, &events, &before);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_PDEATHSIG, SIGTERM); /* who ends the runner of tests leaves no test behind */
	if (!foreground)
		setpgid(0, 0);
	pid_t command = fork();
	if (command == 0) {
		for (int sig = 1; sig < NSIG; sig++)
			if (sigismember(&ignored, sig) == 1)
				signal(sig, SIG_IGN);
		sigprocmask(SIG_SETMASK, &before, NULL);
		execvp(argv[at + 1], argv + at + 1);
		fprintf(stderr, "watchdog: %s: %s\n", argv[at + 1], strerror(errno));
		_exit(CANNOT_RUN);
	}
	return command < 0 ? CANNOT_RUN : watch(command, limit_s, &events);
}
