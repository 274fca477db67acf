/* SPDX-License-Identifier: MIT */
/* The address space with which the kernel starts. */
#include "kernel/mm/space.h"

#include "kernel/lib/per_processor.h"

static struct space boot_space;

PER_PROCESSOR struct space *space_current = &boot_space;
