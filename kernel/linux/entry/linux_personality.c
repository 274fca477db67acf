/* SPDX-License-Identifier: MIT */
/* The personality of the image that runs Linux programs. */
#include "kernel/personality.h"

#include "kernel/linux/memory/memory_layout.h"
#include "kernel/linux/memory/space.h"
#include "kernel/linux/memory/space_tables.h"
#include "kernel/linux/patch/constant_seeds.h"
#include "kernel/linux/patch/jit_pages.h"
#include "kernel/linux/patch/patch.h"

const struct personality personality = {
	.pagetable_more = SPACE_TABLES_MORE,
	.exec_is_settled_late = true,
	.vm_map_object = constant_seeds_map_object,
	.vm_unmap = space_unmap,
	.vm_protect = constant_seeds_protect,
	.vm_discard = constant_seeds_discard,
	.exec_check = patch_exec_check,
	.exec_fault = jit_pages_fault,
	.exec_thaw = jit_pages_thaw,
	.image_is_program = memory_layout_is_image,
	.image_protect = memory_layout_protect_image,
	.memory_gap = memory_layout_gap,
	.memory_shared = memory_layout_shared,
};
