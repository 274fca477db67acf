/* SPDX-License-Identifier: MIT */
/* Contents of regular files. A slot stands for 2 MiB of the file. A slot is a hole, one frame (page 0 of the slot, for
 * small files), a table of 512 frames, or a block. The low bits of its guest-physical address tell these apart. A block
 * is allocated when a write continues from the slot before it, so that files written in order get large pages and
 * sparse files do not. */
#include "kernel/vfs/data.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/vm.h"
#include "kernel/personality.h"

#define SLOT_PAGES (BLOCK_SIZE / PAGE_SIZE)
#define SLOTS_MAX (1UL << 26) /* 128 TiB of file: limits the size of the array of slots */

enum slot_kind {
	SLOT_HOLE,
	SLOT_FRAME,
	SLOT_TABLE,
	SLOT_BLOCK,
};

#define KIND(slot) ((enum slot_kind)((slot) & (PAGE_SIZE - 1)))

static uint8_t *slot_memory(uint64_t slot)
{
	return phys_to_virt(slot & ~(PAGE_SIZE - 1));
}

static size_t least_bytes(size_t a, size_t b)
{
	return a < b ? a : b;
}

void data_init(struct inode *inode)
{
	inode->data = (struct inode_data){.slot_count = 1};
	inode->data.slots = &inode->data.slot0;
}

/* The memory of a page, or NULL for a hole. *run is the length of the memory or hole, in bytes from the page's
 * start. */
static uint8_t *page_memory(const struct inode *inode, uint64_t page, size_t *run)
{
	uint64_t index = page / SLOT_PAGES, in_slot = page % SLOT_PAGES;
	*run = PAGE_SIZE;
	if (index >= inode->data.slot_count) {
		*run = SIZE_MAX;
		return NULL;
	}
	uint64_t slot = inode->data.slots[index];
	switch (KIND(slot)) {
	case SLOT_FRAME:
		if (in_slot == 0)
			return slot_memory(slot);
		break;
	case SLOT_TABLE: {
		uint64_t frame = ((uint64_t *)slot_memory(slot))[in_slot];
		return frame ? phys_to_virt(frame) : NULL;
	}
	case SLOT_BLOCK:
		*run = BLOCK_SIZE - in_slot * PAGE_SIZE;
		return slot_memory(slot) + in_slot * PAGE_SIZE;
	default:
		break;
	}
	*run = BLOCK_SIZE - in_slot * PAGE_SIZE;
	return NULL;
}

void data_find(const struct inode *inode, uint64_t offset, struct data_place *place, size_t *bytes)
{
	size_t run, in_page = offset % PAGE_SIZE;
	const uint8_t *memory = page_memory(inode, offset / PAGE_SIZE, &run);
	*place = (struct data_place){memory ? memory + in_page : NULL, !memory && offset < inode->data.backing_bytes};
	*bytes = least_bytes(*bytes, run - in_page);
	if (place->of_backing)
		*bytes = least_bytes(*bytes, inode->data.backing_bytes - offset);
}

int data_map(struct inode *inode, uint64_t offset, const void **data, size_t *bytes)
{
	struct data_place place;
	data_find(inode, offset, &place, bytes);
	*data = place.memory;
	return place.of_backing ? inode->ops->map(inode, offset, data, bytes) : 0;
}

long data_read(struct inode *inode, void *to, size_t bytes, uint64_t offset)
{
	if (offset >= inode->size)
		return 0;
	bytes = least_bytes(bytes, inode->size - offset);
	size_t done = 0;
	while (done < bytes) {
		struct data_place at;
		size_t run = bytes - done;
		data_find(inode, offset + done, &at, &run);
		int error = at.of_backing ? inode->ops->map(inode, offset + done, &at.memory, &run) : 0;
		if (error == 0)
			error = at.memory ? copy_to_user((char *)to + done, at.memory, run)
			                  : clear_user((char *)to + done, run);
		if (error < 0)
			return done ? (long)done : error;
		done += run;
	}
	return (long)done;
}

/* Grows the array to include slot `index`. */
static int grow_slots(struct inode *inode, uint64_t index)
{
	struct inode_data *data = &inode->data;
	if (index < data->slot_count)
		return 0;
	if (index >= SLOTS_MAX)
		return -ENOSPC;
	uint64_t count = data->slot_count * 2 > index + 1 ? data->slot_count * 2 : index + 1;
	uint64_t *slots = kzalloc(count * sizeof(*slots));
	if (!slots)
		return -ENOSPC;
	memcpy(slots, data->slots, data->slot_count * sizeof(*slots));
	if (data->slots != &data->slot0)
		kfree(data->slots);
	data->slots = slots;
	data->slot_count = count;
	return 0;
}

