/* SPDX-License-Identifier: MIT */
/* Runs a command and, at a moment, kills one of its processes by SIGKILL, or by another signal such as TERM:
 *
 *     kill monitor|thread|runner|any|group|NAME[:SIGNAL] MICROSECONDS|call:N COMMAND ARG...
 *
 * monitor is the process that was started, thread one of its threads, any one of its descendants. NAME is the end of a
 * descendant's name, such as keeper, guest or mkfs.erofs. runner is the parent of a keeper: a descendant that makes a
 * run. group is the command's process group, to which a terminal sends ^C. The moment counts from the start of the
 * command, or from when there is a process of this name, or a runner. With call:N, for monitor and group, it is the
 * N-th call to the C library (count_calls.c), of the process that was started or, for group, of all; N 0 is no moment.
 * Prints whom it has killed, or "nobody" when there was none at the moment; in another line, the signal that ended
 * monitor, if one did; with call:N, also the exit status as a shell has it, and the number of calls. Fails when the
 * command hangs, or when processes of it are left some seconds later: all that lose their parent become children of
 * this one (PR_SET_CHILD_SUBREAPER). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/security/moment.h"

#define LIMIT_MS 20000 /* for the command to end when one of it was killed */
#define LEFT_MS 5000   /* then, for all others */
#define PROCESSES 4096

struct process {
	pid_t pid, parent;
	char name[32], state;
	bool is_ours;
};

static struct process all[PROCESSES];
static unsigned count;

static bool read_process(pid_t pid, struct process *process)
{
	char path[40], text[512];
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	FILE *from = fopen(path, "re");
	size_t got = from ? fread(text, 1, sizeof(text) - 1, from) : 0;
	if (from)
		fclose(from);
	text[got] = 0;
	char *name = strchr(text, '('), *end = strrchr(text, ')');
	if (!name || !end || sscanf(end, ") %c %d", &process->state, &process->parent) != 2)
		return false;
	*end = 0;
	process->pid = pid;
	process->is_ours = false;
	snprintf(process->name, sizeof(process->name), "%s", name + 1);
	return true;
}

/* Takes all processes of the host that descend from this one. */
static void look(void)
{
	DIR *dir = opendir("/proc");
	count = 0;
	for (struct dirent *entry; dir && (entry = readdir(dir)) && count < PROCESSES;) {
		pid_t pid = atoi(entry->d_name);
		count += pid > 0 && read_process(pid, &all[count]);
	}
	closedir(dir);
	for (bool more = true; more;) {
		more = false;
		for (unsigned i = 0; i < count; i++) {
			bool ours = all[i].parent == getpid();
			for (unsigned n = 0; n < count && !ours; n++)
				ours = all[n].is_ours && all[n].pid == all[i].parent;
			more |= ours && !all[i].is_ours;
			all[i].is_ours |= ours;
		}
	}
}

/* One of those with a name that ends so, by a number. */
static const struct process *choose(pid_t monitor, const char *ending, unsigned number)
{
	static const struct process *found[PROCESSES];
	unsigned matches = 0;
	for (unsigned i = 0; i < count; i++) {
		size_t length = strlen(all[i].name), wanted = strlen(ending);
		if (all[i].is_ours && all[i].pid != monitor && all[i].state != 'Z' && length >= wanted &&
		    !strcmp(all[i].name + length - wanted, ending))
			found[matches++] = &all[i];
	}
	return matches ? found[number % matches] : NULL;
}

/* Returns one of the processes of the kind `whom`, chosen by a number. Returns NULL if there is none. */
static const struct process *find(const char *whom, pid_t monitor, unsigned number)
{
	if (strcmp(whom, "runner"))
		return choose(monitor, strcmp(whom, "any") ? whom : "", number);
	const struct process *keeper = choose(monitor, "keeper", number);
	for (unsigned i = 0; i < count; i++)
		if (keeper && all[i].pid == keeper->parent && all[i].pid != monitor)
			return &all[i];
	return NULL;
}

/* A process may have ended since it was looked at, and its number be another's. */
static bool kill_process(const struct process *process, int sig)
{
	struct process now;
	int fd = (int)syscall(SYS_pidfd_open, process->pid, 0);
	bool done = fd >= 0 && read_process(process->pid, &now) && now.parent == process->parent &&
	            !syscall(SYS_pidfd_send_signal, fd, sig, NULL, 0);
	if (fd >= 0)
		close(fd);
	return done;
}

static bool kill_thread(pid_t monitor, unsigned number, int sig)
{
	char path[40];
	pid_t threads[64];
	unsigned found = 0;
	snprintf(path, sizeof(path), "/proc/%d/task", monitor);
	DIR *dir = opendir(path);
	for (struct dirent *entry; dir && (entry = readdir(dir)) && found < 64;)
		if (atoi(entry->d_name) > 0)
			threads[found++] = atoi(entry->d_name);
	if (dir)
		closedir(dir);
	return found && !syscall(SYS_tgkill, monitor, threads[number % found], sig);
}

static void pause_ms(unsigned ms)
{
	const struct timespec time = {.tv_nsec = ms * 1000000L};
	nanosleep(&time, NULL);
}

/* Waits until the command has such a process, or has ended. */
static void wait_for(const char *whom, pid_t monitor)
{
	siginfo_t ended = {0};
	for (look(); !find(whom, monitor, 0) && !ended.si_pid; look()) {
		pause_ms(1);
		waitid(P_PID, (id_t)monitor, &ended, WEXITED | WNOHANG | WNOWAIT);
	}
}

