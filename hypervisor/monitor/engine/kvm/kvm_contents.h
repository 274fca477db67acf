/* SPDX-License-Identifier: MIT */
/* Contents of host files in KVM guests. The guest gets a private mapping of its own, so that parts that it will read
 * completely can be memory in place of the file's pages. */
#ifndef ENGINE_KVM_CONTENTS_H
#define ENGINE_KVM_CONTENTS_H

#include <stddef.h>
#include <stdint.h>

#include "abi/layout.h"
#include "engine/kvm/kvm_filler.h"
#include "guest/host_memory.h"

/** What a window has of a content. */
struct kvm_content {
	uint64_t address, bytes; /**< guest-physical */
	uint8_t *base;
};

/** A slot of KVM, which contents fill one behind another. Making a slot takes 50 us: KVM waits for each processor. */
struct kvm_window {
	uint64_t address, bytes; /**< guest-physical */
	uint8_t *base;
};

/** The mappings of a guest, in the order of their addresses. */
struct kvm_contents {
	struct kvm_content *list;
	size_t count, room;
	struct kvm_window *windows;
	size_t window_count, window_room;
	uint32_t flags; /**< of the windows' slots */
	struct kvm_filler filler;
};

/** Decides the flags of the slots. Called before the machine gets its processor; `contents` is zero. */
void kvm_contents_init(struct kvm_contents *contents, int vm);

/**
 * Makes a window for a content, which is behind all others, if no window has its address. Returns the new window, for
 * which the caller makes the slot; NULL: there is one, or no memory.
 */
const struct kvm_window *kvm_contents_reserve(struct kvm_contents *contents, uint64_t address, uint64_t bytes);

/** Unmaps the last window, for which no slot could be made. */
void kvm_contents_unreserve(struct kvm_contents *contents);

/**
 * Maps up to `bytes` bytes of a file, from `offset` in `memory` on, read-only for the guest-physical address. Returns
 * how many the last window has room for; -ENOMEM if it has none, or another negative errno.
 */
int64_t kvm_contents_map(struct kvm_contents *contents, uint64_t address, const struct host_memory *memory,
                         uint64_t offset, uint64_t bytes);

/** Does what engine_ops.fill says. */
void kvm_contents_fill(struct kvm_contents *contents, uint64_t address, uint64_t bytes, int file, uint64_t offset);

/** Unmaps and frees everything. */
void kvm_contents_fini(struct kvm_contents *contents);

#endif