/* Turns a slot into a table, keeping its frame. */
static int make_table(uint64_t *slot)
{
	uint64_t table = frame_alloc();
	if (!table)
		return -ENOSPC;
	if (KIND(*slot) == SLOT_FRAME)
		*(uint64_t *)phys_to_virt(table) = *slot & ~(PAGE_SIZE - 1);
	*slot = table | SLOT_TABLE;
	return 0;
}

/* Fills the new frame of a page with the backing's data. */
static int fill_from_backing(struct inode *inode, uint64_t page, uint8_t *memory)
{
	uint64_t offset = page * PAGE_SIZE, end = least_bytes(offset + PAGE_SIZE, inode->data.backing_bytes);
	while (offset < end) {
		const void *data;
		size_t run = end - offset;
		int error = inode->ops->map(inode, offset, &data, &run);
		if (error < 0)
			return error;
		if (data)
			memcpy(memory + offset % PAGE_SIZE, data, run);
		offset += run;
	}
	return 0;
}

/* Pages [first, end) are about to change their memory: unmaps them. */
static void unmap_pages(struct inode *inode, uint64_t first, uint64_t end, bool copies)
{
	if (inode->data.mappings)
		vm_zap(inode, first, end, copies);
}

/* A mapping may have written beyond the end, in the last page. That must not appear when the file grows. */
static void clear_mapped_tail(struct inode *inode)
{
	size_t run, in_page = inode->size % PAGE_SIZE;
	uint8_t *memory = inode->data.mapped_writable ? page_memory(inode, inode->size / PAGE_SIZE, &run) : NULL;
	if (memory && in_page)
		memset(memory + in_page, 0, PAGE_SIZE - in_page);
}

/* Gives a page its own memory, with the backing's data unless all of it will be overwritten. */
static int add_page(struct inode *inode, uint64_t page, bool overwritten)
{
	struct inode_data *data = &inode->data;
	uint64_t index = page / SLOT_PAGES, in_slot = page % SLOT_PAGES;
	int error = grow_slots(inode, index);
	if (error < 0)
		return error;
	uint64_t *slot = &data->slots[index];
	uint64_t start = page * PAGE_SIZE;
	if (start < data->backing_bytes)
		unmap_pages(inode, page, page + 1, false);
	if (KIND(*slot) == SLOT_HOLE && in_slot == 0 && index > 0 && data->slots[index - 1] && start <= inode->size &&
	    start >= data->backing_bytes) {
		uint64_t block = frame_alloc_blocks(1);
		if (block) {
			*slot = block | SLOT_BLOCK;
			data->frames += SLOT_PAGES;
			return 0;
		}
	}
	if (!(KIND(*slot) == SLOT_HOLE && in_slot == 0) && KIND(*slot) != SLOT_TABLE) {
		error = make_table(slot);
		if (error < 0)
			return error;
	}
	uint64_t frame = frame_alloc();
	if (!frame)
		return -ENOSPC;
	if (!overwritten) {
		error = fill_from_backing(inode, page, phys_to_virt(frame));
		if (error < 0) {
			frame_free(frame);
			return error;
		}
	}
	if (KIND(*slot) == SLOT_TABLE)
		((uint64_t *)slot_memory(*slot))[in_slot] = frame;
	else
		*slot = frame | SLOT_FRAME;
	data->frames++;
	return 0;
}

/* Finds memory to write a page to, and allocates it if needed. */
static int writable_page(struct inode *inode, uint64_t page, bool overwritten, uint8_t **memory, size_t *run)
{
	*memory = page_memory(inode, page, run);
	if (*memory)
		return 0;
	int error = add_page(inode, page, overwritten);
	if (error < 0)
		return error;
	*memory = page_memory(inode, page, run);
	assert(*memory != NULL);
	return 0;
}

long data_write_unlimited(struct inode *inode, const void *from, size_t bytes, uint64_t offset)
{
	if (bytes == 0)
		return 0;
	if (offset >= DATA_SIZE_MAX)
		return -EFBIG;
	bytes = least_bytes(bytes, DATA_SIZE_MAX - offset);
	size_t done = 0;
	int error = 0;
	inode->data.written = inode->data.changed = true;
	if (offset > inode->size)
		clear_mapped_tail(inode);
	while (done < bytes) {
		size_t run, in_page = (offset + done) % PAGE_SIZE, left = bytes - done;
		uint8_t *memory;
		/* If the page counted as overwritten, a fault in the middle of it would lose the backing's data. */
		bool overwritten = inode->data.backing_bytes <= offset + done - in_page;
		error = writable_page(inode, (offset + done) / PAGE_SIZE, overwritten, &memory, &run);
		if (error < 0)
			break;
		run = least_bytes(run - in_page, left);
		error = copy_from_user(memory + in_page, (const char *)from + done, run);
		if (error < 0)
			break;
		done += run;
		if (offset + done > inode->size)
			inode->size = offset + done;
	}
	if (error == -EFAULT && offset + done >= inode->size)
		data_truncate(inode, inode->size); /* clears the part that was copied before the fault */
	return done ? (long)done : error;
}

