/* SPDX-License-Identifier: MIT */
/* Enters a guest that has ended once more, so that it reports its changed files. All its hashes are computed by then.
 */
#include "run/run_changes.h"

#include <errno.h>

#include "abi/layout.h"
#include "hostfs/host_files.h"

static int64_t take_change(struct run *run, const uint64_t *args)
{
	return changes_take(run->config->changes, &run->memory, gpa(args[0]));
}

static int64_t take_change_data(struct run *run, const uint64_t *args)
{
	return changes_take_data(run->config->changes, &run->memory, gpa(args[0]), args[1]);
}

static int64_t serve_unchanged_file(struct run *run, const uint64_t *args)
{
	const struct host_files *files = run->config->host_files;
	struct changes *changes = run->config->changes;
	int64_t answer = run_serve_file_after(run, args);
	if (files && files->error.text[0])
		changes->error = files->error;
	return answer;
}

static int64_t take_changes_end(struct run *run, const uint64_t *args)
{
	struct changes *changes = run->config->changes;
	if (args[0] == END_REFUSED || args[0] == END_PANIC)
		error_set(&changes->error, EPROTO, "cannot tell what the program has changed: %.170s",
		          run->result->report.message);
	else
		changes_end(changes);
	return 0;
}

static void refuse_changes(struct run *run)
{
	struct changes *changes = run->config->changes;
	if (run->exit.stop == ENGINE_BROKEN)
		error_set(&changes->error, EPROTO, "%s", run->exit.message);
	else
		error_set(&changes->error, EPROTO,
		          "the guest rang the doorbell for operation %u while it reported its changes",
		          run->exit.doorbell_op);
}

static bool changes_go_on(struct run *run, uint64_t ns)
{
	(void)ns;
	return !run->config->changes->error.text[0] && !run_is_stopped();
}

static const struct run_after reports_changes = {
	.services = {[DOORBELL_CHANGE] = take_change,
                     [DOORBELL_CHANGE_DATA] = take_change_data,
                     [DOORBELL_HOST_FILE] = serve_unchanged_file,
                     [DOORBELL_MEMORY] = run_serve_memory,
                     [DOORBELL_FAULT] = run_serve_fault,
                     [DOORBELL_EXIT] = take_changes_end},
	.refuse = refuse_changes,
	.goes_on = changes_go_on,
};

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
	run_serve_after(run, &reports_changes);
	run->result->report = report;
	if (changes->error.text[0] && run->exit.stop == ENGINE_BROKEN &&
	    !run_is_stopped()) /* not even a list of them */
		run_fail(run, "%s", changes->error.text);
	if (run_is_stopped() || (!changes->dir && !changes->takes_all))
		return;
	if (changes->error.text[0] || (changes->dir && save_plan_make(config->save_plan, changes, &changes->error)))
		run_fail(run, "%s", changes->error.text);
}
