/* SPDX-License-Identifier: MIT */
/* An increment that is compiled into a load and a store makes several races of instructions. For a user it is one race
 * between two lines. */
#include "report/search_races.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi/sched_reads.h"
#include "base/array.h"
#include "base/clean_text.h"
#include "base/memory.h"
#include "base/text.h"
#include "library/json_out.h"
#include "report/plain_source.h"
#include "report/runtime_names.h"
#include "symbolize/system_file.h"

#define SHOWN_MAX 20U    /* of each class, in text; JSON has all */
#define RACES_MAX 10000U /* the guest may be hostile */

/* --- what a try has left --- */

const char *search_frame_source(const char *frame, size_t *bytes)
{
	const char *from = NULL, *end = strrchr(frame, ')');
	for (const char *comma = strchr(frame, '('); comma; comma = strstr(comma + 1, ", "))
		from = comma + (*comma == ',' ? 2 : 1);
	const char *colon = from && end ? memrchr(from, ':', (size_t)(end - from)) : NULL;
	if (!colon || colon[1] < '0' || colon[1] > '9')
		return NULL;
	*bytes = (size_t)(end - from);
	return from;
}

/* The line in a frame, with the name of its file; NULL: it has none. */
static const char *line_in(const char *frame, size_t *bytes)
{
	const char *from = search_frame_source(frame, bytes);
	const char *slash = from ? memrchr(from, '/', *bytes) : NULL;
	*bytes -= slash ? (size_t)(slash + 1 - from) : 0;
	return slash ? slash + 1 : from;
}

/* Returns the place that is shown: the innermost line that is the user's, else the innermost one. */
static char *place_of(const char *frames)
{
	char *copy = text_of("%s", frames), *rest = copy, *best = copy;
	bool has_line = false, has_own = false;
	size_t bytes;
	for (char *frame; (frame = strsep(&rest, "\n"));) {
		const char *source = search_frame_source(frame, &bytes);
		const bool is_own = source && !system_file_is(source, bytes);
		if (!source || (has_line && (!is_own || has_own)))
			continue;
		best = frame;
		has_line = true;
		has_own = is_own;
	}
	const char *line = line_in(best, &bytes);
	char *place = line ? text_of("%.*s", (int)bytes, line) : text_of("%s", best);
	free(copy);
	return place;
}

/* Takes frames with tabs between. */
static void set_frames(struct search_access *access, char *text)
{
	size_t bytes;
	FILE *to = memory_or_die(open_memstream(&access->frames, &bytes));
	for (char *frame; (frame = strsep(&text, "\t"));) {
		clean_text(frame, strlen(frame));
		fprintf(to, "%s%s", ftell(to) ? "\n" : "", frame);
	}
	memory_check(!fclose(to));
	access->place = place_of(access->frames);
	access->key = text_of("%s", access->place);
}

void search_access_add_callers(struct search_access *access, const char *callers)
{
	char *frames = text_of("%s%s", access->frames, callers);
	free(access->frames);
	free(access->place);
	access->frames = frames;
	access->place = place_of(frames);
	access->note = 0; /* once is enough */
}

/* Takes a line "at rw 3 17 0x401136 FRAME<tab>FRAME". */
static bool take_access(struct search_access *access, uint32_t *site, char *line)
{
	char kind[3];
	uint64_t address;
	int used = 0;
	if (!line ||
	    sscanf(line, "at %2s %" SCNu32 " %" SCNu64 " 0x%" SCNx64 " %n", kind, &access->thread, &access->note,
	           &address, &used) != 4 ||
	    !used)
		return false;
	*site = address & SCHED_SITE_MASK;
	access->reads = strchr(kind, 'r');
	access->writes = strchr(kind, 'w');
	access->frees = strchr(kind, 'f');
	set_frames(access, line + used);
	return true;
}

static void free_race(struct search_race *race)
{
	for (unsigned side = 0; side < 2; side++) {
		free(race->at[side].key);
		free(race->at[side].place);
		free(race->at[side].frames);
	}
	free(race->object);
}

/* Orders of two accesses that change places. */
static uint8_t turn_orders(uint8_t seen)
{
	return (uint8_t)((seen & 1U) << 1 | seen >> 1);
}

