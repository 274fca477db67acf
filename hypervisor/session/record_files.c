/* SPDX-License-Identifier: MIT */
#include "session/record_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "base/die.h"
#include "base/error.h"
#include "record/record_log.h"
#include "session/record_about.h"
#include "session/redact_option.h"

/* The options, the program and its arguments as a recording has them, for the caller to free. */
static char **list_inputs(const struct session *session, const struct redact *redact, unsigned *count)
{
	static char program[] = "--"; /* program and arguments follow */
	const struct record_given *given = &session->given;
	const struct run_config *run = &session->run;
	char **all = calloc(given->input_count + run->argument_count + 2UL, sizeof(*all));
	if (!all)
		die("out of memory");
	*count = 0;
	for (unsigned i = 0; i < given->input_count; i++)
		all[(*count)++] = redact_option_input(redact, given->inputs[i]);
	all[(*count)++] = program;
	for (unsigned i = 0; i < run->argument_count; i++)
		all[(*count)++] = redact_option_argument(redact, run->arguments[i], !i);
	return all;
}

struct recording *record_files_create(const struct session *session)
{
	const struct run_config *run = &session->run;
	struct recording *recording;
	struct redact *redact = redact_option_open(session->redact, session->redact_count);
	unsigned count;
	struct error error;
	char **all = list_inputs(session, redact, &count);
	if (recording_create(&recording, session->record_path, all, count, run->epoch_ns, &error))
		die("%s", error.text);
	free(all);
	record_about_write(session, redact, recording);
	if (session->tls_keylog)
		recording_leave_room(recording);
	if (redact && recording_redact(recording, redact))
		die("cannot write the recording in %s", session->record_path);
	return recording;
}

void record_files_lock(struct record_grown *grown, const char *dir)
{
	grown->lock = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (grown->lock < 0)
		die("cannot read the recording %s: %s", dir, strerror(errno));
	if (flock(grown->lock, LOCK_EX | LOCK_NB))
		die("run: another run adds to the recording %s; wait until it has ended", dir);
}

/* Opens a file that will replace one of the recording. Returns another descriptor of it. */
static int open_grown(struct save *save, const char *dir, const char *name)
{
	char *path;
	if (asprintf(&path, "%s/%s", dir, name) < 0)
		die("out of memory");
	int error = save_open(save, path), fd = error ? -1 : fcntl(fileno(save->to), F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		die("cannot write %s anew: %s", path, strerror(error ? -error : errno));
	free(path);
	return fd;
}

struct recording *record_files_grow(const struct session *session, struct record_grown *grown)
{
	const struct replay *replay = session->net.replay;
	struct replay_block block;
	struct recording *recording;
	unsigned count;
	struct error error;
	if (replay_find(replay, RECORD_REDACTED, &block) && !session->redact)
		die("run: the recording %s was made with --redact; give that, too, for what is added", replay->dir);
	struct redact *redact = redact_option_open(session->redact, session->redact_count);
	char **all = list_inputs(session, redact, &count);
	int log = open_grown(&grown->log, session->replay_net_path, RECORDING_LOG);
	int capture = open_grown(&grown->capture, session->replay_net_path, RECORDING_CAPTURE);
	if (recording_create_grown(&recording, replay, log, capture, all, count, session->run.epoch_ns, &error))
		die("%s", error.text);
	free(all);
	if (redact && recording_redact(recording, redact))
		die("cannot write the recording %s anew", replay->dir);
	return recording;
}
