/* SPDX-License-Identifier: MIT */
/* Reads a recording. Its files are untrusted: anyone may have edited them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/version.h"
#include "record/record_log.h"
#include "record/recording.h"
#include "record/redact_queue.h"

#define LOG_MAX (8UL << 30)
#define LARGE_BYTES 0x4000U    /* a payload of so many bytes is read alone */
#define WINDOW_BYTES 0x40000UL /* of the capture that are read at once: more than any payload has */

/* Reads a whole file. Returns 0 or a negative errno. */
static int read_replay_file(int fd, uint8_t **data, size_t *bytes)
{
	struct stat st;
	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > LOG_MAX)
		return -EFBIG;
	*data = malloc((size_t)st.st_size + 1);
	if (!*data)
		return -ENOMEM;
	for (*bytes = 0; *bytes < (size_t)st.st_size;) {
		ssize_t got = read(fd, *data + *bytes, (size_t)st.st_size - *bytes);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		*bytes += (size_t)got;
	}
	return 0;
}

/* Splits the strings of options. */
static int take_options(const struct replay_block *block, char ***options, unsigned *count)
{
	const char *at = (const char *)block->data, *end = at + block->bytes;
	if (!block->bytes || end[-1])
		return -EBADMSG;
	for (const char *c = at; c < end; c++)
		*count += !*c;
	*options = calloc(*count + 1, sizeof(char *));
	if (!*options)
		return -ENOMEM;
	for (unsigned i = 0; i < *count; i++) {
		(*options)[i] = (char *)(uintptr_t)at;
		at += strlen(at) + 1;
	}
	return 0;
}

static int open_replay_file(int dir, const char *name, const char *path, struct error *error)
{
	struct stat st;
	int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && !fstat(fd, &st) && !S_ISREG(st.st_mode)) {
		close(fd);
		return error_set(error, EBADMSG, "%s of the recording %s is not a file", name, path);
	}
	return fd >= 0 ? fd
	               : error_set(error, errno, "cannot read %s of the recording %s: %s", name, path, strerror(errno));
}

/* Reads all blocks once: nothing of a damaged recording is used. */
static int check_all(struct replay *replay)
{
	struct replay_block block;
	int result = 1;
	while (result > 0)
		result = replay_next(replay, &block);
	replay->is_checked = !result;
	if (!result)
		replay_rewind(replay);
	return result;
}

/* Reads the log, whose descriptor it closes. */
static int read_log(struct replay *replay, int log, const char *path, struct error *error)
{
	struct replay_block block;
	int result = read_replay_file(log, &replay->log, &replay->bytes);
	close(log);
	if (result)
		return error_set(error, -result, "cannot read the recording %s: %s", path, strerror(-result));
	if (replay->bytes < RECORD_MAGIC_BYTES || memcmp(replay->log, RECORD_MAGIC, RECORD_MAGIC_BYTES - 2))
		return error_set(error, EBADMSG, "%s/%s is not a recording, or it was cut off before the run began",
		                 path, RECORDING_LOG);
	if (replay->log[RECORD_MAGIC_BYTES - 2] < RECORD_MAGIC[RECORD_MAGIC_BYTES - 2])
		return error_set(
			error, EBADMSG,
			"the recording %s has another format than this version of eremite reads; use the version "
			"that made it",
			path);
	if (memcmp(replay->log, RECORD_MAGIC, RECORD_MAGIC_BYTES))
		return error_set(error, EBADMSG,
		                 "the recording %.80s has format %c, and this eremite (" EREMITE_VERSION
		                 ") reads format %c; use a newer eremite",
		                 path, replay->log[RECORD_MAGIC_BYTES - 2], RECORD_MAGIC[RECORD_MAGIC_BYTES - 2]);
	replay->window.data = malloc(WINDOW_BYTES);
	if (!replay->window.data)
		return error_set(error, ENOMEM, "out of memory for the recording %s", path);
	replay->at = RECORD_MAGIC_BYTES;
	result = replay_next(replay, &block);
	if (result > 0)
		result = block.kind == RECORD_OPTIONS ? take_options(&block, &replay->options, &replay->option_count)
		                                      : -EBADMSG;
	else if (!result)
		result = error_set(&replay->error, EBADMSG, "the recording was cut off before the run began");
	if (!result)
		result = check_all(replay);
	if (!result && replay_find(replay, RECORD_DEFAULTS, &block))
		result = take_options(&block, &replay->defaults, &replay->default_count);
	if (result)
		return error_set(error, -result, "cannot replay the recording %s: %.180s", path,
		                 replay->error.text[0] ? replay->error.text : "its options are damaged");
	return 0;
}

int replay_open(struct replay *replay, const char *path, struct error *error)
{
	*replay = (struct replay){.capture = -1, .dir = strdup(path)};
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return error_set(error, errno, "cannot read the recording %s: %s", path, strerror(errno));
	int log = open_replay_file(dir, RECORDING_LOG, path, error);
	replay->capture = log < 0 ? -1 : open_replay_file(dir, RECORDING_CAPTURE, path, error);
	close(dir);
	if (log < 0 || replay->capture < 0)
		return -ENOENT;
	return read_log(replay, log, path, error);
}

