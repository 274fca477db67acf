/* SPDX-License-Identifier: MIT */
/* The monitor chooses the processors (engine/process/placement.c), and each process applies the choice when it gets the
 * turn. A later change is applied at the next turn. */
#include "engine/process/stub/processors.h"

#include <sys/syscall.h>

#include "engine/process/stub/data.h"
#include "engine/process/stub/system.h"

void processors_follow(void)
{
	uint32_t placement = __atomic_load_n(&PLAN->placement, __ATOMIC_ACQUIRE);
	if (DATA->placement == placement)
		return;
	DATA->placement = placement;
	stub_call3(SYS_sched_setaffinity, 0, sizeof(PLAN->processors), PLAN->processors);
}
