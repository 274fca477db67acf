/* SPDX-License-Identifier: MIT */
/* The guest chooses the names, so only printable text may reach the user's terminal. */
#include "report/changes_report.h"

#include <limits.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/die.h"

#define NAMES 5
#define NAME_BYTES 200

const char *change_name(const struct change_record *record)
{
	return record->what & CHANGE_CREATED ? "created" : record->what & CHANGE_REMOVED ? "removed" : "changed";
}

/* A list of names, which is cut after NAMES names. */
struct names {
	size_t count;
	const char *last; /* the last name; a replaced object occurs twice in a row, as removed and as created */
	char text[NAMES * (NAME_BYTES + 2) + 8];
};

static void add(struct names *names, const char *path)
{
	char name[NAME_BYTES + 1];
	size_t at = strlen(names->text);
	if (names->last && !strcmp(names->last, path))
		return;
	names->last = path;
	if (names->count++ >= NAMES)
		return;
	snprintf(name, sizeof(name), "%s", path);
	clean_text(name, strlen(name));
	snprintf(names->text + at, sizeof(names->text) - at, "%s%s", at ? ", " : "", name);
}

static const char *more(const struct names *names)
{
	return names->count > NAMES ? ", ..." : "";
}

/* Shortens `common` to the directory that it shares with a path. */
static void cut(char *common, const char *path)
{
	size_t length = 0, last = 0;
	while (common[length] && common[length] == path[length]) {
		if (common[length] == '/')
			last = length;
		length++;
	}
	if (!common[length] && path[length] == '/')
		last = length;
	common[last] = 0;
}

/* Writes the option that would keep the `lost` files: --save alone if all are below the working directory, or else with
 * a directory above all. */
static void advise(const struct changes *changes, size_t lost, char *to, size_t size)
{
	static char common[PATH_MAX]; /* too large for a stack */
	const size_t length = changes->here ? strlen(changes->here) : 0;
	bool first = true;
	for (size_t i = 0; i < changes->count; i++) {
		const struct change_record *record = changes->records[i];
		if (!change_is_told(record) || record->is_saved || !record->host || record->is_below)
			continue;
		if (first) {
			snprintf(common, sizeof(common), "%s", record->host);
			char *slash = strrchr(common, '/');
			if (slash)
				*slash = 0;
		}
		cut(common, record->host);
		first = false;
	}
	if (first && changes->dir)
		*to = 0;
	else if (first)
		snprintf(to, size, "; to keep files, have the program write them to /out and add --out DIR");
	else if (length > 1 && !strncmp(common, changes->here, length) && strchr("/", common[length])) /* or the NUL */
		snprintf(to, size, "; to keep %s, add --save", lost == 1 ? "it" : "them");
	else if (lost == 1)
		snprintf(to, size, "; to keep it, add --save=%s", *common ? common : "DIR");
	else
		snprintf(to, size, "; to keep those below a directory, add --save=%s", *common ? common : "DIR");
}

bool changes_report(const struct changes *changes, bool is_stopped)
{
	static char advice[PATH_MAX + 100];
	struct names lost = {0}, partly = {0};
	const char *lacks = "";
	if (is_stopped && changes->dir)
		say("nothing was saved, because the program did not end by itself");
	if ((is_stopped && changes->dir) || !changes->is_complete)
		return false;
	for (size_t i = 0; i < changes->count; i++) {
		const struct change_record *record = changes->records[i];
		if (!change_is_told(record))
			continue;
		if (!record->is_saved)
			add(&lost, record->path);
		if (changes->dir && record->lacks) {
			lacks = partly.count ? lacks : record->lacks;
			add(&partly, record->path);
		}
	}
	advise(changes, lost.count, advice, sizeof(advice));
	if (lost.count)
		say("%zu file%s that the program created, changed or removed %s not saved: %s%s%s", lost.count,
		    lost.count == 1 ? "" : "s", lost.count == 1 ? "is" : "are", lost.text, more(&lost), advice);
	if (partly.count)
		say("owners, setuid bits, devices, FIFOs and sockets are not saved: %s%s", partly.text, more(&partly));
	return true;
}
