/* SPDX-License-Identifier: MIT */
/* Contents of host files in KVM guests. The guest gets a private mapping of its own, so that parts that it will read
 * completely can be memory in place of the file's pages. */
#ifndef ENGINE_KVM_CONTENTS_H
#define ENGINE_KVM_CONTENTS_H

#include <stddef.h>
#include <stdint.h>

#include "abi/layout.h"
#include "guest/host_memory.h"

/** Of smaller contents no part is filled, so they need no mapping. */
#define KVM_CONTENTS_BYTES_MIN (BLOCK_SIZE / 2)

struct kvm_content {
	uint64_t address, bytes; /**< guest-physical */
	uint8_t *base;
};

/** The mappings of a guest, in the order of their addresses. */
struct kvm_contents {
	struct kvm_content *list;
	size_t count, room;
};

/**
 * Maps `bytes` bytes of a file, from `offset` in `memory` on, read-only for the guest-physical address. Returns
 * the mapping, or NULL with errno.
 */
void *kvm_contents_map(struct kvm_contents *contents, uint64_t address, const struct host_memory *memory,
                       uint64_t offset, uint64_t bytes);

/** The size of the mapping of so many bytes: whole blocks. */
uint64_t kvm_contents_slot_bytes(uint64_t bytes);

/** Does what engine_ops.fill says. */
void kvm_contents_fill(const struct kvm_contents *contents, uint64_t address, uint64_t bytes, const uint8_t *from);

/** Unmaps and frees everything. */
void kvm_contents_fini(struct kvm_contents *contents);

#endif
