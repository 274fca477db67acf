/* SPDX-License-Identifier: MIT */
#include "search/search_vary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/die.h"
#include "base/split_mix.h"
#include "base/text.h"

#define DAY 86400
#define YEAR_FIRST 1971
#define YEARS 66 /* up to 2036, before 32 bits of seconds end */

#define TEXT(name, text, option) text,
#define OPTION(name, text, option) option,
#define LISTED(name, text, option) ", " text

static const char *const names[SEARCH_INPUTS] = {SEARCH_INPUT_LIST(TEXT)};

const char *search_input_name(enum search_input input)
{
	return names[input];
}

const char *search_input_option(enum search_input input)
{
	static const char *const options[SEARCH_INPUTS] = {SEARCH_INPUT_LIST(OPTION)};
	return options[input];
}

unsigned search_vary_parse(const char *list)
{
	static const char listed[] = SEARCH_INPUT_LIST(LISTED); /* with a separator before the first one */
	unsigned set = 0;
	char *copy = text_of("%s", list), *rest = copy, *name;
	while ((name = strsep(&rest, ","))) {
		unsigned input = 0;
		while (input < SEARCH_INPUTS && strcmp(name, names[input]))
			input++;
		if (input == SEARCH_INPUTS)
			die("search: --vary: there is no input '%s'; give some of %s, separated by commas", name,
			    listed + strlen(", "));
		set |= 1U << input;
	}
	free(copy);
	return set;
}

/* Numbers that depend on a try and an input alone. */
struct draw {
	uint64_t state;
};

static uint64_t draw_bits(struct draw *draw)
{
	return split_mix_next(&draw->state);
}

static uint64_t draw_below(struct draw *draw, uint64_t below)
{
	return draw_bits(draw) % below; /* the bias does not matter for such small numbers */
}

/* A moment: any one, or one of those at which programs go wrong, namely seconds before midnight, of any day, of the
 * last day of a month or year, or on the 29th of February. */
static char *draw_epoch(struct draw *draw)
{
	struct tm date = {.tm_year = YEAR_FIRST - 1900 + (int)draw_below(draw, YEARS)};
	char text[32];
	const uint64_t second = draw_below(draw, DAY), before_midnight = DAY - 1 - draw_below(draw, 3);
	uint64_t in_day = before_midnight;
	switch (draw_below(draw, 5)) {
	case 0:
		date.tm_mday = 1 + (int)draw_below(draw, 365);
		in_day = second;
		break;
	case 1:
		date.tm_mday = 1 + (int)draw_below(draw, 365);
		break;
	case 2: /* day 0 of the next month is the last one of this */
		date.tm_mon = 1 + (int)draw_below(draw, 12);
		break;
	case 3:
		date.tm_mon = 12;
		break;
	default:
		date.tm_year = date.tm_year / 4 * 4; /* 1972 to 2036 are leap years; so are all multiples of 4 here */
		date.tm_year = date.tm_year < 72 ? 72 : date.tm_year;
		date.tm_mon = 1;
		date.tm_mday = 29;
		in_day = second;
	}
	time_t at = timegm(&date) + (time_t)in_day;
	gmtime_r(&at, &date);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &date);
	return text_of("--epoch=%s", text);
}

/* A number whose order of magnitude is drawn: from `least` to `least` times 10^decades, about. */
static uint64_t draw_scale(struct draw *draw, uint64_t least, unsigned decades)
{
	uint64_t scale = least;
	for (uint64_t more = draw_below(draw, decades); more; more--)
		scale *= 10;
	return scale + draw_below(draw, 9 * scale);
}

/* A rate from 0.1 % to 50 %. */
static void put_rate(struct draw *draw, FILE *to, const char *name)
{
	uint64_t per_mille = draw_scale(draw, 1, 3);
	per_mille = per_mille < 500 ? per_mille : 500;
	fprintf(to, "%s=%" PRIu64 ".%" PRIu64 "%%,", name, per_mille / 10, per_mille % 10);
}

/* Up to ten seconds, longer than the time-outs of most programs. */
static void put_delay(struct draw *draw, FILE *to, const char *name)
{
	uint64_t most_us = draw_scale(draw, 100, 5);
	fprintf(to, "%s=%" PRIu64 "us..%" PRIu64 "us,", name, draw_below(draw, most_us), most_us);
}

/* Begins in the first ten seconds, and lasts up to two minutes. */
static void put_partition(struct draw *draw, FILE *to, const char *name)
{
	static const char *const kinds[] = {"", "/half", "/half", "/oneway"};
	uint64_t begin_ms = draw_scale(draw, 1, 4), end_ms = begin_ms + draw_scale(draw, 12, 4);
	fprintf(to, "%s=%" PRIu64 "ms..%" PRIu64 "ms%s,", name, begin_ms, end_ms, kinds[draw_below(draw, 4)]);
}

/* One to three of the faults, with rates and times drawn, in half of the tries only on some connections. */
static char *draw_net_fault(struct draw *draw)
{
	static const struct {
		const char *name;
		void (*put)(struct draw *draw, FILE *to, const char *name);
	} faults[] = {
		{"refuse", put_rate},
		{"reset", put_rate},
		{"short", put_rate},
		{"loss", put_rate},
		{"dup", put_rate},
		{"reorder", put_rate},
		{"dns-fail", put_rate},
		{"delay", put_delay},
		{"dns-delay", put_delay},
		{"partition", put_partition},
		{"partition", put_partition},
	};
	const unsigned count = sizeof(faults) / sizeof(faults[0]);
	unsigned chosen = 0;
	struct text_made made;
	FILE *to = text_open(&made);
	for (uint64_t more = 1 + draw_below(draw, 3); more; more--)
		chosen |= 1U << draw_below(draw, count);
	fputs("--net-fault=", to);
	for (unsigned i = 0; i < count; i++)
		if (chosen >> i & 1)
			faults[i].put(draw, to, faults[i].name);
	if (draw_below(draw, 2))
		fprintf(to, "only=%" PRIu64 "%%,", 1 + draw_below(draw, 60));
	fprintf(to, "seed=%" PRIu64, draw_below(draw, UINT32_MAX));
	return text_close(&made);
}

char *search_vary_option(enum search_input input, uint64_t search_seed, uint64_t number)
{
	struct draw draw = {(search_seed << 32) + number};
	draw.state = draw_bits(&draw) + input;
	switch (input) {
	case SEARCH_INPUT_seed:
		return text_of("--seed=%" PRIu64, draw_bits(&draw) >> 1);
	case SEARCH_INPUT_epoch:
		return draw_epoch(&draw);
	case SEARCH_INPUT_layout:
		return text_of("--layout-seed=%" PRIu64, draw_bits(&draw) >> 1);
	case SEARCH_INPUT_cpus:
		return text_of("--cpus=%" PRIu64, 1 + draw_below(&draw, 16));
	case SEARCH_INPUT_net_fault:
		return draw_net_fault(&draw);
	case SEARCH_INPUT_sched:
	case SEARCH_INPUTS:
		break;
	}
	abort(); /* the schedule has two options, which search_try.c gives */
}
