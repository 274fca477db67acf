/* SPDX-License-Identifier: MIT */
/* What threads spend their virtual time with: running, being ready, waiting for one thing or another. */
#ifndef KERNEL_SCHED_ACCOUNT_H
#define KERNEL_SCHED_ACCOUNT_H

#include <stdint.h>

#include "kernel/sched/thread.h"

/** The number of the kernel call that the running thread is in, or was in last. */
extern uint16_t account_calling;

/** A new thread is ready. */
void account_start(struct thread *thread);

/** The running thread goes on to be ready, or a waiting one becomes so. */
void account_ready(struct thread *thread);

/** A ready thread runs. */
void account_run(struct thread *thread);

/** Another thread runs from now on: it becomes thread_current. Its predecessor's account is as it was left. */
void account_switch(struct thread *next);

/** The running thread waits, for its `reason`. */
void account_wait(struct thread *thread);

/**
 * A thread ends: its account goes where the monitor reads it, if the monitor wants it. On the policies' stack, as
 * account_close: whether it is wanted must leave no trace on a thread's.
 */
void account_end(const struct thread *thread);

/** Virtual time that a thread has run. */
uint64_t account_ran_ns(const struct thread *thread);

/** The run ends: all accounts go to the monitor. */
void account_close(void);

#endif
