/* SPDX-License-Identifier: MIT */
/* fmtmsg(3). Prints the parts that MSGVERB names, or all if it names none or an unknown part. */
#include <fmtmsg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum part { LABEL = 1, SEVERITY = 2, TEXT = 4, ACTION = 8, TAG = 16, ALL = 31 };

static unsigned chosen_parts(void)
{
	static const char *const names[] = {"label", "severity", "text", "action", "tag"};
	const char *at = getenv("MSGVERB");
	unsigned parts = 0;
	if (!at || !*at)
		return ALL;
	for (;;) {
		size_t length = strcspn(at, ":");
		int i = 0;
		while (i < 5 && (strlen(names[i]) != length || memcmp(names[i], at, length)))
			i++;
		if (i == 5)
			return ALL;
		parts |= 1U << i;
		if (!at[length])
			return parts;
		at += length + 1;
	}
}

/* label: severity: text
 * TO FIX: action tag */
static int print(FILE *to, unsigned parts, const char *label, const char *severity, const char *text,
                 const char *action, const char *tag)
{
	bool first = (parts & LABEL) && label, second = (parts & SEVERITY) && severity, third = (parts & TEXT) && text;
	bool fourth = (parts & ACTION) && action, fifth = (parts & TAG) && tag;
	return fprintf(to, "%s%s%s%s%s%s%s%s%s%s\n", first ? label : "",
	               first && (second || third || fourth || fifth) ? ": " : "", second ? severity : "",
	               second && (third || fourth || fifth) ? ": " : "", third ? text : "",
	               third && (fourth || fifth) ? "\n" : "", fourth ? "TO FIX: " : "", fourth ? action : "",
	               fourth && fifth ? "  " : "", fifth ? tag : "");
}

int fmtmsg(long classification, const char *label, int severity, const char *text, const char *action, const char *tag)
{
	static const char *const severities[] = {NULL, "HALT", "ERROR", "WARNING", "INFO"};
	if (severity < 0 || severity > MM_INFO)
		return MM_NOTOK;
	if (label) {
		const char *colon = strchr(label, ':');
		if (!colon || colon - label > 10 || strlen(colon + 1) > 14)
			return MM_NOTOK;
	}
	int result = MM_OK;
	if (classification & MM_PRINT &&
	    print(stderr, chosen_parts(), label, severities[severity], text, action, tag) < 0)
		result = MM_NOMSG;
	if (classification & MM_CONSOLE) {
		FILE *console = fopen("/dev/console", "we");
		if (!console || print(console, ALL, label, severities[severity], text, action, tag) < 0)
			result = result == MM_OK ? MM_NOCON : MM_NOTOK;
		if (console)
			fclose(console);
	}
	return result;
}
