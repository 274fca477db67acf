/* SPDX-License-Identifier: MIT */
/* What a thread has of its own about signals, and what a process has (signal(7)). */
#ifndef KERNEL_SIGNAL_THREAD_SIGNALS_H
#define KERNEL_SIGNAL_THREAD_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/linux_signal.h"

/** Signals that are pending: one list for each number, of entries in queue.c's pool. */
struct signal_queue {
	uint64_t pending; /**< bit n - 1 for signal n, in all masks */
	uint16_t heads[LINUX_NSIG + 1], tails[LINUX_NSIG + 1];
};

struct thread_signals {
	uint64_t blocked;
	uint64_t awaited;          /**< those that it waits for, in sigtimedwait(2), blocked or not */
	struct signal_queue queue; /**< for this thread alone */
	uint64_t assigned;         /**< of those pending, the process's that this thread was chosen to take */
	struct linux_stack stack;  /**< sigaltstack(2) */
	uint64_t saved_mask;       /**< sigsuspend: what to go back to after delivery */
	bool restore_mask;
	bool restarts; /**< once a wait has ended with -EINTR: no handler has run for it that lacks SA_RESTART */
};

/** What the process has about signals; struct thread_signals is what each thread has. */
struct signal_state {
	struct linux_sigaction actions[LINUX_NSIG + 1];
	struct signal_queue queue; /**< pending for whichever thread takes it first */
};

#endif
