/* SPDX-License-Identifier: MIT */
/* The signal state of a thread and of a process (signal(7)). */
#ifndef KERNEL_SIGNAL_THREAD_SIGNALS_H
#define KERNEL_SIGNAL_THREAD_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/linux_signal.h"

/** Pending signals: one list for each number, with entries from queue.c's pool. */
struct signal_queue {
	uint64_t pending; /**< bit n - 1 for signal n, in all masks */
	uint16_t heads[LINUX_NSIG + 1], tails[LINUX_NSIG + 1];
};

struct thread_signals {
	uint64_t blocked;
	uint64_t awaited;          /**< signals that it waits for in sigtimedwait(2), blocked or not */
	struct signal_queue queue; /**< for this thread alone */
	uint64_t assigned;         /**< pending signals of the process that this thread was chosen to take */
	struct linux_stack stack;  /**< sigaltstack(2) */
	uint64_t saved_mask;       /**< sigsuspend: the mask to restore after delivery */
	bool restore_mask;
	bool restarts; /**< after a wait ended with -EINTR: no handler without SA_RESTART has run for it */
};

/** The signal state of a process; struct thread_signals is that of a thread. */
struct signal_state {
	struct linux_sigaction actions[LINUX_NSIG + 1];
	struct signal_queue queue; /**< pending for the first thread that takes it */
};

#endif
