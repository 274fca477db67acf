/* SPDX-License-Identifier: MIT */
#include <signal.h>

#include "base/die.h"
#include "base/error.h"
#include "cache/cache.h"
#include "guest/cpu_host.h"
#include "hostfs/tree/host_tmp.h"
#include "session/program_choice.h"
#include "session/session_opened.h"

/* The processor model: v3 for Linux programs and v2 for native images, unless --cpu says otherwise. The host must have
 * its features. */
void session_inputs_choose_cpu(struct session *session)
{
	struct error error;
	struct cpu_host host;
	if (session->run.cpu.processors != 1 && program_choice_is_native(session))
		die("run: --cpus is for Linux programs; %s is a native image, which has one processor: omit it",
		    session->run.image);
	if (session->run.has_layout_seed && program_choice_is_native(session))
		die("run: --layout-seed is for Linux programs; %s is a native image, whose memory layout is fixed: "
		    "omit it",
		    session->run.image);
	if (!session->cpu_given)
		session->run.cpu.model = session->run.linux_program ? DEFAULT_CPU_LINUX : CPU_V2;
	if (session->run.cpu.model == CPU_V2)
		return;
	if (program_choice_is_native(session))
		die("run: --cpu v3 and v4 are for Linux programs; %s is a native image, whose processor is v2: omit it",
		    session->run.image);
	cpu_host_read(&host);
	if (cpu_host_refuse(&host, session->run.cpu.model, &error))
		die("run: %s", error.text);
}

/* Refuses options that native images do not take. */
static void check_native(const struct session *session)
{
	if (session->binds.count || session->run.workdir || session->files_out || session->file_times_given ||
	    session->strict_files || session->run.has_user)
		die("run: --bind, --workdir, --user, --files-out, --file-times and --strict-files are for Linux "
		    "programs; %s "
		    "is a native image, which gets its files by --root: leave them out",
		    session->run.image);
	if (session->clock_given)
		die("run: --clock is for Linux programs; %s is a native image, whose clock counts work where "
		    "eremite-cc "
		    "compiled it so: omit it",
		    session->run.image);
	if (session->run.unknown_calls != DEFAULT_UNKNOWN_CALLS)
		die("run: --unknown-syscall is for Linux programs; %s is a native image without system calls: omit it",
		    session->run.image);
}

/* Opens the files of the host, or of a sealed image, that a Linux program sees. */
void session_inputs_open_files(struct session *session)
{
	struct host_files *files = &session->opened->files;
	struct error error;
	if (program_choice_is_native(session))
		check_native(session);
	if (session->sealed)
		sealed_run_open_files(session->sealed, &session->run, &session->binds, files, session->data);
	if (!session->sealed && (session->run.show_host || session->binds.count)) {
		if (session->run.show_host &&
		    host_tmp_find(&session->binds, session->run.arguments, session->run.argument_count,
		                  session->run.workdir ? session->run.workdir : "/"))
			die("out of memory");
		struct stat secret;
		host_tree_hide(cache_place(&secret), &secret);
		if (binds_open(&session->binds, session->run.show_host, files, &error))
			die("%s", error.text);
	}
	if (!files->trees)
		return;
	files->hash = session->run.want_digest || session->files_out || session->sealed;
	files->strict = session->strict_files;
	files->workdir = session->run.workdir;
	files->times = session->run.host_file_times;
	files->time_ns = session->run.file_time_ns;
	files->bytecode_times = session->run.bytecode_file_times;
	/* An image of 0.9.0 has the times that its run saw, too, and a source that --replace shows is none of its
	 * run's. */
	files->content_times = session->run.content_file_times || (session->sealed && files->bytecode_times);
	session->run.host_files = files;
	session->run.host_ahead = &session->opened->ahead;
}

void session_inputs_open_root(struct session *session)
{
	struct root *root = &session->opened->root;
	struct error error;
	if (session->sealed && *session->sealed->step->root_sha256) {
		sealed_run_open_root(session->sealed, root);
		return;
	}
	if (session->root_path && root_open(root, session->root_path, &error)) {
		if (root->stopped) {
			say("%s", error.text);
			signal(root->stopped, SIG_DFL);
			raise(root->stopped);
		}
		die("%s", error.text);
	}
	if (session->wants_identity && root_identity(root, &error))
		die("%s", error.text);
}

/* Reads the list of requests, and the memory, of an earlier run of the same program. */
void session_inputs_recall(struct session *session)
{
	struct session_opened *opened = session->opened;
	struct host_recall *recall = &opened->recall;
	if (session->run.host_files)
		host_recall_get(recall, &opened->files, session->run.arguments, session->run.argument_count,
		                session->run.workdir, &opened->ahead.before);
	session->run.memory_low = recall->memory.low;
	session->run.memory_high = recall->memory.low + recall->memory.bytes;
	if (session->argv0) /* set after host_recall_get, which finds the list by the program and not by its argv[0] */
		session->run.arguments[0] = session->argv0;
}

void session_inputs_check(const struct session *session, struct run_result *result)
{
	struct error error;
	if (!root_check(&session->opened->root, &error) &&
	    (!session->sealed || !sealed_run_check(session->sealed, &error)))
		return;
	result->end = RUN_ERROR;
	snprintf(result->message, sizeof(result->message), "%s", error.text);
}

void session_inputs_keep(const struct session *session, const struct run_result *result)
{
	const struct host_ahead *ahead = &session->opened->ahead;
	const struct host_recall_memory memory = {result->stats.frames_low, result->stats.memory_peak_bytes};
	host_recall_put(&session->opened->recall, &ahead->before, &ahead->now, &memory, ahead->foreseen, ahead->missed,
	                ahead->vain);
}

void session_inputs_close(struct session *session)
{
	host_ahead_close(&session->opened->ahead);
	host_files_close(&session->opened->files);
}
