/* SPDX-License-Identifier: MIT */
#include "record/record_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/write_all.h"
#include "guest/digest.h"

#define BUFFER_BYTES 0x40000UL
#define LARGE_BYTES 0x4000UL /* so much is written without a copy */

void record_file_open(struct record_file *file, int fd)
{
	off_t end = lseek(fd, 0, SEEK_END);
	*file = (struct record_file){.fd = fd, .buffer = malloc(BUFFER_BYTES), .bytes = end < 0 ? 0 : (uint64_t)end};
	if (!file->buffer)
		file->error = -ENOMEM;
}

static void write_out(struct record_file *file, const void *data, size_t bytes)
{
	if (!file->error)
		file->error = write_all(file->fd, data, bytes, (off_t)(file->bytes - file->used));
}

void record_file_flush(struct record_file *file)
{
	if (file->used)
		write_out(file, file->buffer, file->used);
	file->used = 0;
}

void record_file_put(struct record_file *file, const void *data, size_t bytes)
{
	if (file->error || !bytes)
		return;
	if (file->used + bytes > BUFFER_BYTES || bytes >= LARGE_BYTES)
		record_file_flush(file);
	if (bytes >= LARGE_BYTES) {
		write_out(file, data, bytes);
		file->bytes += bytes;
		return;
	}
	memcpy(file->buffer + file->used, data, bytes);
	file->used += bytes;
	file->bytes += bytes;
}

void record_file_close(struct record_file *file)
{
	if (!file->buffer)
		return;
	record_file_flush(file);
	if (close(file->fd) && !file->error)
		file->error = -errno;
	free(file->buffer);
	file->buffer = NULL;
	file->fd = -1;
}

uint64_t record_log_check(uint64_t before, uint32_t kind, const void *data, uint32_t bytes, const void *payload,
                          size_t payload_bytes)
{
	struct digest_sum sum;
	uint8_t hash[DIGEST_BYTES];
	const uint32_t head[] = {kind, bytes};
	uint64_t check;
	digest_begin(&sum);
	digest_add(&sum, &before, sizeof(before));
	digest_add(&sum, head, sizeof(head));
	digest_add(&sum, data, bytes);
	if (payload_bytes)
		digest_add_hash(&sum, payload, payload_bytes);
	digest_end(&sum, hash);
	memcpy(&check, hash, sizeof(check));
	return check;
}

void record_log_begin(struct record_log *log, int fd)
{
	record_file_open(&log->file, fd);
	log->check = 0;
	record_file_put(&log->file, RECORD_MAGIC, RECORD_MAGIC_BYTES);
}

void record_log_resume(struct record_log *log, int fd, uint64_t check)
{
	record_file_open(&log->file, fd);
	log->check = check;
}

void record_log_put(struct record_log *log, enum record_kind kind, const void *data, size_t bytes, const void *payload,
                    size_t payload_bytes)
{
	struct record_block block = {.kind = kind, .bytes = (uint32_t)bytes};
	log->check = block.check = record_log_check(log->check, kind, data, block.bytes, payload, payload_bytes);
	record_file_put(&log->file, &block, sizeof(block));
	record_file_put(&log->file, data, bytes);
}

const char *record_log_name(uint32_t op)
{
	switch (op) {
#define NAME(number, NAME, text) \
	case NETWORK_##NAME: \
		return #NAME;
		NETWORK_REQUEST_LIST(NAME)
		NETWORK_EVENT_LIST(NAME)
#undef NAME
	default:
		return "?";
	}
}
