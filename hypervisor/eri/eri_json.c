/* SPDX-License-Identifier: MIT */
#include "eri/eri_json.h"

#include <stdbool.h>
#include <string.h>

struct scan {
	const char *at, *end;
	const char *wrong;
};

static bool is_json_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Skips a string, whose opening quote was skipped. */
static void skip_string(struct scan *scan)
{
	for (; scan->at < scan->end && *scan->at != '"'; scan->at++) {
		if ((unsigned char)*scan->at < ' ') {
			scan->wrong = "a control character is in a string";
			return;
		}
		if (*scan->at != '\\')
			continue;
		/* Readers in C would end the string there. */
		if (scan->end - scan->at >= 6 && !memcmp(scan->at, "\\u0000", 6))
			scan->wrong = "a NUL is in a string";
		scan->at++;
	}
	scan->at++;
}

/* Skips a number, of which the first character was skipped. cJSON's are what strtod(3) takes. */
static void skip_json_number(struct scan *scan, char first)
{
	const char *digits = first == '-' ? scan->at : scan->at - 1;
	if (digits >= scan->end || !is_json_digit(*digits) ||
	    (*digits == '0' && digits + 1 < scan->end && is_json_digit(digits[1])))
		scan->wrong = "a number has no digit or a zero in front";
	while (scan->at < scan->end && (is_json_digit(*scan->at) || (*scan->at && strchr("+-.eE", *scan->at)))) {
		if (*scan->at == '.' && (scan->at + 1 == scan->end || !is_json_digit(scan->at[1])))
			scan->wrong = "a number ends with a point";
		scan->at++;
	}
}

const char *eri_json_wrong(const char *text, size_t bytes)
{
	struct scan scan = {.at = text, .end = text + bytes};
	unsigned depth = 0;
	bool has_ended = false;
	while (scan.at < scan.end && !scan.wrong) {
		const char c = *scan.at++;
		if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
			continue;
		if (has_ended || !c || (unsigned char)c < ' ')
			return has_ended ? "something is behind its end" : "a control character is in it";
		if (c == '"')
			skip_string(&scan);
		else if (c == '-' || is_json_digit(c))
			skip_json_number(&scan, c);
		else if (c == '{' || c == '[')
			depth++;
		else if ((c == '}' || c == ']') && depth)
			has_ended = !--depth;
	}
	return scan.wrong;
}
