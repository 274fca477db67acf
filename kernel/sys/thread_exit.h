/* SPDX-License-Identifier: MIT */
/* The steps that every thread's end has in common. */
#ifndef KERNEL_SYS_THREAD_EXIT_H
#define KERNEL_SYS_THREAD_EXIT_H

/** Passes the running thread's locks to other threads (get_robust_list(2), FUTEX_LOCK_PI). */
void thread_exit_locks(void);

/** Ends the running thread, of which only the stack is left, and wakes the waiters for its number
 * (set_tid_address(2)). */
_Noreturn void thread_exit(void);

#endif
