/* SPDX-License-Identifier: MIT */
#include "cli/time_option.h"

#include <string.h>
#include <time.h>

#include "abi/boot.h"
#include "base/die.h"
#include "base/value.h"

void time_option_epoch(struct options *options, const char *text)
{
	struct timespec now;
	options->epoch_now = !strcmp(text, "now") && !clock_gettime(CLOCK_REALTIME, &now);
	if (options->epoch_now)
		options->run.epoch_ns = now.tv_sec * 1000000000L;
	else if (value_time(text, &options->run.epoch_ns))
		die("--epoch '%s': give now, a date such as 2000-01-01, or an RFC 3339 time such as "
		    "2000-01-01T00:00:00Z, in the years 1678 to 2261 and without leap seconds",
		    text);
}

void time_option_uptime(struct run_config *run, const char *text)
{
	if (value_number(text, &run->uptime_s) || run->uptime_s > UPTIME_MAX_S)
		die("--uptime '%s': give whole seconds, 0 to %lu", text, UPTIME_MAX_S);
}

void time_option_text(const struct options *options, char text[32])
{
	time_t seconds = options->run.epoch_ns / 1000000000L;
	struct tm when;
	if (!gmtime_r(&seconds, &when) || !strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &when))
		*text = 0;
}

void time_option_say(const struct options *options)
{
	char text[32];
	time_option_text(options, text);
	say("the run starts at --epoch %s", text);
}
