/* SPDX-License-Identifier: MIT */
#include "sched/from_option.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/value.h"

#define MARKER "marker:"
#define CALL "call:"

static int parse_marker(const char *name, struct sched_from *from, struct error *error)
{
	size_t length = strlen(name);
	if (!length || length >= SCHED_MARKER_BYTES)
		return error_set(error, EINVAL, "'marker:%.50s': give a name of 1 to %d bytes", name,
		                 SCHED_MARKER_BYTES - 1);
	from->kind = SCHED_FROM_MARKER;
	memcpy(from->marker, name, length);
	return 0;
}

int from_option_parse(const char *text, struct sched_from *from, struct error *error)
{
	*from = (struct sched_from){0};
	if (!strcmp(text, "start"))
		return 0;
	if (!strncmp(text, MARKER, strlen(MARKER)))
		return parse_marker(text + strlen(MARKER), from, error);
	if (!strcmp(text, "main")) {
		from->kind = SCHED_FROM_MAIN;
		return 0;
	}
	if (strncmp(text, CALL, strlen(CALL)))
		return error_set(error, EINVAL, "'%.50s': give start, main, call:N or marker:NAME", text);
	if (value_number(text + strlen(CALL), &from->number) || !from->number)
		return error_set(error, EINVAL, "'%.50s': N is the number of a kernel call, from 1", text);
	from->kind = SCHED_FROM_CALL;
	return 0;
}

void from_option_describe(const struct sched_from *from, char text[FROM_TEXT])
{
	if (from->kind == SCHED_FROM_MARKER)
		snprintf(text, FROM_TEXT, MARKER "%.*s", SCHED_MARKER_BYTES - 1, from->marker);
	else if (from->kind == SCHED_FROM_CALL)
		snprintf(text, FROM_TEXT, CALL "%" PRIu64, from->number);
	else
		snprintf(text, FROM_TEXT, "%s", from->kind == SCHED_FROM_MAIN ? "main" : "start");
}