/* The access that writes comes first; of two that do, the one whose place is first in the alphabet. */
static void order_sides(struct search_race *race)
{
	const struct search_access first = race->at[0];
	const int by_place = strcmp(race->at[0].key, race->at[1].key);
	const bool turns = race->at[0].writes == race->at[1].writes ? by_place > 0 : !race->at[0].writes;
	if (!turns)
		return;
	race->at[0] = race->at[1];
	race->at[1] = first;
	for (unsigned i = 0; i < race->pair_count; i++) {
		const uint32_t site = race->pairs[i].site[0];
		race->pairs[i].site[0] = race->pairs[i].site[1];
		race->pairs[i].site[1] = site;
		race->pairs[i].seen = turn_orders(race->pairs[i].seen);
	}
}

static bool is_same_race(const struct search_race *a, const struct search_race *b)
{
	const bool has_symbols = strncmp(a->object, "0x", 2) && strncmp(b->object, "0x", 2);
	const bool is_straight = !strcmp(a->at[0].key, b->at[0].key) && !strcmp(a->at[1].key, b->at[1].key),
		   is_turned = !strcmp(a->at[0].key, b->at[1].key) && !strcmp(a->at[1].key, b->at[0].key);
	return (is_straight || is_turned) && (!has_symbols || !strcmp(a->object, b->object));
}

/* Adds the pair of instructions of another race between the same lines. */
static void merge_pair(struct search_race *known, const struct search_race *race, bool is_turned)
{
	const struct search_race_pair pair = {{race->pairs[0].site[is_turned], race->pairs[0].site[!is_turned]},
	                                      is_turned ? turn_orders(race->pairs[0].seen) : race->pairs[0].seen};
	for (unsigned i = 0; i < known->pair_count; i++)
		if (known->pairs[i].site[0] == pair.site[0] && known->pairs[i].site[1] == pair.site[1]) {
			known->pairs[i].seen |= pair.seen;
			return;
		}
	if (known->pair_count < SEARCH_RACE_PAIRS)
		known->pairs[known->pair_count++] = pair;
}

/* Adds a race, or merges it with one between the same lines. */
static void merge_race(struct search_races *races, struct search_race *race)
{
	for (size_t i = 0; i < races->count; i++) {
		struct search_race *known = &races->all[i];
		if (!is_same_race(known, race))
			continue;
		const bool is_turned = strcmp(known->at[0].key, race->at[0].key) != 0;
		for (unsigned side = 0; side < 2; side++) {
			known->at[side].reads |= race->at[side ^ is_turned].reads;
			known->at[side].writes |= race->at[side ^ is_turned].writes;
			known->at[side].frees |= race->at[side ^ is_turned].frees;
		}
		merge_pair(known, race, is_turned);
		known->is_certain |= race->is_certain;
		if (race->last_try) { /* seen in a try */
			known->tries += known->last_try != race->last_try;
			known->last_try = race->last_try;
			known->count += race->count;
		}
		free_race(race);
		return;
	}
	if (races->count == RACES_MAX) {
		races->unshown++;
		free_race(race);
		return;
	}
	memory_check(array_reserve(races->all, races->room, races->count + 1));
	races->all[races->count++] = *race;
}

/* Whether an access is one of Go's runtime, by the function in which the instruction is, the last one of its frames. */
static bool is_of_go(const struct search_access *access)
{
	const char *last = strrchr(access->frames, '\n');
	last = last ? last + 1 : access->frames;
	return runtime_names_is_go(last, strcspn(last, "+ "));
}

/* Whether an access is one of a sanitizer's runtime: its function, or its file in "function+0x12 (file, line)". */
static bool is_of_sanitizer(const struct search_access *access)
{
	const char *last = strrchr(access->frames, '\n'), *file;
	last = last ? last + 1 : access->frames;
	file = strchr(last, '(');
	return runtime_names_is_sanitizer(last, strcspn(last, "+ ")) ||
	       (file && runtime_names_is_sanitizer_file(file + 1, strcspn(file + 1, ",)")));
}

/* Whether the line of an instruction accesses an object in plain sight. */
static bool is_plain(const struct search_access *access, const char *object)
{
	char *frame = text_of("%.*s", (int)strcspn(access->frames, "\n"), access->frames);
	size_t bytes;
	const char *source = search_frame_source(frame, &bytes);
	const bool is = source && plain_source_is_at(source, bytes, object);
	free(frame);
	return is;
}

