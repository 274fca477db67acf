/* SPDX-License-Identifier: MIT */
/* The summary of a run. Numbers that the guest wrote are printed as they are; nothing here trusts them. */
#include "report/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi/boot.h"
#include "abi/syscalls.h"
#include "library/cjson.h"
#include "base/utf8.h"
#include "base/version.h"
#include "guest/cpu_host.h"
#include "report/changes_report.h"
#include "report/info_calls.h"
#include "report/summary_processes.h"
#include "report/summary_threads.h"

static const char *const call_names[STATS_CALLS] = {
#define NAME(number, name, cost, count, ...) [number] = #name,
	SYSCALL_LIST(NAME)
#undef NAME
};

static const struct {
	const char *json, *text;
} counter_names[] = {
#define NAMES(name, text) {#name, text},
	DOORBELL_COUNTER_LIST(NAMES)
#undef NAMES
};

static const struct {
	const char *json, *text;
} code_names[] = {
#define NAMES(name, text) {#name, text},
	STATS_CODE_LIST(NAMES)
#undef NAMES
};

static const struct {
	const char *json, *text;
} trap_names[] = {
#define NAMES(name, text) {#name, text},
	STATS_TRAPS_LIST(NAMES)
#undef NAMES
};

const char *summary_end_name(enum run_end end)
{
	static const char *const names[] = {
		[RUN_EXIT] = "exit",         [RUN_SIGNAL] = "signal",
		[RUN_DEADLOCK] = "deadlock", [RUN_TIMEOUT] = "timeout",
		[RUN_ERROR] = "error",       [RUN_DIFFER] = "differ",
		[RUN_STOPPED] = "stopped",   [RUN_INTERRUPTED] = "interrupted",
		[RUN_SCHEDULE] = "schedule", [RUN_REPLAYED] = "replayed",
	};
	return names[end];
}

const char *summary_call_name(unsigned call)
{
	return call < STATS_CALLS && call_names[call] ? call_names[call] : "?";
}

/** The sums of a digest with their names, for both formats. */
struct part {
	const char *name;
	const uint8_t *sum;
};

#define PARTS_MAX 6

/* Lists the parts of a digest; the last one is the run digest. Returns their number. */
static unsigned digest_parts(const struct run_config *config, const struct run_digest *digest,
                             struct part parts[PARTS_MAX])
{
	unsigned count = 0;
	parts[count++] = (struct part){"stdout", digest->streams[1]};
	parts[count++] = (struct part){"stderr", digest->streams[2]};
	parts[count++] = (struct part){"out", digest->out};
	if (config->host_files)
		parts[count++] = (struct part){"files", digest->files};
	parts[count++] = (struct part){"memory", digest->memory};
	parts[count++] = (struct part){"digest", digest->all};
	return count;
}

/* Whether the run counts keys. Those that come as events are in the recording. */
static bool has_typed(const struct run_config *config)
{
	return !config->net || !config->net->has_input;
}

/* Writes the terminal and what was typed on it, which are inputs of the run. */
static void terminal_text(FILE *to, const struct run_config *config, const struct terminal_record *typed)
{
	char text[DIGEST_TEXT_BYTES];
	digest_text(typed->sum, text);
	fprintf(to, "terminal        %s, %u columns, %u rows\n", config->tty_term ? config->tty_term : "without TERM",
	        config->tty_columns, config->tty_rows);
	if (!has_typed(config))
		return;
	fprintf(to, "typed           %" PRIu64 " keys of %" PRIu64 " bytes, %" PRIu64 " waits without a key, %s\n",
	        typed->keys, typed->bytes, typed->waits, text);
}

static void exits_text(FILE *to, const struct run_result *result)
{
	fputs("exits          ", to);
	for (unsigned i = 0; i < DOORBELL_COUNTERS; i++)
		fprintf(to, "%s %" PRIu64 " %s", i ? "," : "", result->exits[i], counter_names[i].text);
	fputc('\n', to);
}

/* Writes what the guest's kernel counted of traps; images made before it counted them have none. */
static void traps_text(FILE *to, const struct run_stats *stats)
{
	uint64_t all = 0;
	for (unsigned i = 0; i < STATS_TRAPS_COUNT; i++)
		all += stats->traps[i];
	if (!all)
		return;
	fputs("traps           ", to);
	for (unsigned i = 0; i < STATS_TRAPS_COUNT; i++)
		fprintf(to, "%s%" PRIu64 " %s", i ? ", " : "", stats->traps[i], trap_names[i].text);
	fputc('\n', to);
}

