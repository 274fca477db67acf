/* SPDX-License-Identifier: MIT */
#include "debug/debug_place.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/value.h"

static int parse_marker(const char *name, struct debug_place *place, struct error *error)
{
	const size_t length = strlen(name);
	if (!length || length >= sizeof(place->marker))
		return error_set(error, EINVAL, "'marker:%.50s': give a name of 1 to %zu bytes", name,
		                 sizeof(place->marker) - 1);
	memcpy(place->marker, name, length);
	return 0;
}

static int parse_number(const char *text, struct debug_place *place)
{
	if (place->kind == DEBUG_PLACE_TIME)
		return value_duration(text, &place->number);
	return value_number(text, &place->number) || !place->number ? -EINVAL : 0;
}

int debug_place_parse(const char *text, struct debug_place *place, struct error *error)
{
	static const struct {
		const char *word;
		enum debug_place_kind kind;
	} words[] = {
		{"exit", DEBUG_PLACE_EXIT},  {"failure", DEBUG_PLACE_FAILURE}, {"decision:", DEBUG_PLACE_DECISION},
		{"time:", DEBUG_PLACE_TIME}, {"call:", DEBUG_PLACE_CALL},      {"marker:", DEBUG_PLACE_MARKER},
	};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const size_t length = strlen(words[i].word);
		const bool has_value = words[i].word[length - 1] == ':';
		if (has_value ? strncmp(text, words[i].word, length) : strcmp(text, words[i].word))
			continue;
		*place = (struct debug_place){.kind = words[i].kind};
		if (!has_value)
			return 0;
		if (place->kind == DEBUG_PLACE_MARKER)
			return parse_marker(text + length, place, error);
		if (!parse_number(text + length, place))
			return 0;
		return error_set(error, EINVAL, "'%.50s': give %s", text,
		                 place->kind == DEBUG_PLACE_TIME ? "a time with its unit, such as 20ms"
		                                                 : "a number from 1");
	}
	return error_set(error, EINVAL, "'%.50s': give " DEBUG_PLACES, text);
}
