/* SPDX-License-Identifier: MIT */
#include "cmdline/time_option.h"
#include "session/option_defaults.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "abi/boot.h"
#include "base/die.h"
#include "base/value.h"

#define CHANGELOG "debian/changelog"
#define DATE_MAX_S (1UL << 33) /* in the year 2242, which nanoseconds since 1970 can hold */
#define NS_PER_S 1000000000L

static struct timespec command_begun;

void time_option_begin(void)
{
	clock_gettime(CLOCK_REALTIME, &command_begun);
}

/* Reads the date in the last line of the first entry of a changelog (deb-changelog(5)). Returns -1 if that entry has no
 * date. */
static time_t changelog_date(FILE *from)
{
	char *line = NULL;
	size_t room = 0;
	time_t found = -1;
	while (found < 0 && getline(&line, &room, from) > 0) {
		struct tm date = {0};
		const char *at = strncmp(line, " -- ", 4) ? NULL : strstr(line, ">  ");
		const char *end = at ? strptime(at + 3, "%a, %d %b %Y %H:%M:%S %z", &date) : NULL;
		const long offset = date.tm_gmtoff; /* timegm() clears it */
		if (at && (!end || (*end != '\n' && *end)))
			break;
		if (end)
			found = timegm(&date) - offset;
	}
	free(line);
	return found;
}

/* The date of a source package, as dpkg-buildpackage and the specification of SOURCE_DATE_EPOCH have it. */
static time_t source_date(void)
{
	const char *given = getenv("SOURCE_DATE_EPOCH");
	uint64_t seconds;
	if (given && (value_number(given, &seconds) || seconds > DATE_MAX_S))
		die("--epoch=source-date: SOURCE_DATE_EPOCH is %s; give seconds since 1970, or unset it", given);
	if (given)
		return (time_t)seconds;
	FILE *from = fopen(CHANGELOG, "re");
	if (!from)
		die("--epoch=source-date: SOURCE_DATE_EPOCH is not set, and " CHANGELOG
		    " cannot be opened: %s; set it, or "
		    "start in the folder of a Debian source package",
		    strerror(errno));
	time_t found = changelog_date(from);
	fclose(from);
	if (found < 0)
		die("--epoch=source-date: the first entry of " CHANGELOG
		    " has no line such as ' -- NAME <ADDRESS>  Tue, "
		    "24 Nov 2026 12:00:00 +0000'; set SOURCE_DATE_EPOCH");
	return found;
}

void time_option_epoch(struct session *options, const char *text)
{
	const bool is_now = !strcmp(text, "now");
	options->epoch_taken = is_now || !strcmp(text, "source-date");
	if (options->epoch_taken)
		options->run.epoch_ns = (is_now ? command_begun.tv_sec : source_date()) * NS_PER_S;
	else if (value_time(text, &options->run.epoch_ns))
		die("--epoch '%s': give now, source-date, a date such as 2000-01-01, or an RFC 3339 time such as "
		    "2000-01-01T00:00:00Z, in the years 1678 to 2261 and without leap seconds",
		    text);
}

void time_option_begin_after_files(struct session *options)
{
	options->epoch_taken = true;
	options->run.epoch_ns = (command_begun.tv_sec + 1) * NS_PER_S;
}

void time_option_uptime(struct run_config *run, const char *text)
{
	if (value_number(text, &run->uptime_s) || run->uptime_s > UPTIME_MAX_S)
		die("--uptime '%s': give whole seconds, 0 to %lu", text, UPTIME_MAX_S);
}

void time_option_say(const struct session *options)
{
	char text[32];
	option_defaults_epoch(options, text);
	say("the run starts at --epoch %s", text);
}
