/* SPDX-License-Identifier: MIT */
/* Where KVM shadows page tables, each page of a file costs a fault of 5 us, because KVM maps no others around a page
 * that the monitor may not write to. A huge page costs one fault and 400 us for its copy; if the guest maps it by small
 * pages, because others of the block hold patches, a fault for each eight of them. */
#include "engine/kvm/kvm_contents.h"

#include <errno.h>
#include <linux/kvm.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "abi/layout.h"
#include "base/array.h"
#include "base/search.h"

/* A huge page costs as much as 100 faults, but of another thread's time. Less than this is not worth one. */
#define FILL_BYTES_MIN (BLOCK_SIZE / 4)

/* Each window is twice as large as the one before, within these limits: KVM allocates 8 bytes for each of its pages.
 */
#define WINDOW_BYTES_MIN (8 * BLOCK_SIZE)
#define WINDOW_BYTES_MAX (64 * BLOCK_SIZE)

/*
 * KVM maps several pages at a fault only in a slot that the guest may write to. What a guest writes there is its own:
 * KVM refuses files, which the monitor maps read-only, and copies in memory are private to the guest. But in such a
 * slot KVM would wait for a page with asynchronous page faults, and for ever if its file was truncated. It does not
 * for a guest whose HLT it does not intercept and which has not asked for them. No guest executes HLT, because it has
 * no ring 0.
 */
void kvm_contents_init(struct kvm_contents *contents, int vm)
{
	struct kvm_enable_cap no_halt = {.cap = KVM_CAP_X86_DISABLE_EXITS, .args = {KVM_X86_DISABLE_EXITS_HLT}};
	contents->flags = ioctl(vm, KVM_ENABLE_CAP, &no_halt) ? KVM_MEM_READONLY : 0;
}

static uint64_t whole_blocks(uint64_t bytes)
{
	return (bytes + BLOCK_SIZE - 1) & ~(BLOCK_SIZE - 1);
}

static const struct kvm_window *last_window(const struct kvm_contents *contents)
{
	return contents->window_count ? &contents->windows[contents->window_count - 1] : NULL;
}

/* Bytes of a window from an address on, which is behind all contents. */
static uint64_t room_in(const struct kvm_window *window, uint64_t address)
{
	return window && address - window->address < window->bytes ? window->bytes - (address - window->address) : 0;
}

const struct kvm_window *kvm_contents_reserve(struct kvm_contents *contents, uint64_t address, uint64_t bytes)
{
	const struct kvm_window *last = last_window(contents);
	const uint64_t twice = last && last->bytes < WINDOW_BYTES_MAX ? 2 * last->bytes : WINDOW_BYTES_MAX,
		       usual = last ? twice : WINDOW_BYTES_MIN, wanted = whole_blocks(bytes);
	struct kvm_window window = {.address = address, .bytes = wanted > usual ? wanted : usual};
	if (room_in(last, address) ||
	    !array_reserve(contents->windows, contents->window_room, contents->window_count + 1))
		return NULL;
	/* Aligned as the guest-physical blocks are, so that KVM can map 2 MiB at once. Between contents the guest finds
	 * zeros. */
	window.base = host_memory_blocks(window.bytes, PROT_READ);
	if (!window.base && window.bytes > wanted) { /* a limit of the address space */
		window.bytes = wanted;
		window.base = host_memory_blocks(wanted, PROT_READ);
	}
	if (!window.base)
		return NULL;
	madvise(window.base, window.bytes, MADV_DONTFORK);
	contents->windows[contents->window_count] = window;
	return &contents->windows[contents->window_count++];
}

void kvm_contents_unreserve(struct kvm_contents *contents)
{
	const struct kvm_window *last = last_window(contents);
	munmap(last->base, last->bytes);
	contents->window_count--;
}

int64_t kvm_contents_map(struct kvm_contents *contents, uint64_t address, const struct host_memory *memory,
                         uint64_t offset, uint64_t bytes)
{
	const struct kvm_window *window = last_window(contents);
	const uint64_t room = room_in(window, address), part = bytes < room ? bytes : room;
	if (!part || !array_reserve(contents->list, contents->room, contents->count + 1))
		return -ENOMEM;
	uint8_t *base = window->base + (address - window->address);
	if (mmap(base, part, PROT_READ, MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, memory->file, (off_t)offset) ==
	    MAP_FAILED)
		return -errno;
	madvise(base, part, MADV_DONTFORK);
	contents->list[contents->count++] = (struct kvm_content){address, part, base};
	return (int64_t)part;
}

static const struct kvm_content *content_at(const struct kvm_contents *contents, uint64_t address)
{
	const size_t behind = search_first(contents->count, at, contents->list[at].address <= address);
	return behind ? &contents->list[behind - 1] : NULL;
}

/* Has the first part of a range, which is in one window, replaced by huge pages. Returns its size, or 0 if nothing is
 * shown there. */
static uint64_t fill_part(struct kvm_contents *contents, uint64_t address, uint64_t bytes, int file, uint64_t offset)
{
	const struct kvm_content *content = content_at(contents, address);
	if (!content || address - content->address >= content->bytes)
		return 0;
	const uint64_t start = address - content->address, all = content->bytes;
	const uint64_t end = bytes < all - start ? start + bytes : all;
	for (uint64_t at = start & ~(BLOCK_SIZE - 1); at < end; at += BLOCK_SIZE) {
		const uint64_t first = at > start ? at : start, after = at + BLOCK_SIZE < end ? at + BLOCK_SIZE : end;
		const struct kvm_block block = {.to = content->base + at,
		                                .file = file,
		                                .offset = offset - start + at,
		                                .bytes = all - at < BLOCK_SIZE ? all - at : BLOCK_SIZE};
		if (after - first >= FILL_BYTES_MIN)
			kvm_filler_add(&contents->filler, &block);
	}
	return end - start;
}

void kvm_contents_fill(struct kvm_contents *contents, uint64_t address, uint64_t bytes, int file, uint64_t offset)
{
	for (uint64_t at = 0, part; at < bytes; at += part) {
		part = fill_part(contents, address + at, bytes - at, file, offset + at);
		if (!part)
			return;
	}
}

void kvm_contents_fini(struct kvm_contents *contents)
{
	kvm_filler_end(&contents->filler);
	for (size_t i = 0; i < contents->window_count; i++)
		munmap(contents->windows[i].base, contents->windows[i].bytes);
	free(contents->windows);
	free(contents->list);
	*contents = (struct kvm_contents){0};
}
