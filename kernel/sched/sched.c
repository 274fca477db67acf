/* SPDX-License-Identifier: MIT */
/* Waiting with one thread: virtual time jumps to what comes next, so that no wait takes wall time. */
#include "kernel/sched/sched.h"

#include "abi/doorbell.h"
#include "abi/errno.h"
#include "kernel/end.h"
#include "kernel/signal/signal.h"
#include "kernel/time/timer.h"
#include "kernel/time/vclock.h"

_Noreturn void sched_deadlock(const char *what)
{
	end_with_report(END_DEADLOCK, 0, what);
}

int sched_wait_until(uint64_t deadline_ns, const char *what)
{
	for (;;) {
		if (signal_is_deliverable())
			return -EINTR;
		if (vclock_now() >= deadline_ns)
			return 0;
		uint64_t next = timer_next_ns();
		if (deadline_ns < next)
			next = deadline_ns;
		if (next == SCHED_FOREVER)
			sched_deadlock(what);
		vclock_jump(next);
		timer_expire();
	}
}
