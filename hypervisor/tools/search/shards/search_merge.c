/* SPDX-License-Identifier: MIT */
/* A way to fail is known by its end, stacks and failed tests, as within one search. What all shards have made, the
 * first tries, counts once. */
#include "search/shards/search_merge.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clean_text.h"
#include "base/die.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/exit_status.h"
#include "base/hold_stops.h"
#include "base/text.h"
#include "library/json_in.h"
#include "sealed/image_text.h"
#include "search/results/search_write.h"
#include "search/search_input.h"
#include "search/search_resume.h"
#include "search/shards/search_shard.h"

#define SHARDS_NAMED_MAX 8U
#define WAYS_MAX (1U << 24) /* to fail; each takes a kilobyte or more */

/* What a file says of its shard. */
struct shard {
	unsigned number;
	uint64_t common, common_failures, common_timeouts;
	bool is_first; /* of the merge: the common tries count */
};

static void free_distinct(struct search_distinct *distinct)
{
	free(distinct->identity);
	free(distinct->end);
	free(distinct->stacks);
	free(distinct->command);
	free(distinct->differs);
	search_said_fini(&distinct->said);
}

/* The index that a way to fail has, or gets: shards may have found thousands of them. */
static size_t index_of_way(struct search_merge *merge, const struct json_in *in, const char *identity)
{
	struct digest_sum sum;
	uint8_t bytes[DIGEST_BYTES];
	uint64_t words[2];
	bool is_new;
	if (!merge->ways.max) {
		merge->ways.max = WAYS_MAX;
		pair_secret_init(&merge->secret);
	}
	digest_begin(&sum);
	digest_add(&sum, identity, strlen(identity));
	digest_end(&sum, bytes);
	memcpy(words, bytes, sizeof(words));
	const uint32_t at = pair_table_index(&merge->ways, &merge->secret, words[0], words[1], &is_new);
	if (at == PAIR_TABLE_NONE)
		die("search: %s: there are more than %u ways to fail", in->option, WAYS_MAX);
	return at;
}

/* Adds a way to fail, or joins it with the same one of another shard: the first try of both is shown. */
static void add_distinct(struct search_merge *merge, const struct json_in *in, struct search_distinct *distinct)
{
	struct search_results *results = &merge->results;
	const size_t at = index_of_way(merge, in, distinct->identity);
	if (at < results->distinct_count) {
		struct search_distinct *known = &results->distinct[at];
		const uint64_t count = known->count + distinct->count;
		if (distinct->first_try < known->first_try) {
			const struct search_distinct later = *known;
			*known = *distinct;
			*distinct = later;
		}
		known->count = count;
		free_distinct(distinct);
		return;
	}
	if (!array_reserve(results->distinct, results->distinct_room, results->distinct_count + 1))
		die("out of memory");
	results->distinct[results->distinct_count++] = *distinct;
}

static int by_first_try(const void *a, const void *b)
{
	const struct search_distinct *left = a, *right = b;
	return left->first_try < right->first_try ? -1 : left->first_try > right->first_try;
}

/* The length of the standard input of the tries; 0: none. */
static uint64_t input_bytes(const struct json_in *in, const cJSON *json)
{
	const cJSON *input = cjson.GetObjectItemCaseSensitive(json, "input");
	return input ? json_in_number(in, input, "bytes", 1, JSON_IN_COUNT_MAX) : 0;
}

/* The path of that input; NULL: not known. */
static const char *input_file(const struct json_in *in, const cJSON *input)
{
	return cjson.GetObjectItemCaseSensitive(input, "file") ? json_in_bytes(in, input, "file") : NULL;
}

/* The number of rounds of a search; 0: without --rounds. */
static unsigned rounds_of(const struct json_in *in, const cJSON *shard)
{
	return cjson.GetObjectItemCaseSensitive(shard, "rounds")
	               ? (unsigned)json_in_number(in, shard, "rounds", 1, SEARCH_ROUNDS_MAX)
	               : 0;
}

