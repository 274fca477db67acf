/* SPDX-License-Identifier: MIT */
#include "kernel/sys/thread_exit.h"

#include "kernel/arch/uaccess.h"
#include "kernel/sched/futex.h"
#include "kernel/sched/futex_pi.h"
#include "kernel/sched/robust.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"

void thread_exit_locks(void)
{
	robust_exit(thread_current);
	futex_pi_exit(thread_current);
}

_Noreturn void thread_exit(void)
{
	struct thread *self = thread_current;
	const uint32_t zero = 0;
	/* No other thread runs before this one has left its stack, even if one is woken here. */
	if (self->clear_tid && !copy_to_user(self->clear_tid, &zero, sizeof(zero)))
		futex_wake(self->clear_tid, 1, FUTEX_ANY_BITS);
	signal_thread_ends(self);
	sched_exit();
}
