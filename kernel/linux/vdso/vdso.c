/* SPDX-License-Identifier: MIT */
/* The object is copied for each program that is executed, and the address of the kernel's entry is stored in the
 * copy. */
#include "kernel/linux/vdso/vdso.h"

#include <stddef.h>
#include <stdint.h>

#include "abi/errno.h"
#include "abi/layout.h"
#include "kernel/lib/bug.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/memory/linux_space.h"
#include "kernel/linux/patch/code_bytes.h"
#include "kernel/mm/vm.h"

extern const char vdso_image[], vdso_image_end[]; /* vdso_image.S */

#define ELF_ENTRY 24 /* e_entry: where the kernel's entry is to be written (vdso_object.ld) */

int vdso_map(void)
{
	struct memory_layout *layout = &linux_space_self()->layout;
	const uint64_t size = (uint64_t)(vdso_image_end - vdso_image), entry = (uint64_t)entry_jump;
	const uint64_t bytes = (size + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
	const uint64_t place = *(const uint64_t *)(vdso_image + ELF_ENTRY);
	assert(place < size);
	layout->vdso = vm_find_gap_below(bytes, PAGE_SIZE, layout->mmap_top);
	if (!layout->vdso || code_map(layout->vdso, bytes))
		return -ENOMEM;
	code_put(layout->vdso, vdso_image, size);
	code_put(layout->vdso + place, &entry, sizeof(entry));
	code_settle(layout->vdso, bytes);
	return 0;
}