int replay_open_files(struct replay *replay, const char *name, int log, int capture, struct error *error)
{
	*replay = (struct replay){.capture = capture, .dir = strdup(name)};
	return read_log(replay, log, name, error);
}

int replay_open_in_memory(struct replay *replay, const struct recording *recording, struct error *error)
{
	int fds[2];
	recording_descriptors(recording, fds);
	*replay = (struct replay){.dir = strdup("in memory")};
	replay->capture = fcntl(fds[1], F_DUPFD_CLOEXEC, 0);
	int log = fcntl(fds[0], F_DUPFD_CLOEXEC, 0);
	if (replay->capture < 0 || log < 0)
		return error_set(error, errno, "cannot read the recording in memory: %s", strerror(errno));
	return read_log(replay, log, replay->dir, error);
}

void replay_close(struct replay *replay)
{
	if (replay->capture >= 0)
		close(replay->capture);
	free(replay->log);
	free(replay->window.data);
	free(replay->options);
	free(replay->defaults);
	free(replay->dir);
	*replay = (struct replay){.capture = -1};
}

/* The block at an offset. Returns whether it is whole. */
static bool block_at(const struct replay *replay, size_t at, struct record_block *head)
{
	if (replay->bytes - at < sizeof(*head))
		return false;
	memcpy(head, replay->log + at, sizeof(*head));
	return head->bytes <= replay->bytes - at - sizeof(*head);
}