/* Takes what all shards of a search have in common from the first file. */
static void begin_merge(struct search_merge *merge, const struct json_in *in, const cJSON *json, unsigned shards,
                        uint64_t runs)
{
	merge->first = text_of("%s", in->path);
	merge->line = text_of("%s", json_in_bytes(in, json, "search"));
	const cJSON *shard = cjson.GetObjectItemCaseSensitive(json, "shard");
	merge->options = text_of("%s", json_in_bytes(in, shard, "options"));
	merge->arguments = text_of("%s", json_in_bytes(in, shard, "arguments"));
	merge->runs = runs;
	merge->option = (struct search_option){
		.shard.shards = shards,
		.rounds = rounds_of(in, shard),
		.seed = json_in_number(in, json, "search_seed", 0, UINT32_MAX),
		.vary = search_inputs_read(in, json, "vary"),
		.has_few_points = cjson.IsTrue(cjson.GetObjectItemCaseSensitive(json, "few_points")),
		.finds_races = cjson.GetObjectItemCaseSensitive(json, "races"),
		.failures.race = cjson.IsTrue(cjson.GetObjectItemCaseSensitive(
			cjson.GetObjectItemCaseSensitive(json, "shard"), "fails_on_race")),
		.given = merge->line,
		.program = calloc(1, sizeof(char *)),
		.program_count = 1};
	merge->has_shard = calloc(shards, sizeof(*merge->has_shard));
	merge->most = merge->most ? merge->most : calloc(shards, sizeof(*merge->most));
	merge->failed = calloc(shards, sizeof(*merge->failed));
	if (!merge->has_shard || !merge->most || !merge->failed || !merge->option.program)
		die("out of memory");
	merge->option.program[0] = text_of("%s", json_in_bytes(in, json, "program"));
	const cJSON *input = cjson.GetObjectItemCaseSensitive(json, "input");
	merge->input_bytes = input_bytes(in, json);
	if (input)
		search_input_describe(merge->input_bytes, input_file(in, input));
	if (merge->option.finds_races)
		search_races_read(&merge->results.races, in, json);
}

static void check_same(const struct search_merge *merge, const struct json_in *in, const cJSON *json, unsigned shards,
                       uint64_t runs)
{
	const char *line = json_in_bytes(in, json, "search");
	if (strcmp(line, merge->line))
		die("search: --merge: %s and %s are of different searches: %s; and %s", merge->first, in->path,
		    image_text_shown(merge->line), image_text_shown(line));
	if (shards != merge->option.shard.shards || runs != merge->runs)
		die("search: --merge: %s and %s are of different searches: they have another number of shards or "
		    "tries",
		    merge->first, in->path);
	if (rounds_of(in, cjson.GetObjectItemCaseSensitive(json, "shard")) != merge->option.rounds)
		die("search: --merge: %s and %s are of different searches: they have another number of rounds",
		    merge->first, in->path);
	if (input_bytes(in, json) != merge->input_bytes)
		die("search: --merge: %s and %s are of different searches: they have read another standard input",
		    merge->first, in->path);
}

/* All shards are of one program. Results without its hash are of an older eremite. */
static void check_program(struct search_merge *merge, const struct json_in *in, const cJSON *json)
{
	char *known = merge->option.program_sha256;
	const size_t room = sizeof(merge->option.program_sha256);
	const char *sha256 = json_in_text_or_null(in, json, "program_sha256");
	if (!sha256)
		return;
	if (strlen(sha256) != room - 1)
		json_in_reject(in, "program_sha256");
	if (merge->hashed && strcmp(sha256, known))
		die("search: --merge: %s and %s are of different programs, or other files that their arguments name, "
		    "although both ran %s; make the shards of one of them again",
		    merge->hashed, in->path, merge->option.program[0]);
	if (!merge->hashed)
		merge->hashed = text_of("%s", in->path);
	memcpy(known, sha256, room);
}

/* All shards are made by one version of eremite: another one may make other tries. Results without it are of an older
 * one, which does not say it. */
static void check_version(struct search_merge *merge, const struct json_in *in, const cJSON *shard)
{
	const char *eremite = json_in_text_or_null(in, shard, "eremite");
	if (!eremite)
		return;
	if (merge->eremite && strcmp(eremite, merge->eremite))
		die("search: --merge: %s was made by %s, and %s by %s; make the shards of one of them again",
		    merge->made, image_text_shown(merge->eremite), in->path, image_text_shown(eremite));
	if (!merge->eremite) {
		merge->eremite = text_of("%s", eremite);
		merge->made = text_of("%s", in->path);
	}
}

/* All shards have made the same first tries. */
static void check_common(struct search_merge *merge, const struct json_in *in, const struct shard *shard)
{
	if (!merge->common) {
		merge->common = shard->common;
		merge->common_failures = shard->common_failures;
		merge->common_timeouts = shard->common_timeouts;
	}
	if (shard->common != merge->common || shard->common_failures != merge->common_failures ||
	    shard->common_timeouts != merge->common_timeouts)
		die("search: --merge: %s and %s have other results of the first tries, which all shards make; make the "
		    "shards again",
		    merge->first, in->path);
}

