/* SPDX-License-Identifier: MIT */
/* The data that a boot loader passes (Multiboot Specification 0.6.96, section 3.3), and the steps between assembly and
 * C. */
#ifndef KERNEL_BOOT_MULTIBOOT_H
#define KERNEL_BOOT_MULTIBOOT_H

/* Flags in the header: modules on page boundaries, memory information, and the address fields, which are needed because
 * the file is ELF64. */
#define MULTIBOOT_HEADER_MAGIC 0x1badb002
#define MULTIBOOT_HEADER_FLAGS 0x10003
/* In eax at the entry. */
#define MULTIBOOT_LOADER_MAGIC 0x2badb002

#define MULTIBOOT_INFO_MEMORY 0x1U
#define MULTIBOOT_INFO_COMMAND_LINE 0x4U
#define MULTIBOOT_INFO_MODULES 0x8U
#define MULTIBOOT_INFO_MEMORY_MAP 0x40U
#define MULTIBOOT_MEMORY_RAM 1

#ifndef __ASSEMBLER__
#include <stdint.h>

/** `flags` says which fields are valid. All addresses are physical and below 4 GiB. */
struct multiboot_info {
	uint32_t flags;                      /**< MULTIBOOT_INFO_* */
	uint32_t memory_lower, memory_upper; /**< KiB from 0 and from 1 MiB */
	uint32_t boot_device;
	uint32_t command_line;
	uint32_t module_count, modules;
	uint32_t symbols[4];
	uint32_t memory_map_bytes, memory_map;
};

struct multiboot_module {
	uint32_t start, end;
	uint32_t command_line;
	uint32_t reserved;
};

struct multiboot_memory {
	uint32_t size; /**< of this entry, without this field */
	uint64_t address, bytes;
	uint32_t type;
} __attribute__((packed));

/** Called by the 32-bit entry: ring 0, long mode, the first 4 GiB identity-mapped. */
_Noreturn void multiboot_main(const struct multiboot_info *info);

/** Leaves ring 0 for good, with all registers but these cleared. */
_Noreturn void multiboot_enter(uint64_t rip, uint64_t rsp);

#endif
#endif
