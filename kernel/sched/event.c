/* SPDX-License-Identifier: MIT */
/* The log of kernel calls. All writes go to the boot area or to the log. No static variable changes, because the run
 * digest covers those. */
#include "kernel/sched/event.h"

#include "abi/events.h"
#include "abi/stats.h"
#include "kernel/end.h"
#include "kernel/lib/format.h"
#include "kernel/sched/policy.h"
#include "kernel/sched/process.h"

static struct event_state *state(void)
{
	return phys_to_virt(LAYOUT_EVENTS);
}

static struct event_record *records(void)
{
	return phys_to_virt(LAYOUT_EVENT_LOG);
}

static bool is_record_due(uint64_t number, uint64_t stride)
{
	return (number & (stride - 1)) == 0;
}

/* Calls up to the number wanted->returned are left out, and the others are counted from there. */
static void record_call(const struct event_record *call, const struct boot_events *wanted)
{
	if (state()->returned <= wanted->returned)
		return;
	const uint64_t number = state()->returned - wanted->returned;
	if (!state()->stride)
		state()->stride = 1;
	if (!is_record_due(number, state()->stride))
		return;
	if (state()->records == EVENT_RECORDS) {
		if (wanted->stride)
			return;
		for (uint64_t i = 0; i < EVENT_RECORDS / 2; i++)
			records()[i] = records()[2 * i + 1];
		state()->records = EVENT_RECORDS / 2;
		state()->stride *= 2;
		if (!is_record_due(number, state()->stride))
			return;
	}
	records()[state()->records++] = *call;
}

/* Whether the recorded run made another call here. */
static bool differs(const struct boot_events *wanted, const struct event_record *call)
{
	uint64_t number = state()->returned;
	if (number > wanted->returned)
		return true;
	if (!is_record_due(number, wanted->stride) || number / wanted->stride > wanted->records)
		return false;
	const struct event_record *was = &records()[number / wanted->stride - 1];
	return was->result != call->result || was->call_and_chain != call->call_and_chain;
}

void event_note(unsigned call, long result, const uint64_t registers[17])
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	const struct run_stats *stats = phys_to_virt(LAYOUT_STATS);
	const struct event_record this = {result, stats->chain[0] << 16 | call};
	state()->returned++;
	if (boot->events.mode == EVENT_LOG_RECORD)
		record_call(&this, &boot->events);
	else if (boot->events.mode == EVENT_LOG_COMPARE)
		state()->differs = differs(&boot->events, &this);
	if (state()->differs || state()->returned == boot->events.stop) {
		char what[64];
		state()->stopped = state()->returned;
		state()->last = this;
		/* With several threads, the number counts switches as well as calls. */
		format(what, sizeof(what), "%s %lu", sched_shared()->youngest > PROCESS_ID ? "event" : "kernel call",
		       state()->returned);
		end_stopped(registers, what);
	}
}
