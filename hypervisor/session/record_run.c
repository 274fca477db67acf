/* SPDX-License-Identifier: MIT */
#include "session/record_run.h"

#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/error.h"
#include "base/hold_stops.h"
#include "session/keeper_serve.h"
#include "session/net_ports.h"
#include "session/record_about.h"
#include "session/record_files.h"
#include "session/redact_option.h"
#include "hostfs/tree/host_tree.h"
#include "hostfs/out_copy.h"
#include "record/record_log.h"

#define END_BYTES 512
#define UNSTARTED "not started" /* the last line of how a run ended whose program the guest could not start */

/* With --tls-keylog: what the program has written. */
static struct out_copy keylog = {.path = SESSION_KEYLOG};

/* Whether standard input comes as events. That must not depend on --record, which only observes. Keys of a terminal do
 * depend on it: without a recording, ^C interrupts a program at any instruction. */
static bool has_input_events(const struct session *session)
{
	const struct run_config *run = &session->run;
	if (run->tty)
		return run->recording || run->replay || net_is_wanted(&session->net);
	return !session->net.has_peers && (session->live_input || net_is_wanted(&session->net));
}

/* Hides the files of a recording from the program: they grow while it is recorded, so that no replay could show it the
 * same. */
static void mask_files(const char *dir)
{
	static const char *const names[] = {RECORDING_LOG, RECORDING_CAPTURE, RECORDING_KERNEL};
	char path[PATH_MAX + 32], *real = dir ? realpath(dir, NULL) : NULL;
	for (unsigned i = 0; real && i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", real[1] ? real : "", names[i]);
		host_tree_mask(path);
	}
	free(real);
}

/* A recording of this process whose run has not begun: an error or a signal before removes it. */
static struct {
	pid_t process;
	const char *dir;
	bool is_new; /* the directory is */
} unbegun;

static void remove_recording(const char *dir)
{
	static const char *const names[] = {RECORDING_LOG, RECORDING_CAPTURE, RECORDING_KERNEL};
	char path[PATH_MAX + 32];
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		unlink(path);
	}
}

static void remove_unbegun(void)
{
	if (!unbegun.dir || unbegun.process != getpid())
		return;
	remove_recording(unbegun.dir);
	if (unbegun.is_new)
		rmdir(unbegun.dir);
}

static void on_stop(int sig)
{
	remove_unbegun();
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Sets what the signals do that end eremite, if they do `before` now. */
static void handle_stops(void (*before)(int), void (*now)(int))
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	const struct sigaction action = {.sa_handler = now};
	struct sigaction old;
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaction(signals[i], NULL, &old);
		if (old.sa_handler == before)
			sigaction(signals[i], &action, NULL);
	}
}

void record_run_begin(void)
{
	if (unbegun.dir)
		handle_stops(on_stop, SIG_DFL);
	unbegun.dir = NULL;
}

/* Removes an earlier recording of a program that was not started, such as one whose name was mistyped. */
static void remove_unstarted(const char *dir)
{
	struct replay replay;
	struct replay_block block;
	struct error error;
	char end[END_BYTES] = "";
	size_t at = RECORD_MAGIC_BYTES;
	if (access(dir, F_OK) || replay_open(&replay, dir, &error))
		return;
	if (replay_find_from(&replay, &at, RECORD_END, &block) && block.bytes < END_BYTES)
		memcpy(end, block.data, block.bytes);
	replay_close(&replay);
	if (strstr(end, "\n" UNSTARTED "\n"))
		remove_recording(dir);
}

/* Makes the files of a recording. */
static void create_recording(struct session *session)
{
	int fds[2];
	struct run_config *run = &session->run;
	const bool is_new = access(session->record_path, F_OK);
	sigset_t before;
	remove_unstarted(session->record_path);
	hold_stops_begin(&before); /* until on_stop knows what there is to be removed */
	run->recording = record_files_create(session);
	unbegun.process = getpid();
	unbegun.dir = session->record_path;
	unbegun.is_new = is_new;
	atexit(remove_unbegun);
	handle_stops(SIG_DFL, on_stop);
	hold_stops_end(&before);
	recording_descriptors(run->recording, fds);
	run_config_keep(run, fds[0]);
	run_config_keep(run, fds[1]);
}

