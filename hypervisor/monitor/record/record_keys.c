/* SPDX-License-Identifier: MIT */
/* Keys of TLS in a capture: a Decryption Secrets Block of pcapng, whose text has NSS's key log format. Readers use a
 * block only for the frames behind it, but a program's keys are known when it has ended: the capture leaves room. */
#include <string.h>

#include "base/write_all.h"
#include "record/record_capture.h"

#define SECRETS 10U
#define TLS_KEY_LOG 0x544c534bU
#define FILLER 0x80000001U  /* a block of local use, which readers skip */
#define ROOM_BYTES 0x40000U /* about 250 connections of TLS 1.3 */
#define FILLER_LEAST 12U
#define HEAD_BYTES 16U

static const uint8_t zeros[0x1000];

/* Appends the rest of the room, as a block without meaning. */
static void put_filler(struct record_file *file, uint32_t bytes)
{
	const uint32_t head[] = {FILLER, bytes};
	record_file_put(file, head, sizeof(head));
	for (uint32_t left = bytes - FILLER_LEAST, part; left; left -= part) {
		part = left < sizeof(zeros) ? left : (uint32_t)sizeof(zeros);
		record_file_put(file, zeros, part);
	}
	record_file_put(file, &bytes, sizeof(bytes));
}

static uint32_t secrets_bytes(size_t bytes)
{
	return HEAD_BYTES + (((uint32_t)bytes + 3) & ~3U) + 4;
}

static void put_secrets(struct record_file *file, const char *text, size_t bytes)
{
	const uint32_t total = secrets_bytes(bytes), head[] = {SECRETS, total, TLS_KEY_LOG, (uint32_t)bytes};
	record_file_put(file, head, sizeof(head));
	record_file_put(file, text, bytes);
	record_file_put(file, zeros, -bytes & 3U);
	record_file_put(file, &total, sizeof(total));
}

void record_capture_leave_room(struct record_capture *capture)
{
	capture->keys_at = capture->file.bytes;
	put_filler(&capture->file, ROOM_BYTES);
}

/* The bytes of the whole lines that fit into the room. */
static size_t fitting(const char *text, size_t bytes)
{
	const size_t most = ROOM_BYTES - FILLER_LEAST - secrets_bytes(0) - 3;
	if (bytes <= most)
		return bytes;
	const char *end = memrchr(text, '\n', most);
	return end ? (size_t)(end + 1 - text) : 0;
}

void record_capture_keys(struct record_capture *capture, const char *text, size_t bytes)
{
	struct record_file *file = &capture->file;
	size_t first = fitting(text, bytes);
	record_file_flush(file);
	if (first && capture->keys_at) {
		uint64_t end = file->bytes;
		file->bytes = capture->keys_at;
		put_secrets(file, text, first);
		put_filler(file, ROOM_BYTES - secrets_bytes(first));
		record_file_flush(file);
		file->bytes = end;
	} else {
		first = 0;
	}
	if (first < bytes)
		put_secrets(file, text + first, bytes - first);
}