/* Reads bytes of the capture, fewer at its end. Returns how many. */
static size_t read_capture(const struct replay *replay, uint64_t at, uint8_t *to, size_t bytes)
{
	size_t done = 0;
	while (done < bytes) {
		ssize_t got = pread(replay->capture, to + done, bytes - done, (off_t)(at + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

/* Whether bytes at an offset are in the window. */
static bool has_window(const struct replay *replay, uint64_t at, uint32_t bytes)
{
	uint64_t from = at - replay->window.at;
	return at >= replay->window.at && from <= replay->window.bytes && bytes <= replay->window.bytes - from;
}

static int lacks(struct replay *replay, size_t bytes, uint64_t at)
{
	return error_set(&replay->error, EBADMSG, "%s lacks %zu bytes at offset %lu that %s refers to",
	                 RECORDING_CAPTURE, bytes, at, RECORDING_LOG);
}

/* Finds the payload of a record in the capture. Returns 0 or -EBADMSG. */
static int find_payload(struct replay *replay, const struct record_network *entry, const uint8_t **payload)
{
	uint64_t at = entry->payload_at;
	uint32_t bytes = entry->record.bytes;
	if (!has_window(replay, at, bytes)) {
		replay->window.at = at;
		replay->window.bytes = read_capture(replay, at, replay->window.data, WINDOW_BYTES);
	}
	if (!has_window(replay, at, bytes))
		return lacks(replay, bytes - replay->window.bytes, at + replay->window.bytes);
	*payload = replay->window.data + (at - replay->window.at);
	return 0;
}

int replay_payload(struct replay *replay, const struct record_network *entry, uint8_t *to)
{
	uint64_t at = entry->payload_at;
	uint32_t bytes = entry->record.bytes;
	const uint8_t *payload;
	if (bytes >= LARGE_BYTES && !has_window(replay, at, bytes)) {
		size_t got = read_capture(replay, at, to, bytes);
		return got == bytes ? 0 : lacks(replay, bytes - got, at + got);
	}
	int result = bytes ? find_payload(replay, entry, &payload) : 0;
	if (bytes && !result)
		memcpy(to, payload, bytes);
	return result;
}

/* Whether a block of standard input is right. */
static bool is_input(const struct record_block *head, const uint8_t *data)
{
	struct network_record record;
	if (head->bytes < sizeof(record))
		return false;
	memcpy(&record, data, sizeof(record));
	return record.op == NETWORK_INPUT && record.bytes <= NETWORK_PAYLOAD_MAX &&
	       record.bytes == head->bytes - sizeof(record);
}

/* Whether a block of what was replaced is right. */
static bool is_redacted(const struct record_block *head, const uint8_t *data)
{
	struct record_redacted redacted;
	if (head->bytes < sizeof(redacted))
		return false;
	memcpy(&redacted, data, sizeof(redacted));
	return redacted.count <= NETWORK_PAYLOAD_MAX &&
	       head->bytes == sizeof(redacted) + redacted.count * sizeof(struct record_redacted_range);
}

int replay_next(struct replay *replay, struct replay_block *block)
{
	struct record_block head;
	struct record_network entry = {0};
	const uint8_t *payload = NULL;
	if (!block_at(replay, replay->at, &head))
		return 0;
	const uint8_t *data = replay->log + replay->at + sizeof(head);
	if ((head.kind == RECORD_INPUT && !is_input(&head, data)) ||
	    (head.kind == RECORD_REDACTED && !is_redacted(&head, data)))
		return error_set(&replay->error, EBADMSG, "%s is damaged at offset %zu", RECORDING_LOG, replay->at);
	if (head.kind == RECORD_NETWORK) {
		if (head.bytes != sizeof(entry))
			return error_set(&replay->error, EBADMSG, "%s is damaged at offset %zu", RECORDING_LOG,
			                 replay->at);
		memcpy(&entry, data, sizeof(entry));
		if (entry.record.bytes > NETWORK_PAYLOAD_MAX || !entry.payload_at != !entry.record.bytes)
			return error_set(&replay->error, EBADMSG, "%s is damaged at offset %zu", RECORDING_LOG,
			                 replay->at);
		int result = entry.payload_at && !replay->is_checked ? find_payload(replay, &entry, &payload) : 0;
		if (result)
			return result;
	}
	uint64_t check = replay->is_checked ? head.check
	                                    : record_log_check(replay->check, head.kind, data, head.bytes, payload,
	                                                       entry.record.bytes);
	if (check != head.check)
		return error_set(
			&replay->error, EBADMSG,
			"the block at offset %zu of %s, or what it refers to, was changed after it was recorded",
			replay->at, RECORDING_LOG);
	replay->check = check;
	replay->at += sizeof(head) + head.bytes;
	*block = (struct replay_block){head.kind, head.bytes, data};
	return 1;
}

bool replay_note_given(struct replay *replay, const uint8_t *block)
{
	struct record_redacted redacted;
	struct record_redacted_range first;
	if (!block)
		return false;
	memcpy(&redacted, block, sizeof(redacted));
	replay->redacted.is = true;
	if (!redacted.count || replay->redacted.was_given || redacted.offset == REDACT_LATE)
		return false;
	memcpy(&first, block + sizeof(redacted), sizeof(first));
	replay->redacted.was_given = true;
	replay->redacted.is_input = redacted.op == NETWORK_INPUT;
	replay->redacted.flow = redacted.flow;
	replay->redacted.at = redacted.offset + first.at;
	return true;
}

/* replay_next has checked the number of ranges, not their bounds. */
void replay_fill_redacted(const uint8_t *block, uint8_t *recorded, const uint8_t *sent, uint32_t offset, uint32_t bytes)
{
	struct record_redacted redacted = {.count = 0};
	struct record_redacted_range range;
	if (block)
		memcpy(&redacted, block, sizeof(redacted));
	for (uint32_t i = 0; i < redacted.count; i++) {
		memcpy(&range, block + sizeof(redacted) + i * sizeof(range), sizeof(range));
		uint64_t from = range.at < offset ? 0 : range.at - offset, end = (uint64_t)range.at + range.bytes;
		end = end < offset ? 0 : end - offset;
		end = end < bytes ? end : bytes;
		if (from < end)
			memcpy(recorded + from, sent + from, end - from);
	}
}

bool replay_find_from(const struct replay *replay, size_t *at, uint32_t kind, struct replay_block *block)
{
	struct record_block head;
	while (block_at(replay, *at, &head)) {
		const uint8_t *data = replay->log + *at + sizeof(head);
		*at += sizeof(head) + head.bytes;
		*block = (struct replay_block){head.kind, head.bytes, data};
		if (head.kind == kind)
			return true;
	}
	return false;
}

bool replay_find(const struct replay *replay, uint32_t kind, struct replay_block *block)
{
	size_t at = RECORD_MAGIC_BYTES;
	return replay_find_from(replay, &at, kind, block);
}

bool replay_about(const struct replay *replay, const char *name, char value[128])
{
	struct replay_block block;
	const size_t name_bytes = strlen(name);
	bool is_there = replay_find(replay, RECORD_ABOUT, &block);
	const char *at = (const char *)block.data, *end = is_there ? at + block.bytes : at;
	*value = 0;
	for (const char *next; is_there && at < end && (next = memchr(at, '\n', (size_t)(end - at))); at = next + 1) {
		size_t bytes = (size_t)(next - at);
		if (bytes <= name_bytes || bytes - name_bytes > 128 || memcmp(at, name, name_bytes) ||
		    at[name_bytes] != ' ')
			continue;
		memcpy(value, at + name_bytes + 1, bytes - name_bytes - 1);
		value[bytes - name_bytes - 1] = 0;
		return true;
	}
	return false;
}

uint64_t replay_last_mark(const struct replay *replay)
{
	struct record_mark mark = {0};
	struct record_block head;
	for (size_t at = RECORD_MAGIC_BYTES; block_at(replay, at, &head); at += sizeof(head) + head.bytes) {
		if (head.kind == RECORD_END)
			return 0;
		if (head.kind == RECORD_MARK && head.bytes >= sizeof(mark))
			memcpy(&mark, replay->log + at + sizeof(head), sizeof(mark));
		else if (head.kind == RECORD_NETWORK || head.kind == RECORD_INPUT)
			mark.events = 0;
	}
	return mark.events;
}

void replay_rewind(struct replay *replay)
{
	struct replay_block block;
	replay->at = RECORD_MAGIC_BYTES;
	replay->check = 0;
	replay_next(replay, &block);
}