void record_run_open(struct session *session)
{
	struct run_config *run = &session->run;
	record_about_check(session);
	if (run->replay) {
		run_config_keep(run, run->replay->capture);
		run->replay_stop = replay_last_mark(run->replay);
	}
	if (session->record_path)
		create_recording(session);
	mask_files(session->record_path       ? session->record_path
	           : session->replay_net_path ? session->replay_net_path
	                                      : session->replay_path);
	if (session->adds_misses) {
		int fds[2];
		session->added = record_files_grow(session, &session->grown);
		recording_descriptors(session->added, fds);
		run_config_keep(run, fds[0]);
		run_config_keep(run, fds[1]);
		run_config_keep(run, session->grown.lock);
	}
	if (session->tls_keylog)
		run->out_copy = &keylog;
	session->net.has_terminal = run->tty;
	session->net.has_input = has_input_events(session);
	if (!session->net.has_input && !net_is_wanted(&session->net))
		return;
	session->net.recording = session->added ? session->added : run->recording;
	if (run->replay)
		session->net.replay = run->replay;
	if (session->net.has_peers)
		run_config_keep(run, session->net.replay->capture);
	net_ports_open(&session->net);
	run->net = &session->net;
}

/* How the run ended, for the recording. */
static void describe_end(const struct run_result *result, char text[END_BYTES])
{
	char digest[DIGEST_TEXT_BYTES];
	digest_text(result->digest.all, digest);
	snprintf(text, END_BYTES, "end %s %d\ndigest %s\nvirtual_ns %" PRIu64 "\nengine %s\n%s",
	         result->end == RUN_EXIT     ? "exit"
	         : result->end == RUN_SIGNAL ? "signal"
	                                     : "deadlock",
	         result->status, digest, result->stats.virtual_ns, result->engine,
	         result->not_started ? UNSTARTED "\n" : "");
}

/* The list of files that were read, as --files-out writes it. */
static char *list_files(const struct run_config *run, size_t *bytes)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, bytes);
	if (!to || (run->host_files && host_notes_write(&run->host_files->notes, to)) || fclose(to))
		die("out of memory");
	return text;
}

static bool has_ended(const struct run_result *result)
{
	return result->end == RUN_EXIT || result->end == RUN_SIGNAL || result->end == RUN_DEADLOCK;
}

static void fail(struct run_result *result, enum run_end end, const char *fmt, const char *a, const char *b)
{
	result->end = end;
	result->status = 0;
	snprintf(result->message, sizeof(result->message), fmt, a, b);
}

static void complete_recording(struct session *session, struct run_result *result)
{
	char end[END_BYTES];
	size_t bytes = 0;
	char *files = list_files(&session->run, &bytes);
	describe_end(result, end);
	recording_stop(session->run.recording);
	if (keylog.bytes)
		recording_keys(session->run.recording, (const char *)keylog.data, keylog.bytes);
	const struct redact_counts redacted = recording_redacted(session->run.recording);
	int error = recording_close(session->run.recording, files, bytes, has_ended(result) ? end : NULL);
	free(files);
	if (error)
		fail(result, RUN_ERROR, "cannot write the recording in %s: %s", session->record_path, strerror(-error));
	else if (session->verbosity >= 0 && result->not_started)
		say("the recording %s shows only that the program was not started; the next --record replaces it",
		    session->record_path);
	else if (session->verbosity >= 0 && result->end != RUN_ERROR)
		say("the run is recorded in %s; eremite run --replay %s repeats it", session->record_path,
		    session->record_path);
	if (!error && session->tls_keylog && !keylog.bytes)
		say("warning: the recording has no keys of TLS: the program wrote nothing to SSLKEYLOGFILE%s",
		    has_ended(result) ? "" : ", or did not end by itself");
	if (!error && session->redact)
		redact_option_say(&redacted, session->verbosity >= 0);
}

static bool has_missed(const struct run_result *result)
{
	return result->misses.connections + result->misses.questions + result->misses.datagrams;
}

/* Replaces the recording. The capture first: the old log fits the new one, too, which begins with the old one. So the
 * recording is whole at every moment. Returns 0 or a negative errno. */
static int replace_old(struct record_grown *grown)
{
	int error = keeper_put_file(&grown->capture, KEEPER_GROWN_CAPTURE);
	return error ? error : keeper_put_file(&grown->log, KEEPER_GROWN_LOG);
}

