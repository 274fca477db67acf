/* SPDX-License-Identifier: MIT */
#include "session/events.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "abi/events.h"
#include "base/die.h"
#include "base/whole_file.h"
#include "run/event_log.h"

#define FILE_BYTES_MAX (sizeof(struct event_file_head) + sizeof(uint64_t) + LAYOUT_EVENT_LOG_SIZE)

void events_read(const char *path, struct verify_sealed *events)
{
	void *bytes;
	size_t count;
	const int error = whole_file_read(path, FILE_BYTES_MAX, &bytes, &count);
	if (error && error != -EINVAL && error != -EFBIG)
		die("cannot read the events in %s: %s", path, strerror(-error));
	const size_t magic = strlen(EVENT_FILE_MAGIC);
	if (!error && count >= magic && !memcmp(bytes, EVENT_FILE_MAGIC_FROM, magic))
		die("%s has events from a number on (--events-from), for 'eremite compare'; give the list of a whole "
		    "run",
		    path);
	if (error || count < magic || memcmp(bytes, EVENT_FILE_MAGIC, magic))
		die("%s has no events of --events-out", path);
	*events = (struct verify_sealed){.events = bytes, .bytes = count, .path = path, .is_steady = true};
}

static void events_fail(struct run_result *result, const char *what, int error)
{
	memset(result, 0, sizeof(*result));
	result->end = RUN_ERROR;
	if (error == ENOTSUP) {
		snprintf(result->message, sizeof(result->message),
		         "the kernel of this image is too old for --events-from; leave it out, or build the image "
		         "again");
		return;
	}
	snprintf(result->message, sizeof(result->message), "cannot %s the events: %s", what, strerror(error));
}

void events_run(const struct session *session, FILE *to, struct run_result *result)
{
	static struct event_log own;
	struct run_config config = session->run;
	int error = config.event_log ? 0 : event_log_init(&own, session->engine->reserve);
	if (error) {
		events_fail(result, "keep", -error);
		return;
	}
	if (session->events_from) {
		own.wanted.returned = session->events_from - 1;
		own.wanted.stride = 1;
	}
	config.event_log = config.event_log ? config.event_log : &own; /* a packed run has a log already */
	run_image(&config, session->engine, result);
	if (result->end != RUN_ERROR)
		error = event_log_write(config.event_log, &result->events, EVENT_RECORDS, fileno(to));
	if (error)
		events_fail(result, "write", -error);
	if (config.event_log == &own)
		event_log_fini(&own);
}
