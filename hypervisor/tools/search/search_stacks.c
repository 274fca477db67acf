/* SPDX-License-Identifier: MIT */
#include "search/search_stacks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/text.h"
#include "run/run.h"
#include "search/search_stop.h"

static int compare_looks(const void *a, const void *b)
{
	const struct note_look *x = a, *y = b;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Sets looks[] to the accesses of races that a try was the first to see, ascending and without doubles. Returns their
 * number. */
static size_t list_looks(const struct search_races *races, uint64_t number, struct note_look looks[SEARCH_STACKS_MAX])
{
	size_t count = 0, kept = 0, seen = 0;
	for (unsigned possible = 0; possible < 2; possible++)
		for (size_t i = 0; i < races->count; i++) {
			const struct search_race *race = &races->all[i];
			if (race->is_certain != !possible || (seen += 2) > SEARCH_STACKS_MAX)
				continue; /* the limit is for all tries */
			for (unsigned side = 0; side < 2 && race->first_try == number; side++)
				if (race->at[side].note)
					looks[count++] = (struct note_look){race->at[side].note, race->address};
		}
	qsort(looks, count, sizeof(looks[0]), compare_looks);
	for (size_t i = 0; i < count; i++)
		if (!kept || looks[kept - 1].number != looks[i].number)
			looks[kept++] = looks[i];
	return kept;
}

/* Returns the frame in a line "#1  0x0000000000201111 main+0x11 (x.c:3)", without its number and address; NULL: none.
 */
static const char *frame_in(const char *line)
{
	line += strspn(line, " ");
	const char *address = *line == '#' ? strstr(line, " 0x") : NULL,
		   *frame = address ? strchr(address + 1, ' ') : NULL;
	return frame ? frame + 1 : NULL;
}

static bool is_inlined(const char *frame)
{
	static const char mark[] = " inlined";
	const size_t bytes = strlen(frame), of_mark = sizeof(mark) - 1;
	return bytes > of_mark && !strcmp(frame + bytes - of_mark, mark);
}

/* Returns the frames of the callers, each behind a newline: those behind the function in which the instruction is. */
static char *callers_in(char *lines)
{
	bool is_behind = false;
	struct text_made made;
	FILE *to = text_open(&made);
	for (char *line; (line = strsep(&lines, "\n"));) {
		clean_text(line, strlen(line));
		const char *frame = frame_in(line);
		if (frame && is_behind)
			fprintf(to, "\n%s", frame);
		is_behind |= frame && !is_inlined(frame);
	}
	return text_close(&made);
}

/* Gives the accesses with a note their callers, and a race without a symbol the name of the object. */
static void take_look(struct search_races *races, uint64_t number, uint64_t note, const char *object,
                      const char *callers)
{
	for (size_t i = 0; i < races->count; i++) {
		struct search_race *race = &races->all[i];
		for (unsigned side = 0; side < 2; side++) {
			if (race->first_try != number || race->at[side].note != note)
				continue;
			search_access_add_callers(&race->at[side], callers);
			if (*object && !strncmp(race->object, "0x", 2)) {
				free(race->object);
				race->object = text_of("%s", object);
			}
		}
	}
}

/* Takes what that try has left when it was made again (report_race_look), which is untrusted. */
static void take_looks(struct search_races *races, uint64_t number, char *text)
{
	for (char *look; text && (look = strsep(&text, "\f"));) {
		uint64_t note;
		look += *look == '\n';
		char *object = strchr(look, '\n');
		if (sscanf(look, "note %" SCNu64 "\n", &note) != 1 || !object)
			continue;
		*object++ = 0;
		char *lines = strchr(object, '\n');
		if (!lines)
			continue;
		*lines++ = 0;
		clean_text(object, strlen(object));
		char *callers = callers_in(lines);
		take_look(races, number, note, object, callers);
		free(callers);
	}
}

/* Makes a try that lists points again, or takes it from what was prepared. Returns whether it has ended by itself. */
static bool make_look(const struct search_option *listing, struct search_slot *slot, uint64_t number, int input,
                      const sigset_t *mask, struct search_prepared *prepared, bool *is_started)
{
	if (search_prepared_give_run(prepared, slot, PREPARED_STACKS, number, number, listing->vary))
		return true;
	*is_started = !search_slot_start(slot, listing, number, listing->vary, input, mask);
	if (!*is_started || !search_stop_wait_slot(slot, listing))
		return false;
	search_prepared_keep(prepared, slot, PREPARED_STACKS, number);
	return true;
}

bool search_stacks_take(struct search_races *races, const struct search_option *option, struct search_slot *slot,
                        int input, const sigset_t *mask, struct search_prepared *prepared)
{
	struct note_look looks[SEARCH_STACKS_MAX];
	struct search_option listing = *option;
	bool is_started = true;
	listing.first_is_plain = false; /* the try that listed points */
	slot->note_looks = looks;
	for (uint64_t number = 1; number <= option->points_tries && !search_stop_signal() && is_started; number++) {
		slot->note_look_count = list_looks(races, number, looks);
		if (!slot->note_look_count)
			continue;
		if (!make_look(&listing, slot, number, input, mask, prepared, &is_started))
			continue;
		char *text = search_slot_looks(slot);
		take_looks(races, number, text);
		free(text);
	}
	slot->number = 0;
	slot->note_look_count = 0;
	return is_started;
}
