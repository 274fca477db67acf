/* SPDX-License-Identifier: MIT */
/* Where a Linux program is, and which files its code comes from, for reports. Everything is read from guest memory
 * through the checked accessor, within bounds; invalid data is skipped. */
#ifndef HYPERVISOR_LINUX_VIEW_H
#define HYPERVISOR_LINUX_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/linux_view.h"
#include "guest/guest_memory.h"
#include "guest/image.h"

/** Copies the current view. Returns false if the guest runs no Linux program. */
bool linux_view_read(struct linux_view *view, const struct guest_memory *memory);

/** Returns guest memory with the page tables of a view's process (guest_virtual.h). */
struct guest_memory linux_view_memory(const struct linux_view *view, const struct guest_memory *memory);

/** Reads the FS base of the running thread. Returns false if it cannot be read. */
bool linux_view_fs_base(const struct linux_view *view, const struct guest_memory *memory, const struct image *image,
                        uint64_t *base);

/** What threads other than the running one do. */
struct linux_others {
	unsigned ready; /**< number that could run */
	unsigned timed; /**< number that wait until a time at most */
	bool has_timer; /**< a timer will send a signal, or make a file ready */
};

/** Looks at the threads of all processes. Returns false if they cannot be read: the kernel may be changing the list. */
bool linux_view_others(const struct linux_view *view, const struct guest_memory *memory, const struct image *image,
                       struct linux_others *others);

/**
 * Sets made[i] to whether code at addresses[i] of a view's process is not in a file, but was made at run time. Returns
 * 0 or -1.
 */
int linux_view_made(const struct linux_view *view, const struct guest_memory *memory, const struct image *image,
                    const uint64_t *addresses, unsigned count, bool *made);

/**
 * Replaces registers (as in struct fault_report) by the program's own. If they point into the kernel, takes those with
 * which the program entered it. If they point into the stub of a patched system call, sets RIP to where the stub jumps
 * back. Leaves others unchanged.
 */
void linux_view_registers(const struct linux_view *view, const struct guest_memory *memory, const struct image *image,
                          uint64_t registers[17]);

/** A place in a file whose code was mapped: the kernel address of its struct view_file, and an offset in it. */
struct linux_place {
	uint64_t file, offset;
};

/**
 * Sets addresses[i] to where places[i] is mapped executable in a view's process, or to 0. Returns 0 or -1.
 */
int linux_view_places(const struct linux_view *view, const struct guest_memory *memory, const struct image *image,
                      const struct linux_place *places, unsigned count, uint64_t *addresses);

/**
 * Makes a file for eremite-symbolize (struct symbolize_modules) with the executable mappings of a view's process and
 * the contents of their files. Returns a descriptor, which the caller closes, or -1.
 */
int linux_view_modules(const struct linux_view *view, const struct guest_memory *memory, const struct image *image);

/** A number that is another one if linux_view_modules would make another file. */
uint64_t linux_view_signature(const struct linux_view *view, const struct guest_memory *memory,
                              const struct image *image);

#endif
