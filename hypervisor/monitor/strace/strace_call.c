/* SPDX-License-Identifier: MIT */
#include "strace/strace_call.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int strace_call_add(struct strace_call *call, const uint8_t *from, size_t bytes)
{
	if (call->begin.bytes + bytes > 2 * STRACE_RECORD_MAX)
		return -E2BIG;
	uint8_t *all = realloc(call->begin.from, call->begin.bytes + bytes + 1);
	if (!all)
		return -ENOMEM;
	memcpy(all + call->begin.bytes, from, bytes);
	call->begin.from = all;
	call->begin.bytes += bytes;
	return 0;
}

void strace_call_fini(struct strace_call *call)
{
	free(call->begin.from);
	*call = (struct strace_call){0};
}

/* The piece that has `address`, with at least `bytes` bytes from there on; *left is how many it has. */
static const uint8_t *find_piece(const struct strace_pieces *pieces, uint64_t address, size_t bytes, size_t *left)
{
	struct strace_piece piece;
	for (size_t at = 0; pieces->bytes - at >= sizeof(piece);) {
		memcpy(&piece, pieces->from + at, sizeof(piece));
		at += sizeof(piece);
		if (piece.bytes > pieces->bytes - at)
			return NULL;
		const uint64_t skipped = address - piece.address;
		if (skipped < piece.bytes && piece.bytes - skipped >= bytes) {
			*left = piece.bytes - skipped;
			return pieces->from + at + skipped;
		}
		const uint64_t padded = (piece.bytes + 7) & ~7UL;
		at += padded <= pieces->bytes - at ? padded : pieces->bytes - at;
	}
	return NULL;
}

const void *strace_call_in(const struct strace_call *call, uint64_t address, size_t bytes)
{
	size_t left;
	const uint8_t *found = find_piece(&call->begin, address, bytes, &left);
	return found ? found : find_piece(&call->end, address, bytes, &left);
}

const void *strace_call_out(const struct strace_call *call, uint64_t address, size_t bytes)
{
	size_t left;
	return find_piece(&call->end, address, bytes, &left);
}

static const char *cut(const uint8_t *found, size_t left, size_t *bytes)
{
	if (found && *bytes > left)
		*bytes = left;
	return (const char *)found;
}

const char *strace_call_text_in(const struct strace_call *call, uint64_t address, size_t *bytes)
{
	size_t left = 0;
	const uint8_t *found = find_piece(&call->begin, address, 1, &left);
	if (!found)
		found = find_piece(&call->end, address, 1, &left);
	return cut(found, left, bytes);
}

const char *strace_call_text_out(const struct strace_call *call, uint64_t address, size_t *bytes)
{
	size_t left = 0;
	const uint8_t *found = find_piece(&call->end, address, 1, &left);
	return cut(found, left, bytes);
}