/* Checks that a shard makes the try that has failed first. */
static void check_first_try(const struct search_merge *merge, const struct json_in *in, const struct shard *shard,
                            uint64_t first_try)
{
	const unsigned shards = merge->option.shard.shards;
	if (first_try > shard->common && (first_try - shard->common - 1) % shards + 1 != shard->number)
		json_in_reject(in, "first_try");
}

/* Adds the counts and the ways to fail of a shard. */
static void add_counts(struct search_merge *merge, const struct json_in *in, const cJSON *json,
                       const struct shard *shard)
{
	struct search_results *results = &merge->results;
	const struct shard_option share = {.shard = shard->number, .shards = merge->option.shard.shards};
	const uint64_t most = search_shard_share(&share, shard->common, merge->runs);
	const uint64_t tries = json_in_number(in, json, "tries", shard->common, most),
		       failures = json_in_number(in, json, "failures", shard->common_failures, tries),
		       timeouts = json_in_number(in, json, "timeouts", shard->common_timeouts, tries);
	results->tries += tries - (shard->is_first ? 0 : shard->common);
	results->timeouts += timeouts - (shard->is_first ? 0 : shard->common_timeouts);
	results->seconds += json_in_real(in, json, "seconds");
	uint64_t counted = 0, counted_common = 0;
	for (const cJSON *at = json_in_array(in, json, "distinct"); at; at = at->next) {
		struct search_distinct distinct = search_distinct_read(in, at, merge->runs);
		check_first_try(merge, in, shard, distinct.first_try);
		const uint64_t count = json_in_number(in, at, "count", 1, failures),
			       common = json_in_number(in, at, "common", 0, count);
		counted += count;
		counted_common += common;
		distinct.count = count - (shard->is_first ? 0 : common);
		if (distinct.count)
			add_distinct(merge, in, &distinct);
		else
			free_distinct(&distinct);
	}
	if (counted != failures || counted_common != shard->common_failures)
		json_in_reject(in, "failures");
	merge->failed[shard->number - 1] = failures;
	results->failures += failures - (shard->is_first ? 0 : shard->common_failures);
	if (cjson.GetObjectItemCaseSensitive(json, "orders"))
		search_pairs_read(&results->pairs, in, json);
	for (unsigned i = 0; i < results->pairs.count; i++)
		results->pairs.all[i].is_made = true;
}

/* Whether a file has no more than its shard had when it was stopped, or ended by an error. */
static bool is_incomplete(const cJSON *json)
{
	return cjson.IsTrue(cjson.GetObjectItemCaseSensitive(json, "interrupted")) ||
	       cjson.GetObjectItemCaseSensitive(json, "error");
}

/* Notes how many tries a complete file has. Returns whether it is the one of its shard that counts: a second copy of a
 * shard may have been stopped by --time or --stop-file where the first one was not. */
static bool note_most(struct search_merge *merge, const struct json_in *in, const cJSON *json, unsigned shard)
{
	const uint64_t tries = json_in_number(in, json, "tries", 0, merge->runs);
	if (merge->has_shard[shard - 1]) {
		if (!merge->has_more && tries && tries == merge->most[shard - 1] &&
		    json_in_number(in, json, "failures", 0, tries) != merge->failed[shard - 1])
			die("search: --merge: %s is of shard %u, as another file is, and they differ; make the shard "
			    "again",
			    in->path, shard);
		merge->has_more |= tries > merge->most[shard - 1];
		merge->most[shard - 1] = tries > merge->most[shard - 1] ? tries : merge->most[shard - 1];
		return false;
	}
	if (tries < merge->most[shard - 1])
		return false;
	merge->most[shard - 1] = tries;
	return true;
}

