/* SPDX-License-Identifier: MIT */
#include "kernel/sched/begin.h"

#include "abi/sched_op.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/sched/context.h"
#include "kernel/sched/policy.h"
#include "kernel/sched/sched.h"

void (*begin_tries)(struct boot_sched *boot);

void begin_init(const struct boot_sched *boot, const struct sched_from *from)
{
	struct sched_shared *shared = sched_shared();
	shared->boot = *boot;
	if (from->kind == SCHED_FROM_START)
		return;
	shared->then = *boot;
	shared->from = *from;
	shared->boot = (struct boot_sched){.policy = SCHED_fifo,
	                                   .flags = boot->flags & ~(SCHED_FLAG_ACCESSES | SCHED_FLAG_READS),
	                                   .parameters = {from->slice}};
}

/* The point is reached. */
static void begin_policy(void)
{
	struct sched_shared *shared = sched_shared();
	shared->from.kind = SCHED_FROM_START;
	if (begin_tries)
		begin_tries(&shared->then);
	sched_begin(&shared->then);
}

uint64_t begin_reached(const void *marker)
{
	const struct sched_from *from = &sched_shared()->from;
	char name[SCHED_MARKER_BYTES];
	if (from->kind != (marker ? SCHED_FROM_MARKER : SCHED_FROM_MAIN))
		return 0;
	if (!marker || (strncpy_from_user(name, marker, sizeof(name)) >= 0 && !strcmp(name, from->marker)))
		begin_policy();
	return 0;
}

void begin_at(const char *marker)
{
	context_on_policy_stack(begin_reached, marker);
}

bool begin_is_due(uint64_t op)
{
	struct sched_from *from = &sched_shared()->from;
	return from->kind == SCHED_FROM_CALL && op < SCHED_OP_FIRST && --from->number == 0;
}

bool begin_before_point(void)
{
	struct sched_shared *shared = sched_shared();
	shared->points_left++;
	begin_policy();
	return --shared->points_left >= 0;
}
