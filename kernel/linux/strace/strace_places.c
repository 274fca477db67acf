/* SPDX-License-Identifier: MIT */
/* A hash table with linear probing. Places that were told stay taken, so that others behind them are found, until
 * another place needs the room. */
#include "kernel/linux/strace/strace_places.h"

#include "abi/strace.h"
#include "kernel/arch/direct_map.h"
#include "kernel/dev/doorbell.h"
#include "kernel/lib/string.h"
#include "kernel/linux/patch/stub.h"
#include "kernel/sched/account.h"
#include "kernel/sched/process.h"

#define PROBES_MAX 256

static struct strace_area *shared_area(void)
{
	return phys_to_virt(LAYOUT_STRACE);
}

bool strace_places_are_counted(void)
{
	return shared_area()->sample_by == STRACE_BY_PLACES;
}

/* The place of the running process, which is new if there was none; or that of all others, if no room is left. */
static struct strace_place *strace_place_at(uint64_t at)
{
	struct strace_place *places = phys_to_virt(STRACE_PLACES), *reused = NULL;
	const uint32_t pid = process_current->id;
	const uint64_t hash = (at ^ (uint64_t)pid << 48) * 0x9e3779b97f4a7c15UL >> 32;
	for (unsigned i = 0; i < PROBES_MAX; i++) {
		struct strace_place *place = &places[1 + (hash + i) % (STRACE_PLACES_MAX - 1)];
		if (place->at == at && place->pid == pid)
			return place;
		if (!place->pid && !reused)
			reused = place;
		if (!place->at)
			break;
	}
	if (!reused)
		return &places[0];
	*reused = (struct strace_place){.at = at, .address = stub_original(at), .pid = pid};
	return reused;
}

void strace_places_count(uint64_t at, unsigned count)
{
	struct strace_ran *ran = (struct strace_ran *)phys_to_virt(STRACE_RAN) + thread_current->number % STRACE_OPENS;
	const uint64_t now = account_ran_ns(thread_current);
	if (ran->thread != thread_current->number)
		*ran = (struct strace_ran){.thread = thread_current->number};
	struct strace_place *place = strace_place_at(at);
	place->count += count;
	place->ns += now - ran->ns;
	ran->ns = now;
}

void strace_places_tell(void)
{
	struct strace_area *area = shared_area();
	struct strace_place *places = phys_to_virt(STRACE_PLACES);
	area->sample = (struct strace_sample){.thread = thread_current->number, .pid = process_current->id};
	memcpy(area->sample.name, thread_current->name, sizeof(area->sample.name));
	doorbell_ring(DOORBELL_STRACE, STRACE_DOORBELL_PLACES, 0);
	for (unsigned i = 1; i < STRACE_PLACES_MAX; i++)
		if (places[i].pid == process_current->id)
			places[i] = (struct strace_place){.at = places[i].at};
}
