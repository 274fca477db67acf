/* SPDX-License-Identifier: MIT */
/* What the shards have learnt is joined in the order of their numbers, whatever the order of the files, so each shard
 * begins a round with the same. Files are read twice, because all of them may be too much for the memory of a node. */
#include "search/shards/search_rounds.h"

#include <stdlib.h>
#include <string.h>

#include "base/commit.h"
#include "base/die.h"
#include "base/error.h"
#include "library/cjson.h"
#include "sealed/image_text.h"
#include "search/results/search_results.h"
#include "search/search_input.h"
#include "search/shards/search_shard.h"

static struct {
	const struct search_learnt **by_shard; /* by their numbers less one */
	const struct search_learnt *first;     /* which was read first */
	unsigned round;                        /* of these files */
} learnt;

static struct json_in in_of(const struct search_learnt *file)
{
	return (struct json_in){"search", "--learnt", file->name, "the results of a shard"};
}

static cJSON *read_learnt(const struct search_learnt *file)
{
	const struct json_in in = in_of(file);
	return file->text ? json_in_parse(&in, file->text, file->bytes) : json_in_read(&in);
}

/* --- which round --- */

/* Ends eremite if a file is of another search than this one. */
static void check_search(const struct search_option *option, const struct json_in *in, const cJSON *json,
                         const cJSON *shard)
{
	char *line = search_results_line(option);
	const char *search = json_in_bytes(in, json, "search"),
		   *sha256 = json_in_text_or_null(in, json, "program_sha256");
	const cJSON *input = cjson.GetObjectItemCaseSensitive(json, "input");
	const bool has_rounds = cjson.GetObjectItemCaseSensitive(shard, "rounds");
	if (strcmp(search, line))
		die("search: --learnt: %s has the results of another search, %s; give its options and its program",
		    in->path, image_text_shown(search));
	free(line);
	if (json_in_number(in, shard, "of", 1, SHARDS_MAX) != option->shard.shards || !has_rounds ||
	    json_in_number(in, shard, "rounds", 1, SEARCH_ROUNDS_MAX) != option->rounds ||
	    json_in_number(in, shard, "runs", 1, UINT32_MAX) != option->all_runs)
		die("search: --learnt: %s is of a search with another number of shards, rounds or tries", in->path);
	if (sha256 && *option->program_sha256 && strcmp(sha256, option->program_sha256))
		die("search: --learnt: %s has the results of another %s, or of other files that its arguments name",
		    in->path, option->program[0]);
	if ((input ? json_in_number(in, input, "bytes", 1, JSON_IN_COUNT_MAX) : 0) != search_input_bytes())
		die("search: --learnt: %s is of a search with another standard input", in->path);
	const char *eremite = json_in_text_or_null(in, shard, "eremite");
	if (eremite && strcmp(eremite, commit_version))
		die("search: --learnt: %s was made by %s, and this is %s; make all rounds by one of them", in->path,
		    image_text_shown(eremite), commit_version);
	if (cjson.IsTrue(cjson.GetObjectItemCaseSensitive(json, "interrupted")) ||
	    cjson.GetObjectItemCaseSensitive(json, "error"))
		die("search: --learnt: %s is of a shard that was stopped; let it go on before the next round",
		    in->path);
}

/* Notes the shard of a file. */
static void note_learnt(const struct search_option *option, const struct search_learnt *file)
{
	const struct json_in in = in_of(file);
	cJSON *json = read_learnt(file);
	json_in_number(&in, json, "schema", 1, 1);
	const cJSON *shard = cjson.GetObjectItemCaseSensitive(json, "shard");
	if (!shard)
		json_in_reject(&in, "shard");
	check_search(option, &in, json, shard);
	const unsigned round = (unsigned)json_in_number(&in, shard, "round", 1, option->rounds),
		       number = (unsigned)json_in_number(&in, shard, "number", 1, option->shard.shards);
	if (learnt.first && round != learnt.round)
		die("search: --learnt: %s is of round %u, and %s of round %u; give the files of one round",
		    learnt.first->name, learnt.round, file->name, round);
	if (round == option->rounds)
		die("search: --learnt: %s is of the last round; report all by 'eremite search --merge FILE...'",
		    file->name);
	learnt.first = learnt.first ? learnt.first : file;
	learnt.round = round;
	if (!learnt.by_shard[number - 1])
		learnt.by_shard[number - 1] = file;
	cjson.Delete(json);
}

static void note_all_learnt(const struct search_option *option)
{
	learnt.by_shard = calloc(option->shard.shards, sizeof(*learnt.by_shard));
	if (!learnt.by_shard)
		die("out of memory");
	for (int i = 0; i < option->learnt_count; i++)
		note_learnt(option, &option->learnt[i]);
	for (unsigned shard = 1; learnt.first && shard <= option->shard.shards; shard++)
		if (!learnt.by_shard[shard - 1])
			die("search: --learnt: shard %u of %u of round %u is missing; give the files of all shards",
			    shard, option->shard.shards, learnt.round);
}

void search_rounds_open(struct search_option *option)
{
	struct error error;
	if (!option->rounds)
		return;
	if (cjson_load(&error))
		die("%s", error.text);
	note_all_learnt(option);
	option->round = learnt.round + 1;
	option->runs = search_shard_runs_of_round(option);
	if (!option->resume && learnt.first) {
		option->resume = (char *)learnt.by_shard[option->shard.shard - 1]->name;
		option->begins_round = true;
	}
}

cJSON *search_rounds_own(const struct search_option *option, struct json_in *in)
{
	if (!option->begins_round)
		return NULL;
	const struct search_learnt *file = learnt.by_shard[option->shard.shard - 1];
	*in = in_of(file);
	return read_learnt(file);
}

/* --- what was learnt --- */

/* Adds what a shard has learnt to what this one knows. */
static void learn_shard(const struct search_option *option, unsigned number)
{
	static struct search_feedback from;
	bool has_feedback[SEARCH_MEMBERS_MAX];
	const struct json_in in = in_of(learnt.by_shard[number - 1]);
	struct search_feedback *to = option->feedback;
	for (unsigned i = 0; i < to->member_count; i++)
		has_feedback[i] = to->member[i].has_feedback;
	search_feedback_init(&from, to->seed, search_shard_common(option) + 1, has_feedback, to->member_count);
	cJSON *json = read_learnt(learnt.by_shard[number - 1]);
	char *lines = json_in_lines(&in, json, "feedback");
	if (!search_feedback_parse_learnt(&from, lines, json_in_number(&in, json, "tries", 0, UINT32_MAX)))
		json_in_reject(&in, "feedback");
	search_feedback_join(to, &from, number == option->shard.shard);
	search_feedback_fini(&from);
	free(lines);
	cjson.Delete(json);
}

void search_rounds_learn(const struct search_option *option, uint64_t tries)
{
	for (unsigned shard = 1; shard <= option->shard.shards; shard++)
		learn_shard(option, shard);
	search_feedback_begin_round(option->feedback, tries, option->shard.shards);
}
