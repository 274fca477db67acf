/* SPDX-License-Identifier: MIT */
#include "sched/preempt_option.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/value.h"
#include "code/code_shared.h"
#include "code/code_stores.h"

#define SITES "sites"
#define OWN "own"
#define ACCESSES "accesses"
#define SHARED "shared"
#define AT "at"
#define TWICE "there are two draws; give one of own, sites, accesses, shared and at, once"
#define FORMS "give atomics, own:N,SEED, sites:N,SEED, accesses:N,SEED, shared:FILE or at:LIST, such as own:100,1"

/* Parses N,SEED behind the name of the form. */
static int parse_draw(const char *text, const char *form, struct code_points *points, struct error *error)
{
	char number[24];
	uint64_t count, seed;
	size_t length = strcspn(text, ",");
	if (length >= sizeof(number) || text[length] != ',')
		return error_set(error, EINVAL, "'%s:%.40s': %s", form, text, FORMS);
	memcpy(number, text, length);
	number[length] = 0;
	if (value_number(number, &count) || count < 1 || count > CODE_STORES_MAX)
		return error_set(error, EINVAL, "'%s:%.40s': N is a number from 1 to %d", form, text, CODE_STORES_MAX);
	if (value_number(text + length + 1, &seed))
		return error_set(error, EINVAL, "'%s:%.40s': SEED is a number of at most 64 bits, decimal or 0x", form,
		                 text);
	if (code_points_draw(points))
		return error_set(error, EINVAL, TWICE);
	points->stores = (uint32_t)count;
	points->seed = seed;
	points->loads = !strcmp(form, ACCESSES);
	points->own = points->loads || !strcmp(form, OWN);
	return 0;
}

/* Reads the list that is behind the name of the form. It stays until the process ends. */
static int parse_shared(const char *path, struct code_points *points, struct error *error)
{
	if (code_points_draw(points))
		return error_set(error, EINVAL, TWICE);
	FILE *from = fopen(path, "re");
	struct code_shared *shared = from ? calloc(1, sizeof(*shared)) : NULL;
	int result = !from ? error_set(error, errno, "'shared:%.100s': %s", path, strerror(errno)) : 0;
	if (from && !shared)
		result = error_set(error, ENOMEM, "out of memory");
	if (!result)
		result = code_shared_read(shared, from, path, error);
	if (from)
		fclose(from);
	if (result)
		free(shared);
	else
		points->shared = shared;
	return result;
}

/* Parses the list that is one word, behind the name of the form. It stays until the process ends. */
static int parse_at(const char *word, struct code_points *points, struct error *error)
{
	if (code_points_draw(points))
		return error_set(error, EINVAL, TWICE);
	struct code_shared *shared = calloc(1, sizeof(*shared));
	if (!shared)
		return error_set(error, ENOMEM, "out of memory");
	int result = code_shared_parse(shared, word, error);
	if (result) {
		free(shared);
		return error_prefix(error, -result, AT ": ");
	}
	points->shared = shared;
	return 0;
}

int preempt_option_parse_recorded(const char *text, struct code_points *points, struct error *error)
{
	static struct code_shared named; /* by its sum alone */
	uint64_t sum;
	char rest;
	if (strncmp(text, SHARED ":", 7))
		return preempt_option_parse(text, points, error);
	if (strspn(text + 7, "0123456789abcdef") != 16 || sscanf(text + 7, "%" SCNx64 "%c", &sum, &rest) != 1)
		return error_set(error, EINVAL, "'%.40s': expected shared: and the 16 digits of a list's sum", text);
	if (code_points_draw(points))
		return error_set(error, EINVAL, TWICE);
	named.sum = sum;
	points->shared = &named;
	return 0;
}

int preempt_option_parse(const char *text, struct code_points *points, struct error *error)
{
	if (!strncmp(text, SITES ":", 6))
		return parse_draw(text + 6, SITES, points, error);
	if (!strncmp(text, OWN ":", 4))
		return parse_draw(text + 4, OWN, points, error);
	if (!strncmp(text, ACCESSES ":", 9))
		return parse_draw(text + 9, ACCESSES, points, error);
	if (!strncmp(text, SHARED ":", 7))
		return parse_shared(text + 7, points, error);
	if (!strncmp(text, AT ":", 3))
		return parse_at(text + 3, points, error);
	if (strcmp(text, "atomics"))
		return error_set(error, EINVAL, "'%.40s': %s", text, FORMS);
	if (points->atomics)
		return error_set(error, EINVAL, "atomics is given twice; give it once");
	points->atomics = true;
	return 0;
}

/* Writes the wanted points, each after a prefix. */
static void write_points(const struct code_points *points, const char *prefix, char text[PREEMPT_TEXT])
{
	char sites[56] = "";
	if (points->stores)
		snprintf(sites, sizeof(sites), "%s%s%s:%" PRIu32 ",%" PRIu64, points->atomics ? " " : "", prefix,
		         points->loads ? ACCESSES
		         : points->own ? OWN
		                       : SITES,
		         points->stores, points->seed);
	if (points->shared)
		snprintf(sites, sizeof(sites), "%s%s" SHARED ":%016" PRIx64, points->atomics ? " " : "", prefix,
		         points->shared->sum);
	snprintf(text, PREEMPT_TEXT, "%s%s%s", points->atomics ? prefix : "", points->atomics ? "atomics" : "", sites);
}

void preempt_option_describe(const struct code_points *points, char text[PREEMPT_TEXT])
{
	write_points(points, "", text);
}

void preempt_option_options(const struct code_points *points, char text[PREEMPT_TEXT])
{
	char clock[PREEMPT_TEXT];
	write_points(points, "--preempt ", text);
	if (!points->ticks)
		return;
	snprintf(clock, sizeof(clock), "--clock work%s%.60s", *text ? " " : "", text);
	memcpy(text, clock, sizeof(clock));
}

static uint64_t sum_of(const struct code_points *points)
{
	return points->shared ? points->shared->sum : 0;
}

bool preempt_option_is_same(const struct code_points *a, const struct code_points *b)
{
	return a->ticks == b->ticks && a->atomics == b->atomics && a->stores == b->stores && a->seed == b->seed &&
	       a->own == b->own && a->loads == b->loads && !a->shared == !b->shared && sum_of(a) == sum_of(b);
}
