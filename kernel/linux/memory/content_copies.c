/* SPDX-License-Identifier: MIT */
#include "kernel/linux/memory/content_copies.h"

#include "abi/host_file.h"
#include "kernel/arch/direct_map.h"
#include "kernel/dev/doorbell.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"

/* Pages for which the monitor is asked: it costs as much as three pages that the guest reads on kvm-pvm. */
#define REQUEST_PAGES_MIN 4

static struct {
	struct content_copy *list; /* CONTENT_COPIES_MAX of them, allocated at the first use */
	uint64_t count, bytes;
	unsigned holds;
} copies;

static void copy_all(void)
{
	if (copies.bytes >= REQUEST_PAGES_MIN * PAGE_SIZE) {
		doorbell_ring(DOORBELL_COPY, virt_to_phys(copies.list), copies.count);
	} else {
		for (uint64_t i = 0; i < copies.count; i++)
			memcpy(phys_to_virt(copies.list[i].to), phys_to_virt(copies.list[i].from),
			       copies.list[i].bytes);
	}
	copies.count = copies.bytes = 0;
}

bool content_copies_add(uint64_t frame, uint64_t original)
{
	struct content_copy *last = copies.count ? &copies.list[copies.count - 1] : NULL;
	if (original < LAYOUT_CONTENTS || doorbell_writes)
		return false;
	if (!copies.list)
		copies.list = kmalloc(CONTENT_COPIES_MAX * sizeof(copies.list[0]));
	if (!copies.list)
		return false;
	copies.bytes += PAGE_SIZE;
	if (last && last->from + last->bytes == original && last->to + last->bytes == frame) {
		last->bytes += PAGE_SIZE;
		return true;
	}
	if (copies.count == CONTENT_COPIES_MAX) {
		copies.bytes -= PAGE_SIZE;
		copy_all();
		copies.bytes = PAGE_SIZE;
	}
	copies.list[copies.count++] = (struct content_copy){original, frame, PAGE_SIZE};
	return true;
}

void content_copies_end(void)
{
	if (copies.count && !copies.holds)
		copy_all();
}

void content_copies_hold(void)
{
	copies.holds++;
}

void content_copies_release(void)
{
	copies.holds--;
	content_copies_end();
}
