/* SPDX-License-Identifier: MIT */
/* Enters a guest that has ended once more, so that it reports its changed files. All its hashes are computed by then.
 */
#include "run/run_changes.h"

#include <errno.h>

#include "abi/layout.h"
#include "hostfs/host_files.h"

/* Serves a request for the host's files without recording it: reads after the end are no input of the run. */
static int64_t serve_files(struct run *run, gpa_t request)
{
	struct host_files *files = run->config->host_files;
	struct changes *changes = run->config->changes;
	if (!files)
		return -ENOENT;
	files->is_ahead = true;
	int64_t answer = host_files_serve(files, &run->memory, request);
	files->is_ahead = false;
	if (files->error[0])
		snprintf(changes->error, sizeof(changes->error), "%s", files->error);
	return answer;
}

/* Answers one request. Returns false when the guest has ended or cannot continue. */
static bool serve_one(struct run *run, uint32_t op)
{
	struct doorbell *page = guest_memory_at(&run->memory, gpa(LAYOUT_DOORBELL), sizeof(*page));
	struct changes *changes = run->config->changes;
	struct doorbell asked;
	guest_memory_copy(&asked, page, sizeof(asked));
	int64_t answer = 0;
	switch (op) {
	case DOORBELL_CHANGE:
		answer = changes_take(changes, &run->memory, gpa(asked.args[0]));
		break;
	case DOORBELL_CHANGE_DATA:
		answer = changes_take_data(changes, &run->memory, gpa(asked.args[0]), asked.args[1]);
		break;
	case DOORBELL_HOST_FILE:
		answer = serve_files(run, gpa(asked.args[0]));
		break;
	case DOORBELL_MEMORY:
		answer = run_show_memory(run, asked.args[0]);
		break;
	case DOORBELL_FAULT:
		run_take_report(run, gpa(asked.args[0]));
		return true;
	case DOORBELL_EXIT:
		if (asked.args[0] == END_REFUSED || asked.args[0] == END_PANIC)
			snprintf(changes->error, sizeof(changes->error),
			         "cannot tell what the program has changed: %.170s", run->result->report.message);
		else
			changes_end(changes);
		return false;
	default:
		snprintf(changes->error, sizeof(changes->error),
		         "the guest rang the doorbell for operation %u while it reported its changes", op);
	}
	page->result = answer;
	return !changes->error[0];
}

/* Limit of the changes in bytes: several times the guest's memory and the files that it was shown, as for /out. */
static uint64_t bytes_max(const struct run_config *config)
{
	return 4 * (config->memory_bytes + (config->root ? config->root->bytes : 0));
}

void run_collect_changes(struct run *run)
{
	const struct run_config *config = run->config;
	struct changes *changes = config->changes;
	const struct fault_report report = run->result->report;
	changes_begin(changes, config->host_files, bytes_max(config), run_is_stopped);
	for (bool goes_on = true; goes_on && !run_is_stopped();) {
		run->ops->run(run->engine, &run->exit);
		if (run->exit.stop == ENGINE_DOORBELL)
			goes_on = serve_one(run, run->exit.doorbell_op);
		else if (run->exit.stop == ENGINE_BROKEN)
			goes_on = !snprintf(changes->error, sizeof(changes->error), "%s", run->exit.message);
	}
	run->result->report = report;
	if (changes->error[0] && run->exit.stop == ENGINE_BROKEN && !run_is_stopped()) /* not even a list of them */
		run_fail(run, "%s", changes->error);
	if (run_is_stopped() || (!changes->dir && !changes->takes_all))
		return;
	if (changes->error[0] || (changes->dir && save_plan_make(config->save_plan, changes, changes->error)))
		run_fail(run, "%s", changes->error);
}
