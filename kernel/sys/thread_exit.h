/* SPDX-License-Identifier: MIT */
/* What every thread's end has in common. */
#ifndef KERNEL_SYS_THREAD_EXIT_H
#define KERNEL_SYS_THREAD_EXIT_H

/** The running thread's locks go to others (get_robust_list(2), FUTEX_LOCK_PI). */
void thread_exit_locks(void);

/** The running thread, of which nothing is left but its stack, ends, and whoever waits for its number is told
 * (set_tid_address(2)). */
_Noreturn void thread_exit(void);

#endif
