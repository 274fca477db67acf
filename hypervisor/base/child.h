/* SPDX-License-Identifier: MIT */
/* Programs that the monitor starts. None of them outlives it, however it ends. */
#ifndef HYPERVISOR_CHILD_H
#define HYPERVISOR_CHILD_H

#include <signal.h>
#include <sys/types.h>

#define CHILD_FDS 4

struct child_plan {
	const char *path; /**< looked for in PATH when it has no slash */
	char *const *arguments;
	char *const *environment;
	int dir;                 /**< to start in, or -1: the monitor's */
	int fds[CHILD_FDS];      /**< what becomes descriptor 0, 1, ...; -1: /dev/null */
	const sigset_t *signals; /**< blocked in it; NULL: those that are now */
};

/**
 * Starts a program, which SIGKILL ends as soon as the calling thread is no more (PR_SET_PDEATHSIG, prctl(2)). It starts
 * with default handlers, but for signals that the monitor's parent had it ignore. 0 and *child to wait for, or a
 * negative errno: -EMFILE for want of descriptors, else that of vfork(2) or execve(2).
 */
int child_start(const struct child_plan *plan, pid_t *child);

#endif