void record_run_grow(struct session *session, const struct run_result *result)
{
	const char *path = session->replay_net_path;
	bool has_grown = has_ended(result) && has_missed(result);
	if (!session->added)
		return;
	recording_stop(session->added);
	const struct redact_counts redacted = recording_redacted(session->added);
	int error = recording_close(session->added, NULL, 0, "end added\n");
	if (has_grown && !error)
		error = replace_old(&session->grown);
	save_abandon(&session->grown.capture);
	save_abandon(&session->grown.log);
	if (has_grown && error)
		die("cannot write the recording %s anew: %s", path, strerror(-error));
	if (has_grown && session->redact)
		redact_option_say(&redacted, session->verbosity >= 0);
	if (session->verbosity >= 0 && has_grown)
		say("what the recording %s lacked was added to it", path);
	else if (session->verbosity >= 0 && has_missed(result))
		say("the recording %s stays as it was, because the program has not ended by itself", path);
}

/* The path of a line, behind hash and size; NULL: it has none. */
static const char *name_of(const char *line, const char *end)
{
	const char *space = memchr(line, ' ', (size_t)(end - line));
	space = space ? memchr(space + 1, ' ', (size_t)(end - space - 1)) : NULL;
	return space ? space + 1 : NULL;
}

/* Finds the line of a list that has a path; NULL: no line has it. A line is the hash, the size and the path. */
static const char *line_for(const char *list, const char *end, const char *path, size_t bytes)
{
	while (list < end) {
		const char *next = memchr(list, '\n', (size_t)(end - list));
		next = next ? next : end;
		const char *name = name_of(list, next);
		if (name && (size_t)(next - name) == bytes && !memcmp(name, path, bytes))
			return list;
		list = next + 1;
	}
	return NULL;
}

/* Finds the first file that both runs have read and that differs. */
static bool find_changed_file(const struct session *session, char path[256])
{
	struct replay_block block;
	size_t bytes, at = RECORD_MAGIC_BYTES;
	bool found = false;
	if (!replay_find_from(session->run.replay, &at, RECORD_FILES, &block))
		return false;
	char *files = list_files(&session->run, &bytes);
	for (const char *line = files, *next; *line && !found; line = next) {
		next = strchr(line, '\n') + 1;
		const char *name = strchr(strchr(line, ' ') + 1, ' ') + 1;
		size_t length = (size_t)(next - 1 - name);
		const char *was =
			line_for((const char *)block.data, (const char *)block.data + block.bytes, name, length);
		/* Up to the path, which is the same: hash and size. */
		const char *was_end = was ? (const char *)block.data + block.bytes : NULL;
		found = was && (name_of(was, was_end) - was != name - line || memcmp(was, line, (size_t)(name - line)));
		if (found)
			snprintf(path, 256, "%.*s", (int)length, name);
	}
	free(files);
	return found;
}

/* Makes one line of the lines that say how a run ended, up to the engine, which may be another one. */
static void join_lines(char *text)
{
	char *engine = strstr(text, "\nengine");
	if (engine)
		*engine = 0;
	for (; *text; text++)
		if (*text == '\n')
			*text = ',';
}

static void compare_recording(const struct session *session, struct run_result *result)
{
	struct replay_block block;
	char now[END_BYTES], was[END_BYTES] = "", path[256];
	size_t at = RECORD_MAGIC_BYTES;
	bool is_over = replay_find_from(session->run.replay, &at, RECORD_END, &block);
	describe_end(result, now);
	if (is_over && block.bytes < END_BYTES)
		memcpy(was, block.data, block.bytes);
	join_lines(now);
	join_lines(was);
	bool is_same = has_ended(result) && is_over && !strcmp(now, was);
	if (is_same || result->end == RUN_ERROR || result->end == RUN_TIMEOUT || result->end == RUN_INTERRUPTED ||
	    (result->end == RUN_REPLAYED && !is_over))
		return;
	if (find_changed_file(session, path))
		fail(result, RUN_ERROR, "the recording %.100s does not fit this host any more: %.200s has changed",
		     session->replay_path, path);
	else if (has_ended(result) && !is_over)
		fail(result, RUN_DIFFER,
		     "the program ends here; the recording %.100s was cut off, and does not say how its run ended%s",
		     session->replay_path, "");
	else if (has_ended(result))
		fail(result, RUN_DIFFER, "the replay ended otherwise than the recorded run: %.120s, not %.120s", now,
		     was);
}

void record_run_close(struct session *session, struct run_result *result)
{
	if (session->run.recording)
		complete_recording(session, result);
	if (session->run.replay)
		compare_recording(session, result);
	const struct replay *replay = session->run.replay ? session->run.replay : session->net.replay;
	if (replay && result->end == RUN_DIFFER)
		redact_option_say_used(replay);
}