/* Takes the lines of a race, of which `line` is the first. */
static void take_race(struct search_races *races, uint64_t number, const char *line, char **text)
{
	struct search_race race = {.first_try = number, .last_try = number, .tries = number != 0};
	char class[9], address[20];
	unsigned orders;
	int used = 0;
	if (sscanf(line, "race %8s %" SCNu64 " %u %19s%n", class, &race.count, &orders, address, &used) != 4)
		return;
	const char *object = line + used + (line[used] == ' ');
	race.is_certain = !strcmp(class, "certain");
	race.object = text_of("%s", *object ? object : address);
	race.address = strtoull(address, NULL, 0);
	clean_text(race.object, strlen(race.object));
	race.pair_count = 1;
	if (!take_access(&race.at[0], &race.pairs[0].site[0], strsep(text, "\n")) ||
	    !take_access(&race.at[1], &race.pairs[0].site[1], strsep(text, "\n"))) {
		free_race(&race);
		return;
	}
	race.pairs[0].seen = (uint8_t)(orders & SEARCH_ORDERS);
	if (races->is_go && (is_of_go(&race.at[0]) || is_of_go(&race.at[1]))) {
		free_race(&race);
		return;
	}
	if (is_of_sanitizer(&race.at[0]) || is_of_sanitizer(&race.at[1])) {
		free_race(&race);
		return;
	}
	race.is_certain |= !strcmp(class, "typed") && is_plain(&race.at[0], object) && is_plain(&race.at[1], object);
	race.is_certain &= !races->is_go;
	order_sides(&race);
	merge_race(races, &race);
}

void search_races_add(struct search_races *races, uint64_t number, char *text)
{
	for (char *line; text && (line = strsep(&text, "\n"));) {
		uint64_t left_out, unjudged, unshown;
		if (sscanf(line, "dropped %" SCNu64 " %" SCNu64 " %" SCNu64, &left_out, &unjudged, &unshown) == 3) {
			races->left_out += left_out;
			races->unjudged += unjudged;
			races->unshown += unshown;
		} else {
			take_race(races, number, line, &text);
		}
	}
	races->certain = 0;
	for (size_t i = 0; i < races->count; i++) {
		order_sides(&races->all[i]);
		races->certain += races->all[i].is_certain;
	}
}

/* --- results --- */

const char *search_access_verb(const struct search_access *access)
{
	return access->frees ? "frees" : access->writes ? "writes" : "reads";
}

static void put_frames(FILE *to, const struct search_access *access)
{
	const char *frame = access->frames, *end;
	fprintf(to, "    thread %" PRIu32 " %s:\n", access->thread, search_access_verb(access));
	for (; *frame; frame = *end ? end + 1 : end) {
		end = strchrnul(frame, '\n');
		fprintf(to, "      %.*s\n", (int)(end - frame), frame);
	}
}

static void put_race(FILE *to, const struct search_races *races, size_t at, const struct search_races_more *more,
                     uint64_t failures)
{
	const struct search_race *race = &races->all[at];
	const bool has_symbol = strncmp(race->object, "0x", 2);
	fprintf(to, "%s: %s %s %s%s, %s %s it, unordered", race->is_certain ? "race" : "possible race",
	        race->at[0].place, search_access_verb(&race->at[0]), has_symbol ? "" : "memory at ", race->object,
	        race->at[1].place, search_access_verb(&race->at[1]));
	if (race->first_try)
		fprintf(to, "; seen in try %" PRIu64, race->first_try);
	else if (more)
		fputs("; seen when another race was made to happen in its other order", to);
	if (race->tries > 1)
		fprintf(to, " and %" PRIu64 " more", race->tries - 1);
	fputs(failures ? "\n" : "; no try failed\n", to);
	if (more)
		more->put(to, more->context, at);
	for (unsigned side = 0; side < 2; side++)
		put_frames(to, &race->at[side]);
}

static void put_class(FILE *to, const struct search_races *races, bool is_certain, const struct search_races_more *more,
                      uint64_t failures)
{
	uint64_t shown = 0, all = is_certain ? races->certain : races->count - races->certain;
	for (size_t i = 0; i < races->count && shown < SHOWN_MAX; i++)
		if (races->all[i].is_certain == is_certain) {
			put_race(to, races, i, more, failures);
			shown++;
		}
	if (shown < all)
		fprintf(to, "%" PRIu64 " more %sraces are in --results=json\n", all - shown,
		        is_certain ? "" : "possible ");
	if (shown && !is_certain)
		fputs("possible: the accesses, or others between them, may be atomic operations, which look like plain "
		      "ones here\n",
		      to);
}