void search_merge_add(struct search_merge *merge, const char *path, cJSON *json)
{
	const struct json_in in = {"search", "--merge", path, "the results of a shard"};
	json_in_number(&in, json, "schema", 1, 1);
	const cJSON *about = cjson.GetObjectItemCaseSensitive(json, "shard");
	if (!about)
		json_in_reject(&in, "shard");
	const unsigned shards = (unsigned)json_in_number(&in, about, "of", 1, SHARDS_MAX);
	const uint64_t runs = json_in_number(&in, about, "runs", 1, UINT32_MAX);
	struct shard shard = {.number = (unsigned)json_in_number(&in, about, "number", 1, shards),
	                      .common = json_in_number(&in, about, "common", 1, UINT32_MAX),
	                      .is_first = !merge->results.tries};
	shard.common_failures = json_in_number(&in, about, "failures", 0, shard.common);
	shard.common_timeouts = json_in_number(&in, about, "timeouts", 0, shard.common);
	if (merge->line)
		check_same(merge, &in, json, shards, runs);
	else
		begin_merge(merge, &in, json, shards, runs);
	check_program(merge, &in, json);
	check_version(merge, &in, about);
	if (is_incomplete(json))
		return;
	if (merge->option.rounds && json_in_number(&in, about, "round", 1, merge->option.rounds) < merge->option.rounds)
		return; /* the results of the last round have those of all */
	if (!note_most(merge, &in, json, shard.number))
		return;
	shard.common = shard.common < runs ? shard.common : runs;
	merge->has_shard[shard.number - 1] = true;
	const bool is_stopped = cjson.IsTrue(cjson.GetObjectItemCaseSensitive(about, "stopped"));
	merge->was_stopped |= is_stopped;
	if (is_stopped && json_in_number(&in, json, "tries", 0, runs) < shard.common)
		return; /* another shard's failure has stopped it before the first tries were made */
	check_common(merge, &in, &shard);
	add_counts(merge, &in, json, &shard);
}

/* Prints the shards that are missing, with the commands that make them. Returns how many there are. */
static unsigned say_missing_shards(const struct search_merge *merge)
{
	unsigned missing = 0;
	const unsigned shards = merge->option.shard.shards;
	char *options = image_text_shown(merge->options), *arguments = image_text_shown(merge->arguments);
	for (unsigned i = 0; i < shards; i++) {
		if (merge->has_shard[i])
			continue;
		if (missing++ >= SHARDS_NAMED_MAX)
			continue;
		if (merge->option.rounds > 1)
			say("search: shard %u of %u has not made all %u rounds, or was stopped; make the next one by: "
			    "eremite search %s --shard=%u --learnt FILE... --results=json:FILE -- %s; the first round "
			    "is made without --learnt",
			    i + 1, shards, merge->option.rounds, options, i + 1, arguments);
		else
			say("search: shard %u of %u is missing, or was stopped; make it by: eremite search %s "
			    "--shard=%u "
			    "--results=json:FILE -- %s%s",
			    i + 1, shards, options, i + 1, arguments,
			    merge->input_bytes ? "; give it the same standard input" : "");
	}
	free(options);
	free(arguments);
	if (missing > SHARDS_NAMED_MAX)
		say("search: %u more shards are missing", missing - SHARDS_NAMED_MAX);
	return missing;
}

/* Says what the shards lack of the search. Returns it in a few words; NULL: nothing. */
static const char *find_lack(const struct search_merge *merge)
{
	if (say_missing_shards(merge))
		return "shards are missing";
	if (merge->was_stopped && !merge->results.failures) {
		say("search: --merge: --stop-file has stopped shards, but none of them has a failure: the file was "
		    "there "
		    "before; remove it, and make the shards again");
		return "shards were stopped without a failure";
	}
	if (!merge->results.tries) {
		say("search: --merge: no shard has made a try");
		return "no try was made";
	}
	return NULL;
}

int search_merge_put(const struct search_option *option, struct search_merge *merge)
{
	struct search_results *results = &merge->results;
	qsort(results->distinct, results->distinct_count, sizeof(*results->distinct), by_first_try);
	results->error = find_lack(merge);
	results->is_partial = results->error;
	if (!search_write(option, results, &merge->option))
		return EXIT_EREMITE;
	return results->error ? EXIT_EREMITE : search_results_fail(results, &merge->option);
}

static void add_files(struct search_merge *merge, const struct search_option *option)
{
	for (int i = 0; i < option->program_count; i++) {
		const struct json_in in = {"search", "--merge", option->program[i], "the results of a shard"};
		cJSON *json = json_in_read(&in);
		search_merge_add(merge, option->program[i], json);
		cjson.Delete(json);
	}
}

int search_merge_files(const struct search_option *option)
{
	static struct search_merge merges[2]; /* too large for a stack */
	struct error error;
	if (cjson_load(&error))
		die("%s", error.text);
	search_write_check(option);
	add_files(&merges[0], option);
	if (!merges[0].has_more)
		return search_merge_put(option, &merges[0]);
	/* What counts of each shard is known now, whatever the order of the files. */
	merges[1].most = merges[0].most;
	add_files(&merges[1], option);
	return search_merge_put(option, &merges[1]);
}