/* Writes what code made at run time cost, if there was any. */
static void code_text(FILE *to, const struct run_stats *stats)
{
	if (!stats->code[STATS_CODE_pages_searched])
		return;
	fputs("code made       ", to);
	for (unsigned i = 0; i < STATS_CODE_COUNT; i++)
		fprintf(to, "%s%" PRIu64 " %s", i ? ", " : "", stats->code[i], code_names[i].text);
	fputc('\n', to);
}

/* Writes the image from which the run was made, and what was given in place of what it has. */
static void sealed_text(FILE *to, const struct run_sealed *sealed)
{
	fprintf(to, "image           %s, step %s\n", sealed->identity, sealed->step);
	for (unsigned i = 0; i < sealed->override_count; i++)
		fprintf(to, "instead         %s\n", sealed->overrides[i]);
	if (sealed->other_arguments)
		fprintf(to, "instead         other arguments\n");
}

int summary_text(FILE *to, const struct run_config *config, const struct run_result *result)
{
	const struct run_stats *stats = &result->stats;
	struct part parts[PARTS_MAX];
	char text[DIGEST_TEXT_BYTES];
	fprintf(to, "end             %s %d\n", summary_end_name(result->end), result->status);
	fprintf(to, "engine          %s\n", result->engine);
	fprintf(to, "seed            0x%" PRIx64 "\n", config->seed);
	if (config->uptime_s != UPTIME_DEFAULT_S)
		fprintf(to, "uptime          %" PRIu64 " s\n", config->uptime_s);
	if (config->has_layout_seed)
		fprintf(to, "layout seed     0x%" PRIx64 "\n", config->layout_seed);
	if (config->tty)
		terminal_text(to, config, &result->typed);
	if (config->sealed)
		sealed_text(to, config->sealed);
	if (config->root && config->root->has_identity) {
		digest_text(config->root->identity, text);
		fprintf(to, "root            %s\n", text);
	}
	fprintf(to, "virtual time    %" PRIu64 ".%09" PRIu64 " s\n", stats->virtual_ns / 1000000000,
	        stats->virtual_ns % 1000000000);
	fprintf(to, "wall time       %.3f ms (set-up %.3f, guest %.3f, tear-down %.3f)\n",
	        (double)result->wall_ns / 1e6, (double)result->setup_ns / 1e6, (double)result->guest_ns / 1e6,
	        (double)result->teardown_ns / 1e6);
	fprintf(to, "guest memory    %" PRIu64 " KiB at the most\n", stats->memory_peak_bytes / 1024);
	exits_text(to, result);
	fprintf(to, "kernel calls    %" PRIu64, stats->events);
	for (unsigned i = 0; i < STATS_CALLS; i++)
		if (stats->calls[i] && call_names[i])
			fprintf(to, " %s:%" PRIu64, call_names[i], stats->calls[i]);
	fputc('\n', to);
	if (stats->trapped_calls)
		fprintf(to, "by trap         %" PRIu64 " of them, not by a jump\n", stats->trapped_calls);
	code_text(to, stats);
	traps_text(to, stats);
	summary_threads_text(to, config, result);
	summary_processes_text(to, result);
	fprintf(to, "events          %016" PRIx64 "%016" PRIx64 "\n", stats->chain[0], stats->chain[1]);
	const struct net_misses *misses = &result->misses;
	if (misses->connections + misses->questions + misses->datagrams)
		fprintf(to,
		        "missed          %" PRIu64 " connections, %" PRIu64 " questions, %" PRIu64
		        " datagrams: the digest is not promised\n",
		        misses->connections, misses->questions, misses->datagrams);
	unsigned count = digest_parts(config, &result->digest, parts);
	for (unsigned i = 0; i < count; i++) {
		digest_text(parts[i].sum, text);
		fprintf(to, "%-15s %s\n", parts[i].name, text);
	}
	return ferror(to) ? -EIO : 0;
}

/* Adds a text. JSON is UTF-8, but names of files are any bytes: each byte that is not UTF-8 becomes U+FFFD. Returns 0
 * or -ENOMEM. */
static int add_text(cJSON *object, const char *name, const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd";
	char *clean = malloc(3 * strlen(text) + 1), *to = clean;
	if (!clean)
		return -ENOMEM;
	while (*text) {
		size_t bytes = utf8_bytes(text);
		to = mempcpy(to, bytes ? text : replacement, bytes ? bytes : sizeof(replacement) - 1);
		text += bytes ? bytes : 1;
	}
	*to = 0;
	cJSON *added = cjson.AddStringToObject(object, name, clean);
	free(clean);
	return added ? 0 : -ENOMEM;
}

