/* SPDX-License-Identifier: MIT */
/* Guest memory as the monitor sees it. Its contents are untrusted and can change while they are read, so they are
 * copied before they are checked. All access goes through these functions. */
#ifndef HYPERVISOR_GUEST_MEMORY_H
#define HYPERVISOR_GUEST_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "guest/host_memory.h"

struct guest_contents;

/** A guest-physical address. Not a number, so that it is never used as a pointer or an offset by mistake. */
typedef struct {
	uint64_t value;
} gpa_t;

static inline gpa_t gpa(uint64_t value)
{
	return (gpa_t){value};
}

/** RAM of one guest. */
struct guest_memory {
	struct host_memory ram;
	uint8_t *base; /**< where the monitor has guest-physical address 0 mapped */
	uint64_t bytes;
	const uint8_t *root; /**< the root image, shown at LAYOUT_ROOT; it is not RAM; NULL: none */
	uint64_t root_bytes;
	struct guest_contents *contents; /**< shown from LAYOUT_CONTENTS on; NULL: none */
	uint64_t tables;                 /**< for guest_virtual.h: address of the page tables; 0: LAYOUT_PAGE_TABLES */
};

/** Reserves anonymous RAM, lazily backed. Returns 0 or a negative errno. */
int guest_memory_init(struct guest_memory *memory, uint64_t bytes);

/** Reserves RAM with an engine's function. Returns 0 or a negative errno. */
int guest_memory_init_by(struct guest_memory *memory, host_memory_reserve *reserve, uint64_t bytes);

/** Unmaps the RAM; does nothing for memory that was never initialised (all zero). */
void guest_memory_fini(struct guest_memory *memory);

/** Returns a host pointer to [address, address + bytes), or NULL if not all of it is RAM. */
void *guest_memory_at(const struct guest_memory *memory, gpa_t address, uint64_t bytes);

/** Returns a host pointer, for reading only, to [address, address + bytes) in RAM, in the root image or in the contents
 * of a host file, or NULL. */
const void *guest_memory_shown(const struct guest_memory *memory, gpa_t address, uint64_t bytes);

/**
 * Copies data that a guest can change at any moment, exactly once. The barrier keeps the compiler from reading the
 * original again, so the caller checks and uses the copy.
 */
static inline void guest_memory_copy(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	__asm__ volatile("" ::: "memory");
}

/** Copies what the guest sees at an address: RAM, the root image or the content of a host file. Returns 0 or -EFAULT.
 */
int guest_memory_read_shown(const struct guest_memory *memory, gpa_t from, void *to, uint64_t bytes);

/** Copy out of or into the guest. Return 0, or -EFAULT if not all of the range is RAM. */
int guest_memory_read(const struct guest_memory *memory, gpa_t from, void *to, uint64_t bytes);
int guest_memory_write(const struct guest_memory *memory, gpa_t to, const void *from, uint64_t bytes);

#endif
