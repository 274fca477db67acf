/* SPDX-License-Identifier: MIT */
/* One list says how the value of each input is spelled when it was not given. Options that change nothing when they are
 * left out have no default. */
#include "session/option_defaults.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/die.h"
#include "session/file_times.h"
#include "eri/eri_manifest.h"
#include "session/session.h"
#include "guest/cpu_host.h"
#include "report/info_calls.h"
#include "sched/from_option.h"
#include "sched/sched_option.h"

#define SCHED_TEXT 512

void option_defaults_epoch(const struct session *session, char text[32])
{
	time_t seconds = session->run.epoch_ns / 1000000000L;
	struct tm when;
	if (!gmtime_r(&seconds, &when) || !strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &when))
		*text = 0;
}

/* Whether an option, without its dashes, was given. */
static bool is_given(const struct record_given *given, const char *name)
{
	const size_t bytes = strlen(name);
	for (unsigned i = 0; i < given->input_count; i++) {
		const char *at = given->inputs[i] + 2;
		if (!strncmp(at, name, bytes) && (!at[bytes] || at[bytes] == '='))
			return true;
	}
	return false;
}

static void add_number(struct record_given *to, const char *name, uint64_t value)
{
	char text[24];
	snprintf(text, sizeof(text), "%" PRIu64, value);
	session_given_add(to, name, text);
}

static void add_seed(const struct session *session, struct record_given *to, const char *name)
{
	add_number(to, name, session->run.seed);
}

static void add_epoch(const struct session *session, struct record_given *to, const char *name)
{
	char text[32];
	option_defaults_epoch(session, text);
	session_given_add(to, name, text);
}

static void add_uptime(const struct session *session, struct record_given *to, const char *name)
{
	add_number(to, name, session->run.uptime_s);
}

static void add_memory(const struct session *session, struct record_given *to, const char *name)
{
	add_number(to, name, session->run.memory_bytes);
}

static void add_cpu(const struct session *session, struct record_given *to, const char *name)
{
	session_given_add(to, name, cpu_host_model_names[session->run.cpu.model]);
}

static void add_cpus(const struct session *session, struct record_given *to, const char *name)
{
	add_number(to, name, session->run.cpu.processors);
}

static void add_layout(const struct session *session, struct record_given *to, const char *name)
{
	if (session->run.linux_program)
		session_given_add(to, name, LAYOUT_FROM_SEED);
}

/* Adds the variables that no option has set. */
static void add_environment(const struct session *session, struct record_given *to, const char *name)
{
	const struct record_given *given = &session->given;
	if (is_given(given, "no-env"))
		return;
	session_given_add(to, "no-env", NULL);
	for (unsigned i = 0; i < session->run.environment_count; i++) {
		unsigned k = 0;
		while (k < given->input_count && (strncmp(given->inputs[k], "--env=", 6) ||
		                                  strcmp(given->inputs[k] + 6, session->run.environment[i])))
			k++;
		if (k == given->input_count)
			session_given_add(to, name, session->run.environment[i]);
	}
}

/* Without one, the kernel, which is kept, too, begins in /. */
static void add_workdir(const struct session *session, struct record_given *to, const char *name)
{
	if (session->run.workdir)
		session_given_add(to, name, session->run.workdir);
}

static void add_user(const struct session *session, struct record_given *to, const char *name)
{
	if (session->run.linux_program)
		session_given_add(to, name, "0:0");
}

static void add_file_times(const struct session *session, struct record_given *to, const char *name)
{
	if (session->run.linux_program)
		session_given_add(to, name, session->run.file_times);
}

static void add_unknown(const struct session *session, struct record_given *to, const char *name)
{
	if (session->run.linux_program)
		session_given_add(to, name, info_calls_unknown[session->run.unknown_calls]);
}

static void add_stdin(const struct session *session, struct record_given *to, const char *name)
{
	if (!session->run.tty && !session->net.has_peers)
		session_given_add(to, name, net_is_wanted(&session->net) ? "live" : "lines");
}

/* Without a network, nothing outside is waited for. */
static void add_net_time(const struct session *session, struct record_given *to, const char *name)
{
	if (net_is_wanted(&session->net))
		session_given_add(to, name, session->net.jumps ? "jump" : "wall");
}

/* A schedule says all that these three do. */
static void add_sched(const struct session *session, struct record_given *to, const char *name)
{
	char text[SCHED_TEXT];
	if (session->schedule_path || session->schedule_near)
		return;
	sched_option_describe(&session->run.sched.boot, text, sizeof(text));
	session_given_add(to, name, text);
}

static void add_sched_seed(const struct session *session, struct record_given *to, const char *name)
{
	if (!session->schedule_path)
		add_number(to, name, session->run.sched.boot.seed);
}

static void add_from(const struct session *session, struct record_given *to, const char *name)
{
	char text[FROM_TEXT];
	if (session->schedule_path || session->schedule_near)
		return;
	from_option_describe(&session->run.sched.from, text);
	session_given_add(to, name, text);
}

