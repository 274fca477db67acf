/* SPDX-License-Identifier: MIT */
/* Accounts of virtual time: how long each thread ran, was ready, and waited, by cause. */
#ifndef KERNEL_SCHED_ACCOUNT_H
#define KERNEL_SCHED_ACCOUNT_H

#include <stdint.h>

#include "kernel/sched/thread.h"

/** The number of the running thread's current kernel call, or of its last one. */
extern uint16_t account_calling;

/** A new thread is ready. */
void account_start(struct thread *thread);

/** Notes the process of a thread that was made: it may be gone when the thread has ended. On the policies' stack. */
void account_created(const struct thread *thread);

/** The running thread becomes ready and stops running, or a waiting thread becomes ready. */
void account_ready(struct thread *thread);

/** A ready thread runs. */
void account_run(struct thread *thread);

/** Makes `next` thread_current. The account of the previous thread keeps its state. */
void account_switch(struct thread *next);

/** The running thread starts to wait, for its `reason`. */
void account_wait(struct thread *thread);

/** A thread ends: copies its account to where the monitor reads it, if the monitor wants accounts. Runs on the
 * policies' stack, as account_close does: whether accounts are wanted must leave no trace on a thread's stack. */
void account_end(const struct thread *thread);

/** Virtual time that a thread has run. */
uint64_t account_ran_ns(const struct thread *thread);

/** The run ends: copies all accounts to where the monitor reads them. */
void account_close(void);

/** Entered by the monitor, on the policies' stack, when it has stopped the run: closes the accounts of threads. */
_Noreturn void account_close_stopped(void);

#endif
