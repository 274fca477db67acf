/* SPDX-License-Identifier: MIT */
/* The multiboot door: makes the same boot area and the same first instruction in ring 3 as the monitor, from what a
 * loader left in memory. All of this runs once, in ring 0, with interrupts off. Order matters: everything the loader
 * left is read before anything outside the image is written. */
#include "kernel/boot/multiboot.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "abi/boot.h"
#include "abi/image.h"
#include "abi/layout.h"
#include "abi/tables.h"
#include "kernel/boot/cmdline.h"
#include "kernel/boot/processor.h"
#include "kernel/dev/pc.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"

#define MIB (1UL << 20)
#define IDENTITY_END (4UL << 30) /* end of the range that multiboot.S maps */
#define BOOT_AREA ((void *)TABLES_WINDOW)

/** ELF64 file and program headers, as far as they are used (System V gABI, chapter 4 and 5). */
struct elf_header {
	uint8_t before[32];
	uint64_t programs; /* offset */
	uint8_t between[14];
	uint16_t program_bytes, program_count;
};

struct elf_program {
	uint32_t type, flags;
	uint64_t offset, address, physical, file_bytes, memory_bytes, align;
};

#define ELF_LOAD 1
#define ELF_EXECUTE 1U
#define ELF_WRITE 2U

/** A range of physical memory. */
struct range {
	uint64_t start, end;
};

extern const struct elf_header __image_start;
extern const char _edata[], __image_end[];
extern const struct image_header image_header;

static struct cmdline cmdline;

static _Noreturn void refuse_start(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The run cannot start: prints why, and ends with eremite's own status. */
static _Noreturn void refuse_start(const char *fmt, ...)
{
	char line[CMDLINE_ERROR_BYTES + 80];
	va_list args;
	va_start(args, fmt);
	format_va(line, sizeof(line), fmt, args);
	va_end(args);
	pc_serial_print("eremite: ");
	pc_serial_print(line);
	pc_serial_print("\n");
	pc_exit(PC_EXIT_EREMITE);
}

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
	return (bytes + unit - 1) & ~(unit - 1);
}

/* The end of the RAM that starts at or below 1 MiB and continues without a hole. Entries come in any order. */
static uint64_t ram_end(const struct multiboot_info *info)
{
	uint64_t end = MIB, before;
	if (!(info->flags & MULTIBOOT_INFO_MEMORY_MAP)) {
		if (!(info->flags & MULTIBOOT_INFO_MEMORY))
			refuse_start("the boot loader does not say how much memory there is");
		return MIB + info->memory_upper * 1024UL;
	}
	do {
		before = end;
		for (uint64_t at = info->memory_map; at < info->memory_map + (uint64_t)info->memory_map_bytes;) {
			const struct multiboot_memory *entry = (const void *)at;
			if (entry->type == MULTIBOOT_MEMORY_RAM && entry->address <= end &&
			    entry->address + entry->bytes > end)
				end = entry->address + entry->bytes;
			at += entry->size + sizeof(entry->size);
		}
	} while (end != before);
	return end < IDENTITY_END ? end : IDENTITY_END;
}

/* The root image; empty without one. */
static struct range root_module(const struct multiboot_info *info)
{
	if (!(info->flags & MULTIBOOT_INFO_MODULES) || !info->module_count)
		return (struct range){0, 0};
	if (info->module_count > 1)
		refuse_start("there are %u modules; only one can be the root file system", info->module_count);
	const struct multiboot_module *module = (const void *)(uint64_t)info->modules;
	return (struct range){module->start, module->end};
}

static void read_command_line(const struct multiboot_info *info)
{
	char error[CMDLINE_ERROR_BYTES];
	const char *text = "";
	if (info->flags & MULTIBOOT_INFO_COMMAND_LINE)
		text = (const char *)(uint64_t)info->command_line;
	if (cmdline_parse(&cmdline, text, error))
		refuse_start("%s", error);
}

/* The size of the kernel's RAM. The root image needs its own space after it. */
static uint64_t choose_memory(uint64_t end, uint64_t root_bytes)
{
	uint64_t room = end & ~(BLOCK_SIZE - 1), root = round_up(root_bytes, BLOCK_SIZE);
	uint64_t most = room > root ? room - root : 0;
	if (cmdline.memory_given && cmdline.memory_bytes > most)
		refuse_start("eremite.memory: this machine has at most %luM for it%s", most / MIB,
		             root ? " beside the root image" : "");
	if (most < LAYOUT_RAM_MIN || most < round_up((uint64_t)__image_end, BLOCK_SIZE) + BLOCK_SIZE)
		refuse_start("this machine has %luM of memory, too little for the image%s", end / MIB,
		             root ? " and its root" : "");
	return cmdline.memory_bytes < most ? cmdline.memory_bytes : most;
}

