/* SPDX-License-Identifier: MIT */
/* Starts programs. None of them outlives the monitor, however it ends. */
#ifndef HYPERVISOR_CHILD_H
#define HYPERVISOR_CHILD_H

#include <signal.h>
#include <sys/types.h>

#define CHILD_FDS 4

struct child_plan {
	const char *path; /**< searched in PATH if it has no slash */
	char *const *arguments;
	char *const *environment;
	int dir;                 /**< working directory; -1: the monitor's */
	int fds[CHILD_FDS];      /**< its descriptors 0, 1, ...; -1: /dev/null */
	const sigset_t *signals; /**< its blocked signals; NULL: those blocked now */
};

/**
 * Starts a program. The kernel kills it when the calling thread ends (PR_SET_PDEATHSIG, prctl(2)). It starts with
 * default signal handlers, except for signals that the monitor's parent had it ignore. Returns 0 and sets *child to the
 * process to wait for, or returns a negative errno: -EMFILE if descriptors are short, otherwise that of vfork(2) or
 * execve(2).
 */
int child_start(const struct child_plan *plan, pid_t *child);

/** In a child made by fork(2), first of all: the child ends when `parent`, which made it, does. */
void child_follow(pid_t parent);

#endif
