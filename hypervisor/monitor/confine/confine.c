/* SPDX-License-Identifier: MIT */
/* Restrictions that a process cannot undo: privileges, files, descriptors, limits, and the system call filter. The
 * filter traps calls that are not in its list. The SIGSYS handler, which the filter keeps from being replaced, reports
 * such a call.
 */
#include "confine/confine.h"

#include <assert.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/linux_calls.h"
#include "base/die.h"
#include "confine/confine_files.h"
#include "confine/confine_filter.h"

/* LeakSanitizer attaches to the process by ptrace(2) when it ends, which the filter forbids: sanitized builds are not
 * confined. */
#ifdef __SANITIZE_ADDRESS__
#define HAS_WALLS false
#else
#define HAS_WALLS true
#endif

#define FDS_OLD 1024          /* descriptors to close one by one without close_range(2): the usual limit */
#define CONNECTIONS_MAX 65536 /* of a guest, with a network outside */
#define FDS_SPARE 80          /* descriptors that may be open beside those kept: a few for each thread, and contents */

static const char *role_name = "monitor";

static const char *const call_names[LINUX_CALLS] = {
#define NAME(number, name) [number] = #name,
	LINUX_CALL_LIST(NAME)
#undef NAME
};

/* Writes one line and ends the process, which cannot be trusted after a forbidden call. */
static void on_forbidden(int sig, siginfo_t *info, void *context)
{
	char line[256];
	(void)sig, (void)context;
	unsigned number = (unsigned)info->si_syscall;
	const char *name = number < LINUX_CALLS && call_names[number] ? call_names[number] : "unknown";
	int length = snprintf(line, sizeof(line),
	                      "eremite: the %s made a system call that it must not make (%s, number %u); the program "
	                      "may have broken into it: report this, and do not run it with --no-confine\n",
	                      role_name, name, number);
	ssize_t ignored = write(STDERR_FILENO, line, (size_t)length);
	(void)ignored;
	_exit(EXIT_EREMITE);
}

void confine_keep(struct confine_plan *plan, int fd)
{
	if (fd < 0)
		return;
	assert(plan->kept_count < CONFINE_KEPT_MAX);
	plan->kept[plan->kept_count++] = fd;
}

void confine_allow(struct confine_plan *plan, int fd, enum confine_reach reach)
{
	if (fd < 0)
		return;
	assert(plan->place_count < CONFINE_PLACES_MAX);
	plan->places[plan->place_count++] = (struct confine_place){fd, reach};
}

static int by_descriptor(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}

static void close_between(int first, int last)
{
	if (first > last || !syscall(SYS_close_range, (unsigned)first, (unsigned)last, 0))
		return;
	for (int fd = first; fd <= last && fd < FDS_OLD; fd++)
		close(fd);
}

/* Closes all other descriptors, inherited or forgotten. Returns the highest one left. */
static int close_other_files(const struct confine_plan *plan)
{
	int kept[CONFINE_KEPT_MAX], last = STDERR_FILENO;
	memcpy(kept, plan->kept, sizeof(kept));
	qsort(kept, plan->kept_count, sizeof(kept[0]), by_descriptor);
	for (unsigned i = 0; i < plan->kept_count; i++) {
		if (kept[i] <= last)
			continue;
		close_between(last + 1, kept[i] - 1);
		last = kept[i];
	}
	close_between(last + 1, INT32_MAX);
	return last;
}

static void limit_resource(int resource, rlim_t value)
{
	struct rlimit now;
	if (!getrlimit(resource, &now) && now.rlim_max > value) {
		now.rlim_cur = now.rlim_cur < value ? now.rlim_cur : value;
		now.rlim_max = value;
		setrlimit(resource, &now);
	}
}

/* Lets the process have as many connections as its hard limit permits. */
static void allow_connections(void)
{
	struct rlimit now;
	if (!getrlimit(RLIMIT_NOFILE, &now)) {
		now.rlim_cur = now.rlim_max;
		setrlimit(RLIMIT_NOFILE, &now);
	}
}

static int install_filter(const struct confine_plan *plan, struct error *error)
{
	static struct sock_filter filter[CONFINE_FILTER_MAX];
	const struct sigaction forbidden = {.sa_sigaction = on_forbidden, .sa_flags = SA_SIGINFO};
	const struct sock_fprog program = {(unsigned short)confine_filter(plan, filter), filter};
	sigset_t set;
	role_name = plan->role == CONFINE_KEEPER ? "monitor's keeper" : "monitor";
	sigemptyset(&set);
	sigaddset(&set, SIGSYS); /* if SIGSYS is blocked, the process ends without a message */
	sigaction(SIGSYS, &forbidden, NULL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program))
		return error_set(
			error, errno,
			"this host's kernel does not let the monitor filter its system calls (seccomp): %s; for "
			"programs that you trust, give --no-confine",
			strerror(errno));
	return 0;
}

int confine(const struct confine_plan *plan, struct error *error)
{
	if (!HAS_WALLS)
		return 0;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0))
		return error_set(
			error, errno,
			"the monitor cannot give up its privileges: %s; for programs that you trust, give --no-confine",
			strerror(errno));
	int result = confine_files(plan);
	if (result)
		return error_set(error, -result,
		                 "the monitor cannot give up its access to files (Landlock): %s; for programs that you "
		                 "trust, give --no-confine",
		                 strerror(-result));
	int last = close_other_files(plan);
	limit_resource(RLIMIT_CORE, 0);
	if (plan->needs & CONFINE_NET)
		allow_connections();
	limit_resource(RLIMIT_NOFILE, (rlim_t)last + 1 + FDS_SPARE + (plan->needs & CONFINE_NET ? CONNECTIONS_MAX : 0));
	return install_filter(plan, error);
}
