/* SPDX-License-Identifier: MIT */
/* A return address is behind its call, so the byte before it is asked for. Each address is a query without a stack, so
 * that its answer has the functions that were inlined there. */
#include "report/report_told.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/search.h"
#include "guest/linux_view.h"
#include "report/report_races.h"
#include "report/symbolizer.h"

#define QUERIES_MAX 2048U
/* Bytes of the instructions between the return of a hook and its access, which compilers move there. */
#define REACH 64U

struct answers {
	struct symbolizer_query queries[QUERIES_MAX];
	unsigned count;
	struct symbolizer_answers all;
	bool are_there;
};

/* Races whose stacks fit into the queries, at most REPORT_RACES_MAX. */
static size_t count_shown(const struct race_log *log)
{
	size_t shown = 0;
	unsigned queries = 0;
	while (shown < log->count && shown < REPORT_RACES_MAX) {
		queries += log->races[shown].side[0].frames + log->races[shown].side[1].frames;
		if (queries > QUERIES_MAX)
			break;
		shown++;
	}
	return shown;
}

static void ask_all(struct answers *answers, const struct image *image, const struct guest_memory *memory,
                    const struct race_log *log, size_t shown)
{
	struct linux_view view;
	for (size_t i = 0; i < 2 * shown; i++) {
		const struct race_side *side = &log->races[i / 2].side[i % 2];
		for (uint32_t frame = 0; frame < side->frames; frame++) {
			struct symbolizer_query *query = &answers->queries[answers->count++];
			query->object = frame ? 0 : side->address;
			query->registers[SYMBOLIZE_RIP] = side->pc[frame] - 1;
		}
	}
	if (!answers->count || !linux_view_read(&view, memory))
		return;
	const struct guest_memory seen = linux_view_memory(&view, memory);
	const int file = linux_view_modules(&view, memory, image);
	answers->are_there = !symbolizer_ask(&answers->all, file, &seen, answers->queries, answers->count);
	if (file >= 0)
		close(file);
}

bool report_told_frames(FILE *to, char *frames, const char *separator)
{
	bool any = false;
	for (char *line; (line = strsep(&frames, "\n"));) {
		const char *text = strstr(line, " 0x");
		text = text ? strchr(text + 1, ' ') : NULL;
		for (char *c = line; *c; c++)
			*c = *c == '\t' ? '?' : *c;
		if (!text)
			continue;
		fprintf(to, "%s%s", any ? "\t" : separator, text + 1);
		any = true;
	}
	return any;
}

/* Addresses of instructions that touched the memory of told races, ascending. */
struct sites {
	uint64_t *at;
	size_t count;
};

static int compare_sites(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static void find_sites(struct sites *sites, const struct image *image, const struct guest_memory *memory,
                       const struct race_log *log, struct shared_notes *notes)
{
	struct linux_view view;
	size_t count = 0;
	struct shared_place *found = notes ? shared_notes_told(notes, log, &count) : NULL;
	struct linux_place *places = calloc(count + 1, sizeof(*places));
	sites->at = calloc(count + 1, sizeof(*sites->at));
	for (size_t i = 0; places && i < count; i++)
		places[i] = (struct linux_place){found[i].file, found[i].offset};
	if (count && places && sites->at && linux_view_read(&view, memory) &&
	    !linux_view_places(&view, memory, image, places, (unsigned)count, sites->at)) {
		sites->count = count;
		qsort(sites->at, count, sizeof(*sites->at), compare_sites);
	}
	free(places);
	free(found);
}

/* The instruction whose hook returned to side->pc[0]; 0: not known. Atomic operations and free() are made within a
 * library, before the call returns. */
static uint64_t site_of(const struct sites *sites, const struct race_side *side)
{
	if (!side->frames || side->flags & (RACE_ATOMIC | RACE_FREES))
		return 0;
	const size_t i = search_first(sites->count, at, sites->at[at] < side->pc[0]);
	return i < sites->count && sites->at[i] - side->pc[0] < REACH ? sites->at[i] : 0;
}

static void put_side(FILE *to, const struct race_side *side, uint64_t site, const struct symbolizer_answer *answers)
{
	const char *kind = side->flags & RACE_FREES ? "wf" : side->flags & RACE_WRITES ? "w" : "r";
	fprintf(to, "at %s %" PRIu32 " 0 0x%" PRIx64 " ", kind, side->thread, site);
	for (uint32_t frame = 0; frame < side->frames; frame++) {
		const char *separator = frame ? "\t" : "";
		if (!answers || !report_told_frames(to, answers[frame].frames, separator))
			fprintf(to, "%s0x%" PRIx64, separator, side->pc[frame] - 1);
	}
	putc('\n', to);
}

void report_told(FILE *to, const struct image *image, const struct guest_memory *memory, const struct race_log *log,
                 struct shared_notes *notes)
{
	struct sites sites = {.count = 0};
	const size_t shown = count_shown(log);
	struct answers *answers = calloc(1, sizeof(*answers));
	if (!answers)
		return;
	find_sites(&sites, image, memory, log, notes);
	ask_all(answers, image, memory, log, shown);
	const struct symbolizer_answer *next = answers->are_there ? answers->all.at : NULL;
	for (size_t i = 0; i < shown; i++) {
		const struct race_report *race = &log->races[i];
		const unsigned sides = race->side[0].frames + race->side[1].frames;
		fprintf(to, "race %s 1 1 0x%" PRIx64 " %s\n", race->is_certain ? "certain" : "possible",
		        race->side[0].address, next && sides ? next->object : "");
		put_side(to, &race->side[0], site_of(&sites, &race->side[0]), next);
		put_side(to, &race->side[1], site_of(&sites, &race->side[1]),
		         next ? next + race->side[0].frames : NULL);
		next = next ? next + sides : NULL;
	}
	symbolizer_free(&answers->all);
	free(answers);
	free(sites.at);
}
