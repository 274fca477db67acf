/* SPDX-License-Identifier: MIT */
/* cJSON escapes control characters below a space and nothing else. The newlines and tabs in its text are its layout. */
#include "library/json_out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/memory.h"

/* The number of a character of one to three bytes; longer ones are all shown. */
static unsigned code_point(const unsigned char *at, size_t length)
{
	const unsigned low = at[length - 1] & 0x3fU;
	return length == 1   ? at[0]
	       : length == 2 ? (at[0] & 0x1fU) << 6 | low
	                     : (at[0] & 0xfU) << 12 | (at[1] & 0x3fU) << 6 | low;
}

int json_out_print(FILE *to, const cJSON *json)
{
	char *text = cjson.Print(json);
	if (!text)
		return -ENOMEM;
	const unsigned char *at = (const unsigned char *)text;
	for (size_t left = strlen(text), length; left; at += length, left -= length) {
		length = clean_text_utf8(at, left);
		if (!length)
			fputs("\\ufffd", to);
		else if (at[0] < ' ' || clean_text_is_shown(at, length))
			fwrite(at, 1, length, to);
		else
			fprintf(to, "\\u%04x", code_point(at, length));
		length = length ? length : 1;
	}
	fputc('\n', to);
	cjson.free(text);
	return 0;
}

cJSON *json_out_append(cJSON *array)
{
	cJSON *object = memory_or_die(cjson.CreateObject());
	cjson.AddItemToArray(array, object);
	return object;
}

void json_out_lines(cJSON *object, const char *name, const char *text)
{
	cJSON *array = cjson.AddArrayToObject(object, name);
	for (const char *end; text && (end = strchr(text, '\n')); text = end + 1) {
		char *line = strndup(text, (size_t)(end - text));
		cjson.AddItemToArray(array, cjson.CreateString(line ? line : ""));
		free(line);
	}
}