/* Adds a number as text, because JSON numbers are exact only up to 2^53. */
static void add_hex(cJSON *object, const char *name, uint64_t value)
{
	char text[24];
	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	cjson.AddStringToObject(object, name, text);
}

static void add_counts(cJSON *json, const struct run_result *result)
{
	cJSON *calls = cjson.AddObjectToObject(json, "kernel_calls");
	for (unsigned i = 0; i < STATS_CALLS; i++)
		if (result->stats.calls[i] && call_names[i])
			cjson.AddNumberToObject(calls, call_names[i], (double)result->stats.calls[i]);
	cjson.AddNumberToObject(json, "trapped_calls", (double)result->stats.trapped_calls);
	cJSON *code = cjson.AddObjectToObject(json, "code_made");
	for (unsigned i = 0; i < STATS_CODE_COUNT; i++)
		cjson.AddNumberToObject(code, code_names[i].json, (double)result->stats.code[i]);
	cJSON *traps = cjson.AddObjectToObject(json, "traps");
	for (unsigned i = 0; i < STATS_TRAPS_COUNT; i++)
		cjson.AddNumberToObject(traps, trap_names[i].json, (double)result->stats.traps[i]);
	cJSON *by_kind = cjson.AddObjectToObject(json, "exits");
	for (unsigned i = 0; i < DOORBELL_COUNTERS; i++)
		cjson.AddNumberToObject(by_kind, counter_names[i].json, (double)result->exits[i]);
}

_Static_assert(SUMMARY_PARTS_MAX >= PARTS_MAX, "events take the place of the run digest");

unsigned summary_parts(const struct run_config *config, const struct run_result *result,
                       struct summary_part to[SUMMARY_PARTS_MAX])
{
	struct part parts[PARTS_MAX];
	unsigned count = digest_parts(config, &result->digest, parts);
	to[0].name = "events";
	snprintf(to[0].text, sizeof(to[0].text), "%016" PRIx64 "%016" PRIx64, result->stats.chain[0],
	         result->stats.chain[1]);
	for (unsigned i = 0; i + 1 < count; i++) {
		to[i + 1].name = parts[i].name;
		digest_text(parts[i].sum, to[i + 1].text);
	}
	return count;
}

static void add_digest(cJSON *json, const struct run_config *config, const struct run_result *result)
{
	struct summary_part parts[SUMMARY_PARTS_MAX];
	char text[DIGEST_TEXT_BYTES];
	unsigned count = summary_parts(config, result, parts);
	digest_text(result->digest.all, text);
	cjson.AddStringToObject(json, "digest", text);
	cJSON *object = cjson.AddObjectToObject(json, "digest_parts");
	for (unsigned i = 0; i < count; i++)
		cjson.AddStringToObject(object, parts[i].name, parts[i].text);
}

/* Adds the files that the program has changed. */
static int add_changes(cJSON *json, const struct changes *changes)
{
	cJSON *array = cjson.AddArrayToObject(json, "changes");
	int error = 0;
	for (size_t i = 0; i < changes->count && !error; i++) {
		const struct change_record *record = changes->records[i];
		if (!change_is_told(record))
			continue;
		cJSON *object = cjson.CreateObject();
		if (!object)
			return -ENOMEM;
		cjson.AddItemToArray(array, object);
		error = add_text(object, "path", record->path);
		cjson.AddStringToObject(object, "what", change_name(record));
		cjson.AddBoolToObject(object, "saved", record->is_saved);
		if (record->lacks && changes->dir)
			cjson.AddStringToObject(object, "lacks", record->lacks);
	}
	return error;
}

static int add_terminal(cJSON *json, const struct run_config *config, const struct terminal_record *typed)
{
	char text[DIGEST_TEXT_BYTES];
	cJSON *terminal = cjson.AddObjectToObject(json, "terminal");
	int error = config->tty_term ? add_text(terminal, "term", config->tty_term) : 0;
	cjson.AddNumberToObject(terminal, "columns", config->tty_columns);
	cjson.AddNumberToObject(terminal, "rows", config->tty_rows);
	if (!has_typed(config))
		return error;
	cJSON *keys = cjson.AddObjectToObject(json, "typed");
	cjson.AddNumberToObject(keys, "keys", (double)typed->keys);
	cjson.AddNumberToObject(keys, "bytes", (double)typed->bytes);
	cjson.AddNumberToObject(keys, "waits", (double)typed->waits);
	digest_text(typed->sum, text);
	cjson.AddStringToObject(keys, "sum", text);
	return error;
}

