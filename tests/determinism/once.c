/* SPDX-License-Identifier: MIT */
/* A leak on purpose that shows in the first run of --verify alone: whether the monitor keeps records of the schedule,
 * which it does for one run alone, and which must leave no trace. */
#include <unistd.h>

#include "abi/layout.h"
#include "abi/sched_shared.h"

int main(void)
{
	const volatile struct sched_shared *shared = (void *)(LAYOUT_DIRECT_MAP + LAYOUT_SCHED);
	write(1, "..", shared->boot.flags & SCHED_FLAG_RECORD ? 1 : 2);
	write(1, "\n", 1);
	return 0;
}
