/* SPDX-License-Identifier: MIT */
/* Passing /out to the host: each object is announced, then its contents follow piece by piece. */
#include "kernel/vfs/export.h"

#include "kernel/dev/host.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/vfs/vfs.h"

/* Zeros for holes; never written. */
static const uint8_t *zeros(void)
{
	static uint64_t page;
	if (!page)
		page = frame_alloc();
	return page ? phys_to_virt(page) : NULL;
}

static int export_data(const struct vfs_entry *entry)
{
	for (uint64_t at = 0; at < entry->bytes;) {
		const void *data;
		size_t bytes = entry->bytes - at;
		int result = vfs_entry_data(entry, at, &data, &bytes);
		if (result)
			return result;
		if (!data) {
			data = zeros();
			bytes = bytes < PAGE_SIZE ? bytes : PAGE_SIZE;
		}
		result = data ? host->out_data(data, bytes) : -1;
		if (result)
			return result;
		at += bytes;
	}
	return 0;
}

static int export_entry(const struct vfs_entry *entry, void *context)
{
	struct out_entry *announced = context;
	size_t length = strlen(entry->path);
	if (length >= sizeof(announced->path))
		return -1;
	memset(announced, 0, sizeof(*announced));
	announced->kind = entry->kind;
	announced->mode = entry->mode;
	announced->bytes = entry->kind == LINUX_S_IFDIR ? 0 : entry->bytes;
	memcpy(announced->path, entry->path, length);
	int result = host->out_entry(announced);
	return result || entry->kind == LINUX_S_IFDIR ? result : export_data(entry);
}

void export_out(void)
{
	static bool done; /* an error on the way out must not start it again */
	if (done)
		return;
	done = true;
	struct out_entry *announced = kmalloc(sizeof(*announced));
	/* When the host refuses an object it says so itself, and ends the run. */
	if (announced)
		vfs_walk("/out", export_entry, announced);
	kfree(announced);
}
