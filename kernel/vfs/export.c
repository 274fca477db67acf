/* SPDX-License-Identifier: MIT */
/* Exports /out to the host: announces each object, then passes its contents, as many pieces at a time as a request
 * holds. Nothing is allocated here, because the program may have used up all memory. */
#include "kernel/vfs/export.h"

#include "abi/errno.h"
#include "kernel/dev/host.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/vfs/vfs.h"

static struct out_entry announced;
static struct out_piece pieces[OUT_PIECES_MAX];
static size_t count;

static int flush_pieces(void)
{
	int result = count ? host->out_data(pieces, count) : 0;
	count = 0;
	return result;
}

/* Adds the memory at a guest-physical address, or a hole, to the pieces. */
static int add_piece(uint64_t address, uint64_t bytes)
{
	struct out_piece *last = count ? &pieces[count - 1] : NULL;
	if (last && (address == OUT_HOLE ? last->address == OUT_HOLE
	                                 : last->address != OUT_HOLE && last->address + last->bytes == address)) {
		last->bytes += bytes;
		return 0;
	}
	int result = count == OUT_PIECES_MAX ? flush_pieces() : 0;
	pieces[count++] = (struct out_piece){address, bytes};
	return result;
}

static int export_data(const struct vfs_entry *entry)
{
	for (uint64_t at = 0; at < entry->bytes;) {
		const void *data;
		size_t bytes;
		int result = vfs_entry_data(entry, at, &data, &bytes);
		if (!result)
			result = add_piece(data ? virt_to_phys(data) : OUT_HOLE, bytes);
		if (result)
			return result;
		at += bytes;
	}
	return flush_pieces();
}

static int export_entry(const struct vfs_entry *entry, void *)
{
	size_t length = strlen(entry->path);
	if (length >= sizeof(announced.path))
		return -ENAMETOOLONG;
	memset(&announced, 0, sizeof(announced));
	announced.kind = entry->kind;
	announced.mode = entry->mode;
	announced.bytes = entry->bytes;
	memcpy(announced.path, entry->path, length);
	int result = host->out_entry(&announced);
	return result ? result : export_data(entry);
}

void export_out(void)
{
	static bool done; /* an error during the export must not start it again */
	if (done || !host->out_entry)
		return;
	done = true;
	int result = vfs_walk("/out", export_entry, NULL);
	if (result == -ENAMETOOLONG)
		end_with_report(END_REFUSED, 0, "a path in /out is longer than 4087 bytes; shorten it");
	/* If the host refuses, it has reported the error and ended the run. A program cannot cause other errors. */
	assert(result == 0);
}
