/* SPDX-License-Identifier: MIT */
#include "sched/preempt_option.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/value.h"
#include "code/code_stores.h"

#define SITES "sites"
#define OWN "own"
#define FORMS "give atomics, own:N,SEED or sites:N,SEED, such as own:100,1"

/* Parses N,SEED behind the name of the form. */
static int parse_draw(const char *text, const char *form, struct code_points *points, char error[256])
{
	char number[24];
	uint64_t count, seed;
	size_t length = strcspn(text, ",");
	if (length >= sizeof(number) || text[length] != ',')
		return refuse(error, EINVAL, "'%s:%.40s': %s", form, text, FORMS);
	memcpy(number, text, length);
	number[length] = 0;
	if (value_number(number, &count) || count < 1 || count > CODE_STORES_MAX)
		return refuse(error, EINVAL, "'%s:%.40s': N is a number from 1 to %d", form, text, CODE_STORES_MAX);
	if (value_number(text + length + 1, &seed))
		return refuse(error, EINVAL, "'%s:%.40s': SEED is a number of at most 64 bits, decimal or 0x", form,
		              text);
	if (points->stores)
		return refuse(error, EINVAL, "stores are drawn twice; give own or sites once");
	points->stores = (uint32_t)count;
	points->seed = seed;
	points->own = !strcmp(form, OWN);
	return 0;
}

int preempt_option_parse(const char *text, struct code_points *points, char error[256])
{
	if (!strncmp(text, SITES ":", 6))
		return parse_draw(text + 6, SITES, points, error);
	if (!strncmp(text, OWN ":", 4))
		return parse_draw(text + 4, OWN, points, error);
	if (strcmp(text, "atomics"))
		return refuse(error, EINVAL, "'%.40s': %s", text, FORMS);
	if (points->atomics)
		return refuse(error, EINVAL, "atomics is given twice; give it once");
	points->atomics = true;
	return 0;
}

/* Writes the wanted points, each after a prefix. */
static void write_points(const struct code_points *points, const char *prefix, char text[PREEMPT_TEXT])
{
	char sites[56] = "";
	if (points->stores)
		snprintf(sites, sizeof(sites), "%s%s%s:%" PRIu32 ",%" PRIu64, points->atomics ? " " : "", prefix,
		         points->own ? OWN : SITES, points->stores, points->seed);
	snprintf(text, PREEMPT_TEXT, "%s%s%s", points->atomics ? prefix : "", points->atomics ? "atomics" : "", sites);
}

void preempt_option_describe(const struct code_points *points, char text[PREEMPT_TEXT])
{
	write_points(points, "", text);
}

void preempt_option_options(const struct code_points *points, char text[PREEMPT_TEXT])
{
	write_points(points, "--preempt ", text);
}

bool preempt_option_is_same(const struct code_points *a, const struct code_points *b)
{
	return a->atomics == b->atomics && a->stores == b->stores && a->seed == b->seed && a->own == b->own;
}
