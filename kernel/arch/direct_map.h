/* SPDX-License-Identifier: MIT */
/* The direct map: the kernel's view of guest-physical memory, RAM and the root image. */
#ifndef KERNEL_ARCH_DIRECT_MAP_H
#define KERNEL_ARCH_DIRECT_MAP_H

#include <stdint.h>

#include "abi/layout.h"

static inline void *phys_to_virt(uint64_t address)
{
	return (void *)(LAYOUT_DIRECT_MAP + address);
}

static inline uint64_t virt_to_phys(const void *address)
{
	return (uint64_t)address - LAYOUT_DIRECT_MAP;
}

#endif
