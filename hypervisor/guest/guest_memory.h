/* SPDX-License-Identifier: MIT */
/* Guest memory as the monitor sees it. What is in it is untrusted and can change while it is read, so it is
 * copied before it is checked; the one way to it are these functions. */
#ifndef HYPERVISOR_GUEST_MEMORY_H
#define HYPERVISOR_GUEST_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "guest/host_memory.h"

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
	uint8_t *base; /**< where guest-physical address 0 is mapped */
	uint64_t bytes;
	const uint8_t *root; /**< the root image, which is no RAM: shown at LAYOUT_ROOT; NULL: none */
	uint64_t root_bytes;
	uint64_t tables; /**< for guest_virtual.h: where the page tables are; 0: at LAYOUT_PAGE_TABLES */
};

/** Reserves anonymous RAM, lazily backed. 0 or a negative errno. */
int guest_memory_init(struct guest_memory *memory, uint64_t bytes);

/** Reserves RAM by a function of an engine. 0 or a negative errno. */
int guest_memory_init_by(struct guest_memory *memory, host_memory_reserve *reserve, uint64_t bytes);

/** Unmaps it; memory that was never initialised (all zero) is let alone. */
void guest_memory_fini(struct guest_memory *memory);

/** Host pointer to [address, address + bytes), or NULL when not all of it is RAM. */
void *guest_memory_at(const struct guest_memory *memory, gpa_t address, uint64_t bytes);

/** The same of RAM or of the root image, to read. */
const void *guest_memory_shown(const struct guest_memory *memory, gpa_t address, uint64_t bytes);

/**
 * Copies what a guest can change at any moment, once: whatever is checked and used afterwards is the copy, because the
 * compiler may not read the original again in its place.
 */
static inline void guest_memory_copy(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	__asm__ volatile("" ::: "memory");
}

/** Copies out of or into the guest. 0, or -EFAULT when not all of it is RAM. */
int guest_memory_read(const struct guest_memory *memory, gpa_t from, void *to, uint64_t bytes);
int guest_memory_write(const struct guest_memory *memory, gpa_t to, const void *from, uint64_t bytes);

#endif