/* Guest memory is zero at the start. Most of it already is, and is not written then. */
static void clear(uint64_t start, uint64_t end)
{
	uint64_t *word = (uint64_t *)start, *stop = (uint64_t *)(end & ~63UL);
	for (; word < stop; word += 8)
		if (word[0] | word[1] | word[2] | word[3] | word[4] | word[5] | word[6] | word[7])
			memset(word, 0, 64);
	memset(word, 0, end - (uint64_t)word);
}

/* Puts the root image after the kernel's RAM, and clears all of that except the image itself. */
static void settle_memory(uint64_t ram_bytes, struct range root)
{
	uint64_t bytes = root.end - root.start;
	if (bytes) {
		memmove((void *)ram_bytes, (const void *)root.start, bytes);
		memset((void *)(ram_bytes + bytes), 0, round_up(bytes, BLOCK_SIZE) - bytes);
	}
	clear(LAYOUT_GDT, LAYOUT_IMAGE);
	clear((uint64_t)__image_end, ram_bytes);
}

/* Maps the image with the rights of its segments, in the same order as the monitor. */
static void map_image(uint64_t *next)
{
	const struct elf_program *p = (const void *)((const char *)&__image_start + __image_start.programs);
	uint64_t file_end = 0, memory_end = 0;
	for (unsigned i = 0; i < __image_start.program_count; i++, p++) {
		if (p->type != ELF_LOAD || !p->memory_bytes)
			continue;
		/* The loader has used the multiboot header, which can only describe this layout. */
		if (p->offset != p->address - LAYOUT_IMAGE)
			refuse_start("the image's file offsets do not follow its addresses");
		uint64_t start = p->address & ~(PAGE_SIZE - 1);
		uint64_t end = round_up(p->address + p->memory_bytes, PAGE_SIZE);
		uint64_t flags = (p->flags & ELF_WRITE ? PTE_WRITE : 0) | (p->flags & ELF_EXECUTE ? 0 : PTE_NO_EXECUTE);
		if (tables_map_image(BOOT_AREA, next, start, start, end - start, flags))
			refuse_start("the image is too large: its pages do not fit into the first page tables");
		file_end = p->address + p->file_bytes;
		memory_end = end;
	}
	if (file_end > (uint64_t)_edata || memory_end != (uint64_t)__image_end)
		refuse_start("the image has segments beyond what its multiboot header describes");
}

static void fill_boot_area(uint64_t ram_bytes, uint64_t root_bytes)
{
	uint64_t next = LAYOUT_PAGE_TABLES + PAGE_SIZE;
	char *strings = (char *)LAYOUT_ARGUMENTS;
	tables_fill_gdt(BOOT_AREA);
	tables_fill_idt(BOOT_AREA, &image_header);
	tables_fill_tss(BOOT_AREA, &image_header);
	map_image(&next);
	if (tables_map_direct(BOOT_AREA, &next, ram_bytes))
		refuse_start("the direct map does not fit into the first page tables");
	memcpy(strings, cmdline.arguments, cmdline.arguments_bytes);
	memcpy(strings + cmdline.arguments_bytes, cmdline.environment, cmdline.environment_bytes);
	*(struct boot_info *)LAYOUT_BOOT_INFO = (struct boot_info){
		.magic = BOOT_INFO_MAGIC,
		.door = BOOT_DOOR_MULTIBOOT,
		.processors = 1,
		.flags = cmdline.flags,
		.ram_bytes = ram_bytes,
		.ram_shown = ram_bytes,
		.image_end = round_up((uint64_t)__image_end, PAGE_SIZE),
		.page_tables_next = next,
		.seed = cmdline.seed,
		.epoch_ns = cmdline.epoch_ns,
		.uptime_ns = cmdline.uptime_s * 1000000000,
		.arguments = LAYOUT_ARGUMENTS,
		.argument_count = cmdline.argument_count,
		.environment_count = cmdline.environment_count,
		.arguments_bytes = cmdline.arguments_bytes + cmdline.environment_bytes,
		.root = root_bytes ? ram_bytes : 0,
		.root_bytes = root_bytes,
	};
}

_Noreturn void multiboot_main(const struct multiboot_info *info)
{
	pc_serial_init();
	pc_mask_interrupts();
	const char *missing = processor_check();
	if (missing)
		refuse_start("the processor has no %s, which Eremite needs", missing);
	read_command_line(info);
	struct range root = root_module(info);
	uint64_t root_bytes = root.end - root.start;
	uint64_t ram_bytes = choose_memory(ram_end(info), root_bytes);
	settle_memory(ram_bytes, root);
	fill_boot_area(ram_bytes, root_bytes);
	processor_set(&image_header);
	multiboot_enter(image_header.start, image_header.boot_stack_top);
}
