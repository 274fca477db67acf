/* SPDX-License-Identifier: MIT */
#include "kernel/linux/core/core_stream.h"

#include <stdbool.h>

#include "abi/layout.h"
#include "kernel/dev/doorbell.h"
#include "kernel/dev/host.h"
#include "kernel/lib/string.h"

/* Copies go through this buffer, which is sent when it is full: a page of the program fits. */
static struct {
	uint8_t copied[2 * PAGE_SIZE];
	size_t copied_bytes;
	struct out_piece pieces[OUT_PIECES_MAX];
	size_t count;
	uint64_t at, total, missing;
} stream;

static void send_pieces(void)
{
	if (stream.count && stream.total)
		host->core(stream.pieces, stream.count, stream.total, stream.missing);
	stream.count = 0;
	stream.copied_bytes = 0;
}

void core_stream_begin(uint64_t total)
{
	stream.count = stream.copied_bytes = 0;
	stream.at = stream.missing = 0;
	stream.total = total;
}

uint64_t core_stream_at(void)
{
	return stream.at;
}

static void add_core_piece(uint64_t address, uint64_t bytes)
{
	struct out_piece *last = stream.count ? &stream.pieces[stream.count - 1] : NULL;
	stream.at += bytes;
	if (!stream.total || !bytes)
		return;
	const bool both_holes = last && last->address == OUT_HOLE && address == OUT_HOLE;
	const bool follows = last && last->address != OUT_HOLE && last->address + last->bytes == address;
	if (both_holes || follows) {
		last->bytes += bytes;
		return;
	}
	if (stream.count == OUT_PIECES_MAX)
		send_pieces();
	stream.pieces[stream.count++] = (struct out_piece){address, bytes};
}

void core_stream_add(const void *from, size_t bytes)
{
	const uint8_t *at = from;
	while (bytes) {
		if (stream.copied_bytes == sizeof(stream.copied) || stream.count == OUT_PIECES_MAX)
			send_pieces();
		const size_t room = sizeof(stream.copied) - stream.copied_bytes, part = bytes < room ? bytes : room;
		uint8_t *to = stream.copied + stream.copied_bytes;
		memcpy(to, at, part);
		if (stream.total)
			stream.copied_bytes += part;
		add_core_piece(doorbell_address(to), part);
		at += part;
		bytes -= part;
	}
}

void core_stream_add_memory(uint64_t physical, uint64_t bytes)
{
	add_core_piece(physical, bytes);
}

void core_stream_add_hole(uint64_t bytes)
{
	add_core_piece(OUT_HOLE, bytes);
}

void core_stream_align(uint64_t to)
{
	add_core_piece(OUT_HOLE, -stream.at & (to - 1));
}

void core_stream_miss(uint64_t bytes)
{
	stream.missing += bytes;
}

void core_stream_end(void)
{
	send_pieces();
}
