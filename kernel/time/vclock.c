/* SPDX-License-Identifier: MIT */
/* Virtual clock. One counter, in the page that the monitor reads at the end; reads no hardware. */
#include "kernel/time/vclock.h"

#include "abi/stats.h"
#include "kernel/arch/direct_map.h"

static int64_t epoch;
static uint64_t jumped; /* nanoseconds that passed in jumps */

static uint64_t *counter(void)
{
	struct run_stats *stats = phys_to_virt(LAYOUT_STATS);
	return &stats->virtual_ns;
}

void vclock_init(int64_t epoch_ns)
{
	epoch = epoch_ns;
	*counter() = 0;
}

uint64_t vclock_now(void)
{
	return *counter();
}

int64_t vclock_realtime(void)
{
	return epoch + (int64_t)*counter();
}

uint64_t vclock_cpu(void)
{
	return *counter() - jumped;
}

void vclock_advance(uint64_t ns)
{
	*counter() += ns;
}

void vclock_jump(uint64_t now_ns)
{
	if (now_ns <= *counter())
		return;
	jumped += now_ns - *counter();
	*counter() = now_ns;
}
