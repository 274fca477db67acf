/* SPDX-License-Identifier: MIT */
/* cJSON escapes control characters below a space and nothing else. The newlines and tabs in its text are its layout. */
#include "base/json_out.h"

#include <errno.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/die.h"

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
		else if (length == 1 && at[0] == 0x7f)
			fputs("\\u007f", to);
		else if (length == 2 && at[0] == 0xc2 && at[1] < 0xa0)
			fprintf(to, "\\u00%02x", at[1]);
		else
			fwrite(at, 1, length, to);
		length = length ? length : 1;
	}
	fputc('\n', to);
	cjson.free(text);
	return 0;
}

cJSON *json_out_append(cJSON *array)
{
	cJSON *object = cjson.CreateObject();
	if (!object)
		die("out of memory");
	cjson.AddItemToArray(array, object);
	return object;
}
