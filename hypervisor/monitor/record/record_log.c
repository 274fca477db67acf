/* SPDX-License-Identifier: MIT */
#include "record/record_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"

#define BUFFER_BYTES 0x40000UL
#define LARGE_BYTES 0x4000UL       /* so much is written without a copy */
#define RESERVE_BYTES (64UL << 20) /* a file system stores what has its place already at a third of the cost */
#define RESERVE_FROM (8UL << 20)   /* a smaller file does not need that */

void record_file_open(struct record_file *file, int fd)
{
	off_t end = lseek(fd, 0, SEEK_END);
	*file = (struct record_file){.fd = fd, .buffer = malloc(BUFFER_BYTES), .bytes = end < 0 ? 0 : (uint64_t)end};
	if (!file->buffer)
		file->error = -ENOMEM;
}

/* Has the file system find places for what follows. Without them, writing finds places itself, or fails. */
static void reserve(struct record_file *file)
{
	if (!file->reserves || file->bytes < RESERVE_FROM || file->bytes <= file->reserved)
		return;
	uint64_t end = file->bytes + RESERVE_BYTES;
	file->reserves = !fallocate(file->fd, FALLOC_FL_KEEP_SIZE, (off_t)(file->bytes - file->pending),
	                            (off_t)(RESERVE_BYTES + file->pending));
	file->reserved = file->reserves ? end : file->reserved;
}

void record_file_flush(struct record_file *file)
{
	struct iovec *part = file->parts, *end = part + file->part_count;
	reserve(file);
	while (file->pending && !file->error) {
		ssize_t put = pwritev(file->fd, part, (int)(end - part), (off_t)(file->bytes - file->pending));
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0) {
			file->error = put ? -errno : -EIO;
			break;
		}
		file->pending -= (size_t)put;
		for (size_t left = (size_t)put; left;) {
			size_t run = left < part->iov_len ? left : part->iov_len;
			*part = (struct iovec){(uint8_t *)part->iov_base + run, part->iov_len - run};
			left -= run;
			part += !part->iov_len;
		}
	}
	file->used = file->pending = 0;
	file->part_count = 0;
}

/* Adds a part, or lengthens the last one. */
static void add_part(struct record_file *file, const void *data, size_t bytes)
{
	struct iovec *last = file->part_count ? file->parts + file->part_count - 1 : NULL;
	if (last && (const uint8_t *)last->iov_base + last->iov_len == data)
		last->iov_len += bytes;
	else
		file->parts[file->part_count++] = (struct iovec){(void *)data, bytes};
	file->pending += bytes;
	file->bytes += bytes;
}

void record_file_lend(struct record_file *file, const void *data, size_t bytes)
{
	if (bytes < LARGE_BYTES) {
		record_file_put(file, data, bytes);
		return;
	}
	if (file->error)
		return;
	if (file->part_count == RECORD_PARTS)
		record_file_flush(file);
	add_part(file, data, bytes);
}

void record_file_put(struct record_file *file, const void *data, size_t bytes)
{
	if (file->error || !bytes)
		return;
	if (bytes >= LARGE_BYTES) {
		record_file_lend(file, data, bytes);
		record_file_flush(file);
		return;
	}
	if (file->used + bytes > BUFFER_BYTES || file->part_count == RECORD_PARTS)
		record_file_flush(file);
	memcpy(file->buffer + file->used, data, bytes);
	add_part(file, file->buffer + file->used, bytes);
	file->used += bytes;
}

void record_file_close(struct record_file *file)
{
	if (!file->buffer)
		return;
	record_file_flush(file);
	if (file->reserved > file->bytes && ftruncate(file->fd, (off_t)file->bytes) && !file->error)
		file->error = -errno;
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
