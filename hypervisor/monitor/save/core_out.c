/* SPDX-License-Identifier: MIT */
/* Pages of zeros become holes: most memory of a program was never written to. */
#include "save/core_out.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "abi/doorbell.h"
#include "abi/layout.h"
#include "base/write_all.h"

/* The user can stop eremite between two writes. */
#define WRITE_MAX (16UL << 20)

static const uint8_t zeros[PAGE_SIZE];

static int refuse_core(struct core_out *core, const char *why)
{
	snprintf(core->why_not, sizeof(core->why_not), "%s", why);
	return -EPROTO;
}

/* Writes to a file without places, such as a pipe. Returns 0 or a negative errno. */
static int write_next(int fd, const uint8_t *from, uint64_t bytes)
{
	while (bytes) {
		ssize_t done = write(fd, from, bytes);
		if (done < 0 && errno != EINTR)
			return -errno;
		from += done > 0 ? done : 0;
		bytes -= done > 0 ? (uint64_t)done : 0;
	}
	return 0;
}

static int write_zeros(struct core_out *core, uint64_t bytes)
{
	int result = 0;
	for (uint64_t done = 0, part; !core->is_regular && !result && done < bytes; done += part) {
		part = bytes - done < sizeof(zeros) ? bytes - done : sizeof(zeros);
		result = core->is_stopped && core->is_stopped() ? -EINTR : write_next(core->fd, zeros, part);
	}
	core->written += bytes;
	return result;
}

static int write_data(struct core_out *core, const uint8_t *from, uint64_t bytes)
{
	int result = !core->is_regular ? write_next(core->fd, from, bytes)
	             : bytes           ? write_all(core->fd, from, bytes, (off_t)core->written)
	                               : 0;
	core->written += bytes;
	return result;
}

/* Whether so many more bytes may be written. */
static bool has_room(struct core_out *core, uint64_t bytes)
{
	if (bytes > core->data_max - core->data) {
		refuse_core(core, "it is larger than the guest's memory permits");
		return false;
	}
	core->data += bytes;
	return true;
}

/* The bytes from `from` on, up to the first whole page of zeros, or the first page that is not: pages of the file. */
static uint64_t alike(const struct core_out *core, const uint8_t *from, uint64_t bytes, bool *is_zero)
{
	for (uint64_t at = 0, part;; at += part) {
		part = PAGE_SIZE - (core->written + at) % PAGE_SIZE;
		part = part < bytes - at ? part : bytes - at;
		const bool zero = !memcmp(from + at, zeros, part);
		if (at && zero != *is_zero)
			return at;
		*is_zero = zero;
		if (at + part == bytes)
			return bytes;
	}
}

static int take_piece(struct core_out *core, const struct guest_memory *memory, const struct out_piece *piece)
{
	if (!piece->bytes || piece->bytes > core->total - core->written)
		return refuse_core(core, "the guest sent more of it than it had announced");
	const bool is_hole = piece->address == OUT_HOLE;
	if (!(is_hole && core->is_regular) && !has_room(core, piece->bytes))
		return -EPROTO;
	if (is_hole)
		return write_zeros(core, piece->bytes);
	const uint8_t *from = guest_memory_shown(memory, gpa(piece->address), piece->bytes);
	if (!from)
		return refuse_core(core, "the guest sent what is not in its memory");
	/* Only RAM is looked at: another process could cut off a file, and a write then fails. */
	const bool is_ram = guest_memory_at(memory, gpa(piece->address), piece->bytes);
	int result = 0;
	for (uint64_t at = 0, part; !result && at < piece->bytes; at += part) {
		bool is_zero = false;
		part = piece->bytes - at < WRITE_MAX ? piece->bytes - at : WRITE_MAX;
		if (is_ram)
			part = alike(core, from + at, part, &is_zero);
		if (core->is_stopped && core->is_stopped())
			return refuse_core(core, "eremite was stopped");
		result = is_zero ? write_zeros(core, part) : write_data(core, from + at, part);
	}
	return result == -EFAULT ? refuse_core(core, "a file that the program maps has become shorter") : result;
}

int core_out_take(struct core_out *core, const struct guest_memory *memory, gpa_t address, uint64_t count,
                  uint64_t total, uint64_t missing)
{
	if (!core->total)
		core->total = total;
	if (total != core->total || total > INT64_MAX || count > OUT_PIECES_MAX)
		return refuse_core(core, "the guest sent something impossible");
	core->missing = missing;
	for (uint64_t i = 0; i < count; i++) {
		struct out_piece piece;
		if (guest_memory_read(memory, gpa(address.value + i * sizeof(piece)), &piece, sizeof(piece)))
			return refuse_core(core, "the guest sent what is not in its memory");
		int result = take_piece(core, memory, &piece);
		if (result && !core->why_not[0])
			core->error = result;
		if (result)
			return result;
	}
	return 0;
}

void core_out_end(struct core_out *core)
{
	if (core->error || core->why_not[0])
		return;
	if (!core->total || core->written != core->total) {
		refuse_core(core, "the guest did not send all of it");
		return;
	}
	if (core->is_regular && ftruncate(core->fd, (off_t)core->total))
		core->error = -errno;
	core->is_complete = !core->error;
}
