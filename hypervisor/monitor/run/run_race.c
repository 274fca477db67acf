/* SPDX-License-Identifier: MIT */
/* The doorbell's operation for races that a program's library has found. */
#include "abi/race.h"
#include "race/race_log.h"
#include "run/run_state.h"

int64_t run_serve_race(struct run *run, const uint64_t *args)
{
	struct race_report report;
	struct race_log *log = run->config->race_log;
	if (guest_memory_read(&run->memory, gpa(args[0]), &report, sizeof(report)) ||
	    (log && !race_log_take(log, &report)))
		run_fail(run, "the guest's kernel has sent a damaged report of a race");
	return 0;
}