/* Clears the part of a page from in_page on, where it has memory or a backing. */
static int clear_tail(struct inode *inode, uint64_t offset)
{
	size_t run, in_page = offset % PAGE_SIZE;
	uint8_t *memory = page_memory(inode, offset / PAGE_SIZE, &run);
	if (memory && in_page)
		memset(memory + in_page, 0, PAGE_SIZE - in_page);
	return 0;
}

static void free_page(struct inode *inode, uint64_t *frame)
{
	frame_free(*frame);
	*frame = 0;
	inode->data.frames--;
}

/* Frees or clears pages [first, end) of a slot. Frees the whole slot when it becomes empty. */
static void free_in_slot(struct inode *inode, uint64_t *slot, uint64_t first, uint64_t end)
{
	switch (KIND(*slot)) {
	case SLOT_FRAME: {
		if (first > 0)
			return;
		uint64_t frame = *slot & ~(PAGE_SIZE - 1);
		free_page(inode, &frame);
		*slot = 0;
		return;
	}
	case SLOT_TABLE: {
		uint64_t *table = (uint64_t *)slot_memory(*slot), kept = 0;
		for (uint64_t i = 0; i < SLOT_PAGES; i++) {
			if (table[i] && i >= first && i < end)
				free_page(inode, &table[i]);
			kept |= table[i];
		}
		if (!kept) {
			frame_free(*slot & ~(PAGE_SIZE - 1));
			*slot = 0;
		}
		return;
	}
	case SLOT_BLOCK:
		if (first == 0 && end == SLOT_PAGES) {
			frame_free_blocks(*slot & ~(PAGE_SIZE - 1), 1);
			*slot = 0;
			inode->data.frames -= SLOT_PAGES;
		} else {
			memset(slot_memory(*slot) + first * PAGE_SIZE, 0, (end - first) * PAGE_SIZE);
		}
		return;
	default:
		return;
	}
}

/* Frees the memory of pages [first, end). */
static void free_data_pages(struct inode *inode, uint64_t first, uint64_t end)
{
	struct inode_data *data = &inode->data;
	if (data->frames == 0)
		return;
	for (uint64_t i = first / SLOT_PAGES; i < data->slot_count && i * SLOT_PAGES < end; i++) {
		uint64_t base = i * SLOT_PAGES;
		uint64_t from = first > base ? first - base : 0;
		uint64_t to = end - base < SLOT_PAGES ? end - base : SLOT_PAGES;
		free_in_slot(inode, &data->slots[i], from, to);
	}
}

/* Copies the page of a new end from the backing. A mapping of the backing would go on to show what was behind it. */
static int copy_tail(struct inode *inode, uint64_t size)
{
	size_t run;
	uint8_t *memory;
	if (!inode->data.mappings || size % PAGE_SIZE == 0 || size >= inode->data.backing_bytes)
		return 0;
	return writable_page(inode, size / PAGE_SIZE, false, &memory, &run);
}

int data_truncate_unlimited(struct inode *inode, uint64_t size)
{
	int error = size > DATA_SIZE_MAX ? -EFBIG : copy_tail(inode, size);
	if (error < 0)
		return error;
	inode->data.written = inode->data.changed = true;
	if (size < inode->data.backing_bytes)
		inode->data.backing_bytes = size;
	if (size > inode->size)
		clear_mapped_tail(inode);
	if (size <= inode->size) {
		clear_tail(inode, size);
		unmap_pages(inode, (size + PAGE_SIZE - 1) / PAGE_SIZE, UINT64_MAX / PAGE_SIZE, true);
		free_data_pages(inode, (size + PAGE_SIZE - 1) / PAGE_SIZE, UINT64_MAX / PAGE_SIZE);
	}
	inode->size = size;
	return 0;
}

void data_free(struct inode *inode)
{
	assert(inode->data.mappings == 0);
	free_data_pages(inode, 0, UINT64_MAX / PAGE_SIZE);
	if (inode->data.slots != &inode->data.slot0)
		kfree(inode->data.slots);
}

