/* SPDX-License-Identifier: MIT */
#include "record/record_grow.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/write_all.h"
#include "record/record_log.h"

#define PIECE_BYTES 0x40000UL /* of the capture that are copied at once */

/* The end of the blocks that are kept, and the check of the last one. */
static size_t find_end(const struct replay *replay, uint64_t *check)
{
	size_t at = RECORD_MAGIC_BYTES;
	struct record_block head;
	while (replay->bytes - at >= sizeof(head)) {
		memcpy(&head, replay->log + at, sizeof(head));
		if (head.kind == RECORD_END || head.bytes > replay->bytes - at - sizeof(head))
			break;
		*check = head.check;
		at += sizeof(head) + head.bytes;
	}
	return at;
}

/* Reads from a file. Returns 0, -ENODATA if it is shorter, or another negative errno. */
static int read_log_at(int fd, void *to, size_t bytes, uint64_t at)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t got = pread(fd, (char *)to + done, bytes - done, (off_t)(at + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -ENODATA;
		done += (size_t)got;
	}
	return 0;
}

/* Stores the end of the whole blocks of pcapng. */
static int find_capture_end(int fd, uint64_t *end)
{
	struct stat st;
	uint32_t head[2]; /* kind, and bytes of the block */
	int result = fstat(fd, &st) ? -errno : 0;
	*end = 0;
	while (!result && (uint64_t)st.st_size - *end >= sizeof(head)) {
		result = read_log_at(fd, head, sizeof(head), *end);
		if (result || head[1] < 12 || head[1] > (uint64_t)st.st_size - *end)
			break;
		*end += head[1];
	}
	return result;
}

int record_grow_copy(const struct replay *replay, int log, int capture, uint64_t *check)
{
	uint64_t end;
	uint8_t *piece = malloc(PIECE_BYTES);
	*check = 0;
	int result = piece ? write_all(log, replay->log, find_end(replay, check), 0) : -ENOMEM;
	if (!result)
		result = find_capture_end(replay->capture, &end);
	for (uint64_t at = 0, bytes; !result && at < end; at += bytes) {
		bytes = end - at < PIECE_BYTES ? end - at : PIECE_BYTES;
		result = read_log_at(replay->capture, piece, bytes, at);
		if (!result)
			result = write_all(capture, piece, bytes, (off_t)at);
	}
	free(piece);
	return result;
}
