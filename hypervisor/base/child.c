/* SPDX-License-Identifier: MIT */
/* Uses vfork(2), because fork(2) would copy page tables for all memory that the guest has touched. The child shares our
 * memory and stack until execve(2). So it only makes system calls, and no signal handler runs in it. */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/exit_status.h"

/* Resets handled signals and SIGPIPE, which the monitor ignores. Other ignored signals stay ignored, as by nohup. */
static void reset_signals(void)
{
	for (int sig = 1; sig < NSIG; sig++) {
		struct sigaction now;
		if (!sigaction(sig, NULL, &now) && now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN)
			signal(sig, SIG_DFL);
	}
	signal(SIGPIPE, SIG_DFL);
}

static int place_descriptors(const struct child_plan *plan)
{
	int from[CHILD_FDS];
	if (plan->dir >= 0 && fchdir(plan->dir))
		return -1;
	/* First moves low sources up, so that no dup2 overwrites the source of a later one. */
	for (int i = 0; i < CHILD_FDS; i++) {
		from[i] = plan->fds[i];
		if (from[i] >= 0 && from[i] < CHILD_FDS)
			from[i] = fcntl(from[i], F_DUPFD_CLOEXEC, CHILD_FDS);
		if (from[i] < 0 && plan->fds[i] >= 0)
			return -1;
	}
	for (int i = 0; i < CHILD_FDS; i++) {
		if (from[i] >= 0) {
			if (dup2(from[i], i) < 0)
				return -1;
			continue;
		}
		close(i); /* now the lowest free descriptor, which open returns */
		if (open("/dev/null", O_RDWR) != i)
			return -1;
	}
	return 0;
}

/* Executes the program. Returns only on failure, with errno. */
static void become(const struct child_plan *plan, pid_t parent, const sigset_t *signals)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0))
		return;
	if (getppid() != parent) /* the parent died before the prctl */
		_exit(127);
	reset_signals();
	if (place_descriptors(plan))
		return;
	sigprocmask(SIG_SETMASK, signals, NULL);
	execvpe(plan->path, plan->arguments, plan->environment);
}

int child_start(const struct child_plan *plan, pid_t *child)
{
	volatile int error = 0; /* written by the child */
	sigset_t all, old;
	pid_t parent = getpid();
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pid_t pid = vfork();
	if (pid == 0) {
		become(plan, parent, plan->signals ? plan->signals : &old);
		error = errno;
		_exit(127);
	}
	if (pid < 0)
		error = errno;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (pid > 0 && error)
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	*child = pid;
	return -error;
}

void child_follow(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
	if (getppid() != parent) /* which had ended before */
		_exit(EXIT_EREMITE);
}
