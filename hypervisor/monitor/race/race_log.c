/* SPDX-License-Identifier: MIT */
#include "race/race_log.h"

#include <stdlib.h>

#include "base/array.h"

static bool is_valid(const struct race_report *report)
{
	if (report->kind > RACE_REPORT_END || report->is_certain > 1)
		return false;
	for (unsigned side = 0; side < 2; side++)
		if (report->side[side].frames > RACE_FRAMES)
			return false;
	return true;
}

static bool is_known(const struct race_log *log, const struct race_report *report)
{
	for (size_t i = 0; i < log->count; i++) {
		const struct race_side *known = log->races[i].side, *side = report->side;
		if ((known[0].pc[0] == side[0].pc[0] && known[1].pc[0] == side[1].pc[0]) ||
		    (known[0].pc[0] == side[1].pc[0] && known[1].pc[0] == side[0].pc[0]))
			return true;
	}
	return false;
}

static void keep_most(uint64_t *kept, uint64_t told)
{
	told = told < RACE_LOST_MAX ? told : RACE_LOST_MAX;
	*kept = *kept > told ? *kept : told;
}

bool race_log_take(struct race_log *log, const struct race_report *report)
{
	if (!is_valid(report))
		return false;
	log->has_library = true;
	keep_most(&log->lost_accesses, report->lost_accesses);
	keep_most(&log->lost_kept, report->lost_kept);
	keep_most(&log->lost_races, report->lost_races);
	if (report->kind != RACE_REPORT_RACE || is_known(log, report))
		return true;
	if (log->count == RACE_LOG_MAX || !array_reserve(log->races, log->room, log->count + 1))
		log->lost_races++;
	else
		log->races[log->count++] = *report;
	return true;
}