int data_reserve_unlimited(struct inode *inode, uint64_t offset, uint64_t bytes)
{
	uint64_t end = (offset + bytes + PAGE_SIZE - 1) / PAGE_SIZE;
	for (uint64_t page = offset / PAGE_SIZE; page < end;) {
		uint8_t *memory;
		size_t run;
		if (page * PAGE_SIZE < inode->data.backing_bytes) {
			page++;
			continue;
		}
		int error = writable_page(inode, page, false, &memory, &run);
		if (error < 0)
			return error;
		page += run / PAGE_SIZE;
	}
	return 0;
}

int data_punch(struct inode *inode, uint64_t offset, uint64_t bytes)
{
	uint64_t end = offset + bytes;
	inode->data.written = inode->data.changed = true;
	while (offset < end) {
		size_t run = least_bytes(PAGE_SIZE - offset % PAGE_SIZE, end - offset);
		bool backed = (offset & ~(PAGE_SIZE - 1)) < inode->data.backing_bytes;
		size_t piece;
		uint8_t *memory = page_memory(inode, offset / PAGE_SIZE, &piece);
		if (backed && !memory) { /* only a frame of zeros hides the backing */
			int error = writable_page(inode, offset / PAGE_SIZE, run == PAGE_SIZE, &memory, &piece);
			if (error < 0)
				return error;
		}
		if (!backed && run == PAGE_SIZE) {
			uint64_t last = end / PAGE_SIZE;
			unmap_pages(inode, offset / PAGE_SIZE, last, false);
			free_data_pages(inode, offset / PAGE_SIZE, last);
			offset = last * PAGE_SIZE;
			continue;
		}
		if (memory)
			memset(memory + offset % PAGE_SIZE, 0, run);
		offset += run;
	}
	return 0;
}

int64_t data_seek(struct inode *inode, uint64_t offset, bool hole)
{
	if (offset >= inode->size)
		return -ENXIO;
	while (offset < inode->size) {
		uint64_t index = offset / BLOCK_SIZE;
		size_t run = PAGE_SIZE;
		bool empty_slot = index >= inode->data.slot_count || !inode->data.slots[index];
		bool data = offset < inode->data.backing_bytes || page_memory(inode, offset / PAGE_SIZE, &run);
		if (data != hole)
			return (int64_t)offset;
		if (!data && index >= inode->data.slot_count)
			return -ENXIO;
		uint64_t step = !data && empty_slot ? BLOCK_SIZE : PAGE_SIZE;
		offset = (offset & ~(step - 1)) + step;
	}
	return hole ? (int64_t)inode->size : -ENXIO;
}

int data_page(struct inode *inode, uint64_t page, enum vm_access access, uint64_t *physical, bool *own)
{
	uint64_t offset = page * PAGE_SIZE;
	size_t run = PAGE_SIZE;
	uint8_t *memory = page_memory(inode, page, &run);
	inode->data.changed |= access == VM_STORE;
	*own = true;
	if (!memory && access == VM_PEEK && inode->ops && inode->ops->resident && !inode->ops->resident(inode, offset))
		return -EAGAIN;
	if (!memory && access != VM_STORE && offset + PAGE_SIZE <= inode->data.backing_bytes) {
		const void *data;
		int error = inode->ops->map(inode, offset, &data, &run);
		if (error < 0)
			return error;
		if (data && run >= PAGE_SIZE && (uint64_t)data % PAGE_SIZE == 0) {
			*own = false;
			*physical = virt_to_phys(data);
			return 0;
		}
	}
	if (!memory && access == VM_PEEK)
		return -EAGAIN;
	if (!memory) {
		int error = writable_page(inode, page, false, &memory, &run);
		if (error < 0)
			return error == -ENOSPC ? -ENOMEM : error;
	}
	*physical = virt_to_phys(memory);
	return 0;
}

uint64_t data_block(struct inode *inode, uint64_t page)
{
	const uint64_t offset = page * PAGE_SIZE;
	struct data_place place;
	const void *data;
	size_t bytes = BLOCK_SIZE;
	data_find(inode, offset, &place, &bytes);
	if (!place.of_backing || bytes < BLOCK_SIZE || inode->ops->map(inode, offset, &data, &bytes) || !data ||
	    bytes < BLOCK_SIZE)
		return 0;
	const uint64_t physical = virt_to_phys(data);
	return physical < LAYOUT_RAM_MAX || physical % BLOCK_SIZE ? 0 : physical;
}

long data_write(struct inode *inode, const void *from, size_t bytes, uint64_t offset)
{
	return personality.data_write(inode, from, bytes, offset);
}

int data_truncate(struct inode *inode, uint64_t size)
{
	return personality.data_truncate(inode, size);
}

int data_reserve(struct inode *inode, uint64_t offset, uint64_t bytes)
{
	return personality.data_reserve(inode, offset, bytes);
}