static void strike(const char *whom, int sig, pid_t monitor, unsigned number)
{
	if (!strcmp(whom, "monitor") || !strcmp(whom, "group")) {
		printf("%s\n", kill(strcmp(whom, "group") ? monitor : -monitor, sig) ? "nobody" : whom);
	} else if (!strcmp(whom, "thread")) {
		printf("%s\n", kill_thread(monitor, number, sig) ? whom : "nobody");
	} else {
		look();
		const struct process *process = find(whom, monitor, number);
		bool done = process && kill_process(process, sig);
		printf("%s\n", !done ? "nobody" : strcmp(whom, "runner") ? process->name : whom);
	}
	fflush(stdout);
}

/* Makes what is shared with the command, which loads count_calls.so from beside this program. */
static struct moment *share_moment(const char *self, const char *whom, const char *number)
{
	static char path[4096];
	const int fd = memfd_create("moment", 0);
	struct moment *moment = MAP_FAILED;
	if (fd >= 0 && !ftruncate(fd, sizeof(*moment)))
		moment = mmap(NULL, sizeof(*moment), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (moment == MAP_FAILED)
		exit(2);
	moment->wanted = strtoull(number, NULL, 10);
	moment->all = !strcmp(whom, "group");
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", getpid(), fd);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	setenv("EREMITE_MOMENT", path, 1);
	const char *slash = strrchr(self, '/');
	snprintf(path, sizeof(path), "%.*scount_calls.so", slash ? (int)(slash - self + 1) : 0, self);
	setenv("LD_PRELOAD", path, 1);
	return moment;
}

/* Waits until the command has made that call, or has ended. */
static void strike_at(struct moment *moment, const char *whom, int sig, pid_t monitor)
{
	siginfo_t ended = {0};
	while (!ended.si_pid && __atomic_load_n(&moment->state, __ATOMIC_SEQ_CST) != MOMENT_COME) {
		waitid(P_PID, (id_t)monitor, &ended, WEXITED | WNOHANG | WNOWAIT);
		usleep(100);
	}
	if (ended.si_pid)
		printf("nobody\n");
	else
		strike(whom, sig, monitor, 0);
	__atomic_store_n(&moment->state, MOMENT_OVER, __ATOMIC_SEQ_CST);
}

/* Takes the signal off whom. */
static int take_signal(char *whom)
{
	char *name = strchr(whom, ':');
	if (!name)
		return SIGKILL;
	*name++ = 0;
	for (int sig = 1; sig < SIGRTMIN; sig++)
		if (sigabbrev_np(sig) && !strcmp(sigabbrev_np(sig), name))
			return sig;
	exit(2);
}

/* Starts the command in a process group of its own. */
static pid_t start(char **command, int sig)
{
	pid_t monitor = fork();
	if (monitor == 0) {
		setpgid(0, 0);
		if (sig != SIGKILL)
			signal(sig, SIG_DFL); /* a test in the background ignores SIGINT, and nohup SIGHUP */
		execvp(command[0], command);
		_exit(127);
	}
	setpgid(monitor, monitor);
	return monitor;
}

/* Prints and kills what is left of the command's processes. Returns whether there was something. */
static bool end_rest(pid_t monitor, bool hangs)
{
	bool left = false;
	for (unsigned ms = 0; ms < LEFT_MS; ms++) {
		pid_t ended = waitpid(-1, NULL, WNOHANG);
		left = ended >= 0;
		if (!left)
			break;
		if (!ended)
			pause_ms(1);
	}
	look();
	for (unsigned i = 0; i < count; i++)
		if (all[i].is_ours) {
			printf("%s: %s, process %d, %c\n", hangs && all[i].pid == monitor ? "hangs" : "left",
			       all[i].name, all[i].pid, all[i].state);
			kill_process(&all[i], SIGKILL);
		}
	return left;
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	char *whom = argv[1];
	const int sig = take_signal(whom);
	const bool is_call = !strncmp(argv[2], "call:", 5);
	const unsigned moment = (unsigned)strtoul(argv[2], NULL, 10);
	const struct timespec wait = {moment / 1000000, moment % 1000000 * 1000L};
	struct moment *shared = is_call ? share_moment(argv[0], whom, argv[2] + 5) : NULL;
	bool hangs = true;
	int status = 0;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	const pid_t monitor = start(argv + 3, sig);
	unsetenv("LD_PRELOAD");
	if (shared) {
		strike_at(shared, whom, sig, monitor);
	} else {
		if (strcmp(whom, "monitor") && strcmp(whom, "thread") && strcmp(whom, "any"))
			wait_for(whom, monitor);
		nanosleep(&wait, NULL);
		strike(whom, sig, monitor, moment);
	}
	for (unsigned ms = 0; ms < LIMIT_MS && hangs; ms++) {
		hangs = waitpid(monitor, &status, WNOHANG) == 0;
		if (hangs)
			pause_ms(1);
	}
	if (!hangs && WIFSIGNALED(status))
		printf("signal %d\n", WTERMSIG(status));
	if (!hangs && shared)
		printf("status %d\ncalls %lu\n", WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
		       (unsigned long)shared->calls);
	return end_rest(monitor, hangs) || hangs;
}
