/* SPDX-License-Identifier: MIT */
#include "session/events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/events.h"
#include "base/die.h"
#include "run/event_log.h"

#define FILE_BYTES_MAX (sizeof(struct event_file_head) + LAYOUT_EVENT_LOG_SIZE)

/* Reads all of a file. Returns the bytes, or -1 with errno. */
static ssize_t read_all(int fd, uint8_t *to, size_t bytes)
{
	size_t got = 0;
	while (got < bytes) {
		const ssize_t part = read(fd, to + got, bytes - got);
		if (part < 0 && errno == EINTR)
			continue;
		if (part < 0)
			return -1;
		if (!part)
			break;
		got += (size_t)part;
	}
	return (ssize_t)got;
}

void events_read(const char *path, struct verify_sealed *events)
{
	struct stat st;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st))
		die("cannot read the events in %s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(struct event_file_head) ||
	    st.st_size > (off_t)FILE_BYTES_MAX)
		die("%s has no events of --events-out", path);
	uint8_t *bytes = malloc((size_t)st.st_size);
	if (!bytes)
		die("out of memory");
	const ssize_t got = read_all(fd, bytes, (size_t)st.st_size);
	if (got < 0)
		die("cannot read the events in %s: %s", path, strerror(errno));
	close(fd);
	if (memcmp(bytes, EVENT_FILE_MAGIC, strlen(EVENT_FILE_MAGIC)))
		die("%s has no events of --events-out", path);
	*events = (struct verify_sealed){.events = bytes, .bytes = (size_t)got, .path = path, .is_steady = true};
}

static void fail(struct run_result *result, const char *what, int error)
{
	memset(result, 0, sizeof(*result));
	result->end = RUN_ERROR;
	snprintf(result->message, sizeof(result->message), "cannot %s the events: %s", what, strerror(error));
}

void events_run(const struct session *session, FILE *to, struct run_result *result)
{
	static struct event_log own;
	struct run_config config = session->run;
	int error = config.event_log ? 0 : event_log_init(&own, session->engine->reserve);
	if (error) {
		fail(result, "keep", -error);
		return;
	}
	config.event_log = config.event_log ? config.event_log : &own; /* a packed run has a log already */
	run_image(&config, session->engine, result);
	if (result->end != RUN_ERROR)
		error = event_log_write(config.event_log, &result->events, EVENT_RECORDS, fileno(to));
	if (error)
		fail(result, "write", -error);
	if (config.event_log == &own)
		event_log_fini(&own);
}