/* Adds the image from which the run was made, and what was given in place of what it has. */
static int add_sealed(cJSON *json, const struct run_sealed *sealed)
{
	cJSON *object = cjson.AddObjectToObject(json, "sealed");
	int error = add_text(object, "identity", sealed->identity);
	if (!error)
		error = add_text(object, "step", sealed->step);
	cJSON *array = cjson.AddArrayToObject(object, "overrides");
	for (unsigned i = 0; i < sealed->override_count && !error; i++) {
		cJSON *option = cjson.CreateObject();
		cjson.AddItemToArray(array, option);
		error = add_text(option, "option", sealed->overrides[i]);
	}
	cjson.AddBoolToObject(object, "other_arguments", sealed->other_arguments);
	return error;
}

/* Adds what a recording had no answer to, so that a reader does not compare the digest. */
static void add_misses(cJSON *json, const struct net_misses *misses)
{
	if (!(misses->connections + misses->questions + misses->datagrams))
		return;
	cJSON *object = cjson.AddObjectToObject(json, "missed");
	cjson.AddNumberToObject(object, "connections", (double)misses->connections);
	cjson.AddNumberToObject(object, "questions", (double)misses->questions);
	cjson.AddNumberToObject(object, "datagrams", (double)misses->datagrams);
}

int summary_json(FILE *to, const struct run_config *config, const struct run_result *result)
{
	cJSON *json = cjson.CreateObject();
	if (!json)
		return -ENOMEM;
	cjson.AddNumberToObject(json, "schema", 1);
	cjson.AddStringToObject(json, "eremite", EREMITE_VERSION);
	int error = add_text(json, "image", config->program); /* the Linux program, not the image that runs it */
	cjson.AddStringToObject(json, "end", summary_end_name(result->end));
	cjson.AddNumberToObject(json, "status", result->status);
	if (config->sealed && !error)
		error = add_sealed(json, config->sealed);
	if (result->message[0] && !error)
		error = add_text(json, "message", result->message);
	if (result->warning[0] && !error)
		error = add_text(json, "warning", result->warning);
	add_hex(json, "seed", config->seed);
	cjson.AddStringToObject(json, "engine", result->engine);
	cjson.AddStringToObject(json, "cpu", cpu_host_model_names[config->cpu.model]);
	cjson.AddNumberToObject(json, "cpus", config->cpu.processors);
	cjson.AddNumberToObject(json, "uptime", (double)config->uptime_s);
	if (config->has_layout_seed)
		add_hex(json, "layout_seed", config->layout_seed);
	if (config->linux_program) {
		cjson.AddStringToObject(json, "file_times", config->file_times);
		cjson.AddStringToObject(json, "unknown_syscall", info_calls_unknown[config->unknown_calls]);
		if (config->sched.points.ticks) /* without it: calls, as in older summaries */
			cjson.AddStringToObject(json, "clock", "work");
	}
	if (config->root && config->root->has_identity) {
		char text[DIGEST_TEXT_BYTES];
		digest_text(config->root->identity, text);
		cjson.AddStringToObject(json, "root", text);
	}
	if (config->tty && !error)
		error = add_terminal(json, config, &result->typed);
	cjson.AddNumberToObject(json, "memory_bytes", (double)config->memory_bytes);
	cjson.AddNumberToObject(json, "virtual_ns", (double)result->stats.virtual_ns);
	cjson.AddNumberToObject(json, "events", (double)result->stats.events);
	cjson.AddNumberToObject(json, "memory_peak_bytes", (double)result->stats.memory_peak_bytes);
	cJSON *wall = cjson.AddObjectToObject(json, "wall_ns");
	cjson.AddNumberToObject(wall, "all", (double)result->wall_ns);
	cjson.AddNumberToObject(wall, "setup", (double)result->setup_ns);
	cjson.AddNumberToObject(wall, "guest", (double)result->guest_ns);
	cjson.AddNumberToObject(wall, "teardown", (double)result->teardown_ns);
	add_counts(json, result);
	summary_threads_json(json, config, result);
	summary_processes_json(json, result);
	if (config->changes && config->changes->is_complete && !error)
		error = add_changes(json, config->changes);
	add_misses(json, &result->misses);
	add_digest(json, config, result);
	char *printed = error ? NULL : cjson.Print(json);
	cjson.Delete(json);
	if (!printed)
		return -ENOMEM;
	int failed = fprintf(to, "%s\n", printed) < 0;
	cjson.free(printed);
	return failed ? -EIO : 0;
}