/* An input with a default. `add` adds the default as options, or nothing if this run has none; NULL: `env` adds it.
 *
 * Other inputs (option_table_is_input) have no default. Without --argv0, argv[0] is the program's name, which is kept
 * among the arguments. Without --net-fault, --preempt and --strict-files, nothing fails, nothing else switches threads,
 * and files that cannot be read are missing. Without those of the network, the terminal, files and schedules, nothing
 * comes from outside. */
struct row {
	const char *name;
	void (*add)(const struct session *session, struct record_given *to, const char *name);
};

static const struct row rows[] = {
	{"seed", add_seed},
	{"epoch", add_epoch},
	{"uptime", add_uptime},
	{"memory", add_memory},
	{"cpu", add_cpu},
	{"cpus", add_cpus},
	{"layout-seed", add_layout},
	{"no-env", NULL},
	{"env", add_environment},
	{"workdir", add_workdir},
	{"user", add_user},
	{"file-times", add_file_times},
	{"unknown-syscall", add_unknown},
	{"stdin", add_stdin},
	{"net-time", add_net_time},
	{"sched", add_sched},
	{"sched-seed", add_sched_seed},
	{"from", add_from},
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

void option_defaults_list(const struct session *session, struct record_given *to)
{
	for (unsigned i = 0; i < ROWS; i++)
		if (rows[i].add && (!strcmp(rows[i].name, "env") || !is_given(&session->given, rows[i].name)))
			rows[i].add(session, to, rows[i].name);
}

/* The row of an option that was kept as --NAME=VALUE, or NULL. */
static const struct row *row_of(const char *kept)
{
	for (unsigned i = 0; !strncmp(kept, "--", 2) && i < ROWS; i++)
		if (strlen(rows[i].name) == strcspn(kept + 2, "=") &&
		    !strncmp(rows[i].name, kept + 2, strlen(rows[i].name)))
			return &rows[i];
	return NULL;
}

bool option_defaults_takes(const char *kept)
{
	const struct row *row = row_of(kept);
	if (!strcmp(kept, "--no-env"))
		return true;
	return row && row->add && strchr(kept, '=') && !eri_manifest_is_hosts(kept);
}

bool option_defaults_gives_way(const struct record_given *given, const char *kept)
{
	/* Options that take the place of another one's default, or that do not go with it. */
	static const struct {
		const char *given, *kept;
	} others[] = {
		{"no-env", "env"},          {"tty", "stdin"},           {"net", "stdin"},
		{"publish", "stdin"},       {"schedule", "sched"},      {"schedule", "from"},
		{"schedule", "sched-seed"}, {"schedule-near", "sched"}, {"schedule-near", "from"},
	};
	const struct row *row = row_of(kept);
	if (!row)
		return false;
	if (!strcmp(row->name, "env")) { /* of the same variable, so that it takes the place that it has in every run */
		const size_t bytes = 6 + strcspn(kept + 6, "=");
		for (unsigned i = 0; i < given->input_count; i++)
			if (!strncmp(given->inputs[i], kept, bytes) && strchr("=", given->inputs[i][bytes]))
				return true;
	} else if (is_given(given, row->name)) {
		return true;
	}
	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(others[i].kept, row->name) && is_given(given, others[i].given))
			return true;
	return false;
}

/* Whether --sched=NAME:A=B,... gives a parameter, which `text` begins with. */
static bool has_parameter(const char *sched, const char *text)
{
	const size_t bytes = strcspn(text, "=") + 1;
	const char *at = strchr(sched, ':');
	while (at && strncmp(at + 1, text, bytes))
		at = strchr(at + 1, ',');
	return at;
}

/* Returns the parameters that a given --sched leaves out, as they follow it. */
static const char *complete_sched(const struct session *session, const char *given, char added[SCHED_TEXT])
{
	char all[SCHED_TEXT], *end;
	size_t used = 0;
	sched_option_describe(&session->run.sched.boot, all, sizeof(all));
	strtok_r(all, ":", &end);
	*added = 0;
	for (char *at = strtok_r(NULL, ",", &end); at; at = strtok_r(NULL, ",", &end))
		if (!has_parameter(given, at))
			used += (size_t)snprintf(added + used, SCHED_TEXT - used, "%c%s",
			                         used || strchr(given, ':') ? ',' : ':', at);
	return added;
}

void option_defaults_complete(struct session *session)
{
	char added[SCHED_TEXT];
	for (unsigned i = 0; i < session->given.input_count; i++) {
		char **input = &session->given.inputs[i], *was = *input;
		const char *more = "";
		bool draws_faults =
			!strncmp(was, "--net-fault=", 12) && !strstr(was, "=seed=") && !strstr(was, ",seed=");
		if (!strncmp(was, "--sched=", 8))
			more = complete_sched(session, was, added);
		else if (!strcmp(was, "--file-times=content"))
			more = strchr(DEFAULT_FILE_TIMES, ':');
		if (draws_faults) {
			snprintf(added, sizeof(added), ",seed=%" PRIu64, session->run.faults.seed);
			more = added;
		}
		if (!*more)
			continue;
		if (asprintf(input, "%s%s", was, more) < 0)
			die("out of memory");
		free(was); /* nothing else has it: these options are kept as their parsed forms */
	}
}
