/* SPDX-License-Identifier: MIT */
/* Where a Linux program stands, and what files its code is from: for reports. All of it is read out of the guest's
 * memory, through the checked accessor, within bounds; what makes no sense is left out. */
#ifndef HYPERVISOR_LINUX_VIEW_H
#define HYPERVISOR_LINUX_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/linux_view.h"
#include "guest/guest_memory.h"
#include "guest/image.h"

/** What the guest shows now. False: it runs no Linux program. */
bool linux_view_read(struct linux_view *view, const struct guest_memory *memory);

/** The memory as the process of a view sees it (guest_virtual.h). */
struct guest_memory linux_view_memory(const struct linux_view *view, const struct guest_memory *memory);

/**
 * Makes registers (as in struct fault_report) the program's own: those with which it entered the kernel, where they are
 * in the kernel; and where the jump of a patched system call has led away from the program's code, the place that it
 * leads back to. Others stay as they are.
 */
void linux_view_registers(const struct linux_view *view, const struct guest_memory *memory, const struct image *image,
                          uint64_t registers[17]);

/**
 * A file for eremite-symbolize (struct symbolize_modules): what is mapped to be executed in the process of a view, with
 * the files' contents. A descriptor for the caller to close, or -1.
 */
int linux_view_modules(const struct linux_view *view, const struct guest_memory *memory, const struct image *image);

#endif
