/* SPDX-License-Identifier: MIT */
/* The guest chooses the names, so only printable text may reach the user's terminal. */
#include "report/changes_report.h"

#include <limits.h>
#include <stdlib.h>
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
	size_t count, hidden;
	const char *last; /* the last name; a replaced object occurs twice in a row, as removed and as created */
	char *text;       /* with room for NAMES names, or for all; NULL without memory */
	size_t room;
};

/* Makes room for the names of all changes, or of NAMES. */
static void begin(struct names *names, size_t count)
{
	names->room = count * (NAME_BYTES + 2) + 8;
	names->text = calloc(1, names->room);
}

/* Whether a path has a component that begins with a dot, as what programs keep for themselves has: ~/.config/x. Those
 * of the working directory do not count. */
static bool is_hidden(const char *path, const char *here)
{
	size_t length = here ? strlen(here) : 0;
	bool is_below = length && !strncmp(path, here, length) && path[length] == '/';
	return strstr(is_below ? path + length : path, "/.");
}

static void add(struct names *names, const char *path, const char *here, bool all)
{
	char name[NAME_BYTES + 1];
	size_t at = names->text ? strlen(names->text) : 0;
	if (names->last && !strcmp(names->last, path))
		return;
	names->last = path;
	names->count++;
	bool hides = !all && is_hidden(path, here);
	names->hidden += hides;
	if (hides || !names->text || (!all && names->count - names->hidden > NAMES))
		return;
	snprintf(name, sizeof(name), "%s", path);
	clean_text(name, strlen(name));
	snprintf(names->text + at, names->room - at, "%s%s", at ? ", " : "", name);
}

static const char *more(const struct names *names, bool all)
{
	return !all && names->count - names->hidden > NAMES ? ", ..." : "";
}

/* Says which files are lost. Hidden ones are counted, and -v lists them. */
static void say_lost(const struct names *lost, bool all, const char *advice)
{
	char hidden[64] = "";
	const size_t shown = lost->count - lost->hidden;
	if (lost->hidden && shown)
		snprintf(hidden, sizeof(hidden), ", and %zu hidden; -v lists all", lost->hidden);
	else if (lost->hidden)
		snprintf(hidden, sizeof(hidden), "; -v lists %s", lost->count == 1 ? "it" : "them");
	say("%zu %sfile%s that the program created, changed or removed %s not saved%s%s%s%s%s", lost->count,
	    shown ? "" : "hidden ", lost->count == 1 ? "" : "s", lost->count == 1 ? "is" : "are", shown ? ": " : "",
	    lost->text ? lost->text : "", more(lost, all), hidden, shown ? advice : "");
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

/* Whether an object was replaced, and its record is that of the removal: what took its place is saved. */
static bool is_replaced(const struct changes *changes, size_t i)
{
	const struct change_record *record = changes->records[i];
	for (size_t j = i ? i - 1 : 0; j < i + 2 && j < changes->count; j++)
		if (j != i && changes->records[j]->is_saved && !strcmp(changes->records[j]->path, record->path))
			return record->what == CHANGE_REMOVED;
	return false;
}

/* Writes the option that would keep the `lost` files of a run from an image, whose working directory --save stands
 * for. */
static void advise_sealed(const struct changes *changes, size_t lost, char *to, size_t size)
{
	const size_t length = changes->guest_dir[1] ? strlen(changes->guest_dir) : 0;
	size_t kept = 0;
	for (size_t i = 0; i < changes->count; i++) {
		const struct change_record *record = changes->records[i];
		kept += change_is_told(record) && record->root != CHANGE_NO_ROOT &&
		        record->what & (CHANGE_CREATED | CHANGE_CONTENTS) &&
		        !strncmp(record->path, changes->guest_dir, length) && record->path[length] == '/';
	}
	if (changes->dir)
		*to = 0;
	else if (!kept)
		snprintf(to, size, "; to keep files, have the program write them to /out and add --out DIR");
	else if (lost == 1)
		snprintf(to, size, "; to keep it in the current directory, add --save");
	else
		snprintf(to, size, "; to keep those below %s in the current directory, add --save", changes->guest_dir);
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

bool changes_report(const struct changes *changes, bool is_stopped, bool all)
{
	static char advice[PATH_MAX + 100];
	struct names lost = {0}, partly = {0};
	const char *lacks = "";
	if (is_stopped && changes->dir)
		say("nothing was saved, because the program did not end by itself");
	if ((is_stopped && changes->dir) || !changes->is_complete)
		return false;
	begin(&lost, all ? changes->count : NAMES);
	begin(&partly, NAMES);
	for (size_t i = 0; i < changes->count; i++) {
		const struct change_record *record = changes->records[i];
		if (!change_is_told(record))
			continue;
		if (!record->is_saved && !is_replaced(changes, i))
			add(&lost, record->path, changes->here, all);
		if (changes->dir && record->lacks) {
			lacks = partly.count ? lacks : record->lacks;
			add(&partly, record->path, changes->here, false);
		}
	}
	if (changes->guest_dir)
		advise_sealed(changes, lost.count, advice, sizeof(advice));
	else
		advise(changes, lost.count, advice, sizeof(advice));
	if (lost.count)
		say_lost(&lost, all, advice);
	if (partly.count)
		say("owners, attributes, setuid bits, devices, FIFOs and sockets are not saved: %s%s",
		    partly.text ? partly.text : "", more(&partly, false));
	free(lost.text);
	free(partly.text);
	return true;
}