/* --- all shards on one machine --- */

static volatile pid_t running;        /* the process of the shard that is being made; 0: none */
static volatile sig_atomic_t stopped; /* the signal that ends the search; 0: none */

static void on_stop(int sig)
{
	stopped = sig;
	if (running)
		kill(running, sig);
}

/* Sets what a signal does that ends the search, unless it is ignored (nohup(1)). */
static void handle_stops(void (*handler)(int))
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	const struct sigaction action = {.sa_handler = handler};
	struct sigaction old;
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaction(signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

/* Makes a shard in a child. Returns the exit status, as a shell has it. */
static int make_shard(struct search_option *option, unsigned shard, int (*make)(FILE *to), FILE *to)
{
	int status = 0;
	const pid_t parent = getpid();
	sigset_t before;
	fflush(NULL);
	hold_stops_begin(&before); /* until on_stop knows the child */
	const pid_t child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
		handle_stops(SIG_DFL);
		hold_stops_end(&before);
		if (getppid() != parent)
			_exit(EXIT_EREMITE);
		option->shard.shard = shard;
		option->shard.exits_by_result = false; /* the whole search does */
		option->runs = search_shard_runs(option, option->all_runs);
		const int result = make(to);
		_exit(fflush(to) || ferror(to) ? EXIT_EREMITE : result);
	}
	if (child < 0)
		die("search: cannot start a process: %s", strerror(errno));
	running = child;
	hold_stops_end(&before);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	running = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_SIGNAL_BASE + WTERMSIG(status);
}

/* Returns the results that a child has written. */
static struct search_learnt read_shard(unsigned shard, FILE *from)
{
	const off_t bytes = lseek(fileno(from), 0, SEEK_END);
	struct search_learnt made = {.name = text_of("shard %u", shard), .bytes = bytes > 0 ? (size_t)bytes : 0};
	made.text = bytes > 0 ? malloc(made.bytes) : NULL;
	if (!made.text || pread(fileno(from), made.text, made.bytes, 0) != bytes)
		die("search: cannot read the results of %s", made.name);
	return made;
}

static void add_shard(struct search_merge *merge, const struct search_learnt *made)
{
	const struct json_in in = {"search", "--shards", made->name, "the results of a shard"};
	cJSON *json = json_in_parse(&in, made->text, made->bytes);
	search_merge_add(merge, made->name, json);
	cjson.Delete(json);
}

/* Makes a round of all shards, whose results are the next ones to learn from. Returns the exit status of the shard that
 * was stopped; 0: none was. */
static int make_round(struct search_option *option, int (*make)(FILE *to), struct search_merge *merge, bool is_last)
{
	struct search_learnt *made = calloc(option->shard.shards, sizeof(*made));
	int status = 0;
	if (!made)
		die("out of memory");
	for (unsigned shard = 1; shard <= option->shard.shards && !status && !stopped; shard++) {
		FILE *to = tmpfile();
		if (!to)
			die("search: cannot make a temporary file: %s", strerror(errno));
		status = make_shard(option, shard, make, to);
		if (status && status < EXIT_SIGNAL_BASE)
			exit(status); /* the shard has said why */
		if (!status) {
			made[shard - 1] = read_shard(shard, to);
			if (is_last) {
				add_shard(merge, &made[shard - 1]);
				free(made[shard - 1].text);
				made[shard - 1].text = NULL;
			}
		}
		fclose(to);
	}
	for (int i = 0; i < option->learnt_count; i++)
		free(option->learnt[i].text);
	free(option->learnt);
	option->learnt = made;
	option->learnt_count = (int)option->shard.shards;
	return status;
}

int search_merge_make(struct search_option *option, int (*make)(FILE *to))
{
	static struct search_merge merge; /* too large for a stack */
	const unsigned rounds = option->rounds ? option->rounds : 1;
	struct error error;
	int status = 0;
	if (cjson_load(&error))
		die("%s", error.text);
	handle_stops(on_stop);
	for (unsigned round = 1; round <= rounds && !status && !stopped; round++)
		status = make_round(option, make, &merge, round == rounds);
	if (!merge.line) {
		say("search: it was stopped before a shard was complete; start it again");
		return status ? status : EXIT_SIGNAL_BASE + stopped;
	}
	const int whole = search_merge_put(option, &merge);
	return status ? status : whole == EXIT_EREMITE && stopped ? EXIT_SIGNAL_BASE + stopped : whole;
}