void search_races_put(FILE *to, const struct search_races *races, const struct search_races_more *more,
                      uint64_t failures)
{
	put_class(to, races, true, more, failures);
	put_class(to, races, false, more, failures);
	if (races->cut)
		fprintf(to,
		        "%" PRIu64 " of the first tries ended before the program did: what it does later may lack "
		        "points, and races there are not seen\n",
		        races->cut);
	if (races->left_out)
		fprintf(to,
		        "%" PRIu64 " accesses of the first tries were too many for the list of shared instructions\n",
		        races->left_out);
	if (races->unjudged)
		fprintf(to, "%" PRIu64 " accesses of the first tries were too many to look for races in them\n",
		        races->unjudged);
	if (races->unshown)
		fprintf(to, "%" PRIu64 " races of the first tries were too many to be kept\n", races->unshown);
}

void search_races_json(cJSON *json, const struct search_races *races)
{
	cJSON *array = cjson.AddArrayToObject(json, "races");
	for (size_t i = 0; i < races->count; i++) {
		const struct search_race *race = &races->all[i];
		cJSON *object = json_out_append(array);
		cjson.AddStringToObject(object, "class", race->is_certain ? "certain" : "possible");
		cjson.AddStringToObject(object, "object", race->object);
		cjson.AddNumberToObject(object, "first_try", (double)race->first_try);
		cjson.AddNumberToObject(object, "tries", (double)race->tries);
		cjson.AddNumberToObject(object, "count", (double)race->count);
		cJSON *accesses = cjson.AddArrayToObject(object, "accesses");
		for (unsigned side = 0; side < 2; side++) {
			const struct search_access *access = &race->at[side];
			cJSON *entry = json_out_append(accesses);
			cjson.AddStringToObject(entry, "place", access->place);
			cjson.AddBoolToObject(entry, "reads", access->reads);
			cjson.AddBoolToObject(entry, "writes", access->writes);
			if (access->frees)
				cjson.AddBoolToObject(entry, "frees", true);
			cjson.AddNumberToObject(entry, "thread", access->thread);
			cjson.AddStringToObject(entry, "stack", access->frames);
		}
	}
	cJSON *dropped = cjson.AddObjectToObject(json, "dropped");
	cjson.AddNumberToObject(dropped, "list_accesses", (double)races->left_out);
	cjson.AddNumberToObject(dropped, "race_accesses", (double)races->unjudged);
	cjson.AddNumberToObject(dropped, "races", (double)races->unshown);
	cjson.AddNumberToObject(dropped, "tries", (double)races->cut);
}

static struct search_access read_access(const struct json_in *in, const cJSON *json)
{
	struct search_access access = {.reads = cjson.IsTrue(cjson.GetObjectItemCaseSensitive(json, "reads")),
	                               .writes = cjson.IsTrue(cjson.GetObjectItemCaseSensitive(json, "writes")),
	                               .frees = cjson.IsTrue(cjson.GetObjectItemCaseSensitive(json, "frees")),
	                               .thread = (uint32_t)json_in_number(in, json, "thread", 0, UINT32_MAX),
	                               .place = text_of("%s", json_in_text(in, json, "place"))};
	access.frames = json_in_block(in, json, "stack");
	return access;
}

void search_races_read(struct search_races *races, const struct json_in *in, const cJSON *json)
{
	for (const cJSON *at = json_in_array(in, json, "races"); at && races->count < RACES_MAX; at = at->next) {
		const cJSON *first = json_in_array(in, at, "accesses");
		if (!first || !first->next)
			json_in_reject(in, "accesses");
		memory_check(array_reserve(races->all, races->room, races->count + 1));
		races->all[races->count++] =
			(struct search_race){.at = {read_access(in, first), read_access(in, first->next)},
		                             .object = text_of("%s", json_in_text(in, at, "object")),
		                             .is_certain = !strcmp(json_in_text(in, at, "class"), "certain"),
		                             .first_try = json_in_number(in, at, "first_try", 0, UINT32_MAX),
		                             .tries = json_in_number(in, at, "tries", 0, UINT32_MAX),
		                             .count = json_in_number(in, at, "count", 1, JSON_IN_COUNT_MAX)};
		races->certain += races->all[races->count - 1].is_certain;
	}
	const cJSON *dropped = cjson.GetObjectItemCaseSensitive(json, "dropped");
	races->left_out = json_in_number(in, dropped, "list_accesses", 0, JSON_IN_COUNT_MAX);
	races->unjudged = json_in_number(in, dropped, "race_accesses", 0, JSON_IN_COUNT_MAX);
	races->unshown = json_in_number(in, dropped, "races", 0, JSON_IN_COUNT_MAX);
	if (cjson.GetObjectItemCaseSensitive(dropped, "tries")) /* results of earlier versions have none */
		races->cut = json_in_number(in, dropped, "tries", 0, JSON_IN_COUNT_MAX);
}
