/* SPDX-License-Identifier: MIT */
/* Races: what a guest says of its threads and accesses, in any order, and the text about races that comes from the
 * process of a try. */
#include <stdio.h>

#include "race/races.h"
#include "report/search_races.h"
#include "tests/fuzz/fuzz.h"

/* Numbers are mostly small, so that they meet. */
static uint32_t small(struct fuzz_input *input)
{
	const uint32_t number = (uint32_t)fuzz_number(input, 1);
	return number == 255 ? (uint32_t)fuzz_number(input, 4) : number % 9;
}

static void access_once(struct races *races, struct fuzz_input *input)
{
	const uint8_t flags = (uint8_t)fuzz_number(input, 1);
	const struct race_access access = {.thread = small(input),
	                                   .unit = small(input) % RACES_UNITS_MAX,
	                                   .place = small(input),
	                                   .bytes = (uint8_t)fuzz_number(input, 1),
	                                   .reads = flags & 1,
	                                   .writes = flags & 2,
	                                   .is_locked = flags & 4,
	                                   .is_plain = flags & 8,
	                                   .address = small(input)};
	if (access.is_locked)
		races_locked(races, access.thread, access.address);
	races_access(races, &access);
}

static void do_one(struct races *races, struct fuzz_input *input)
{
	const uint32_t what = (uint32_t)fuzz_number(input, 1) % 16, thread = small(input), other = small(input);
	switch (what) {
	case 0:
		races_made(races, thread, other, fuzz_number(input, 8));
		break;
	case 1:
		races_woken(races, thread, other);
		break;
	case 2:
		races_ended(races, thread, fuzz_number(input, 8));
		break;
	case 3:
		races_call(races, thread, (uint32_t)fuzz_number(input, 2), other == 8 ? UINT32_MAX : other,
		           fuzz_number(input, 8));
		break;
	case 4:
		races_replaced(races, thread, other & 1);
		break;
	case 5:
		races_is_before(races, thread, races_time(races, other), other);
		races_is_gone(races, thread, other);
		break;
	default:
		access_once(races, input);
	}
}

static void find(struct fuzz_input *input)
{
	size_t count;
	struct races *races = races_create();
	while (races && input->left)
		do_one(races, input);
	const struct race *all = races ? races_all(races, &count) : NULL;
	for (size_t i = 0; races && i < count; i++)
		if (!all[i].writes[0] && !all[i].writes[1])
			abort(); /* two loads are no race */
	races_destroy(races);
}

/* What two tries have left, as text and as it is shown. */
static void show(struct fuzz_input *input)
{
	struct search_races races = {.is_go = fuzz_number(input, 1) & 1};
	char *shown;
	size_t bytes;
	FILE *to = open_memstream(&shown, &bytes);
	for (uint64_t number = 1; number < 3; number++) {
		char *text = strndup((const char *)input->at, input->left);
		search_races_add(&races, number, text);
		free(text);
	}
	search_races_put(to, &races, NULL, 1);
	fclose(to);
	for (const char *c = shown; *c; c++)
		if ((unsigned char)*c < ' ' && *c != '\n')
			abort(); /* it goes to a terminal */
	free(shown);
	for (size_t i = 0; i < races.count; i++) {
		for (unsigned side = 0; side < 2; side++) {
			free(races.all[i].at[side].key);
			free(races.all[i].at[side].place);
			free(races.all[i].at[side].frames);
		}
		free(races.all[i].object);
	}
	free(races.all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = fuzz_begin(data, size);
	if (fuzz_number(&input, 1) & 1)
		find(&input);
	else
		show(&input);
	return 0;
}
