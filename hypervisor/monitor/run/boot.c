/* SPDX-License-Identifier: MIT */
/* Fills the boot area (docs/boot.md). All inputs that the guest may depend on are written here. */
#include "run/boot.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "abi/doorbell.h"
#include "abi/events.h"
#include "abi/tables.h"
#include "sched/schedule_window.h"

static int fill_tables(void *window, uint64_t *next, const struct guest_memory *memory, const struct image *image)
{
	*next = LAYOUT_PAGE_TABLES + PAGE_SIZE;
	tables_fill_gdt(window);
	tables_fill_idt(window, &image->header);
	tables_fill_tss(window, &image->header);
	tables_close_ports(window, DOORBELL_PORT);
	for (unsigned i = 0; i < image->segment_count; i++) {
		const struct image_segment *s = &image->segments[i];
		uint64_t flags = (s->flags & PF_W ? PTE_WRITE : 0) | (s->flags & PF_X ? 0 : PTE_NO_EXECUTE);
		if (tables_map_image(window, next, s->address, image_physical(image, s->address).value, s->bytes,
		                     flags))
			return -E2BIG;
	}
	return tables_map_direct(window, next, memory->bytes) ? -E2BIG : 0;
}

/* Maps an area beside the RAM beforehand, with its own page table. Mapping it by faults would leave traces that a run
 * without the area does not have. */
static int map_area(void *window, uint64_t *next, uint64_t table_at, uint64_t area, uint64_t bytes, bool writable)
{
	uint64_t *upper = tables_walk(window, next, LAYOUT_DIRECT_MAP + area, 30);
	uint64_t *table = tables_at(window, table_at);
	if (!upper)
		return -1;
	for (uint64_t at = 0; at < bytes; at += BLOCK_SIZE)
		table[at / BLOCK_SIZE] =
			(area + at) | PTE_LEAF | PTE_LARGE | PTE_NO_EXECUTE | (writable ? PTE_WRITE : 0);
	*upper = table_at | PTE_TABLE;
	return 0;
}

static int map_areas(void *window, uint64_t *next, const struct boot_config *config)
{
	uint64_t mode = config->events.mode;
	if ((mode == EVENT_LOG_RECORD || mode == EVENT_LOG_COMPARE) &&
	    map_area(window, next, LAYOUT_EVENT_TABLE, LAYOUT_EVENT_LOG, LAYOUT_EVENT_LOG_SIZE,
	             mode == EVENT_LOG_RECORD))
		return -1;
	if (schedule_window_is_needed(&config->sched) &&
	    map_area(window, next, LAYOUT_SCHED_TABLE, LAYOUT_SCHEDULE, LAYOUT_SCHEDULE_SIZE, true))
		return -1;
	if (config->flags & BOOT_FLAG_TRIES &&
	    map_area(window, next, LAYOUT_TRIES_TABLE, LAYOUT_TRIES, LAYOUT_TRIES_SIZE, true))
		return -1;
	if (config->flags & BOOT_FLAG_STRACE &&
	    map_area(window, next, LAYOUT_STRACE_TABLE, LAYOUT_STRACE, LAYOUT_STRACE_SIZE, true))
		return -1;
	if (config->flags & BOOT_FLAG_DEBUG &&
	    map_area(window, next, LAYOUT_DEBUG_TABLE, LAYOUT_DEBUG, LAYOUT_DEBUG_SIZE, true))
		return -1;
	if (config->flags & (BOOT_FLAG_NETWORK | BOOT_FLAG_INPUT))
		return map_area(window, next, LAYOUT_NETWORK_TABLE, LAYOUT_NETWORK, LAYOUT_NETWORK_SIZE, true);
	return 0;
}

static uint64_t strings_bytes(char **strings, unsigned count)
{
	uint64_t bytes = 0;
	for (unsigned i = 0; i < count; i++)
		bytes += strlen(strings[i]) + 1;
	return bytes;
}

/* Copies strings with their NULs; returns where the next ones go. */
static char *put_strings(char *to, char **strings, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		to = stpcpy(to, strings[i]) + 1;
	return to;
}

/* The size of the host paths that the guest mounts, with their NULs. They follow the arguments. */
static uint64_t host_paths_bytes(const struct boot_config *config)
{
	uint64_t bytes = 0;
	for (unsigned i = 0; i < config->tree_count; i++)
		bytes += strlen(config->trees[i].guest) + 1;
	return bytes || config->workdir ? bytes + strlen(config->workdir ? config->workdir : "") + 1 : 0;
}

static struct boot_host put_host_paths(char *to, uint64_t address, const struct boot_config *config)
{
	struct boot_host host = {
		.paths = address, .paths_bytes = host_paths_bytes(config), .root_count = config->tree_count};
	if (!host.paths_bytes)
		return (struct boot_host){0};
	for (unsigned i = 0; i < config->tree_count; i++) {
		to = stpcpy(to, config->trees[i].guest) + 1;
		host.read_only |= (uint64_t)config->trees[i].read_only << i;
	}
	strcpy(to, config->workdir ? config->workdir : "");
	return host;
}

/* Where the texts of a run begin, guest-physical. */
struct texts {
	uint64_t arguments, arguments_bytes; /* and the environment */
	uint64_t program;                    /* 0: none */
	struct boot_host host;
};

/* Copies the texts to the end of their area, beside the console ring, so that memory used together is close together.
 * Returns 0 or -E2BIG. */
static int put_texts(char *area, const struct boot_config *config, struct texts *texts)
{
	const uint64_t bytes = strings_bytes(config->arguments, config->argument_count) +
	                       strings_bytes(config->environment, config->environment_count),
		       program_bytes = config->program ? strlen(config->program) + 1 : 0,
		       used = bytes + host_paths_bytes(config) + program_bytes,
		       end = LAYOUT_ARGUMENTS + LAYOUT_ARGUMENTS_SIZE;
	if (used > LAYOUT_ARGUMENTS_SIZE)
		return -E2BIG;
	char *to = put_strings(area + LAYOUT_ARGUMENTS_SIZE - used, config->arguments, config->argument_count);
	to = put_strings(to, config->environment, config->environment_count);
	*texts = (struct texts){.arguments = end - used,
	                        .arguments_bytes = bytes,
	                        .program = program_bytes ? end - program_bytes : 0,
	                        .host = put_host_paths(to, end - used + bytes, config)};
	if (program_bytes)
		memcpy(area + LAYOUT_ARGUMENTS_SIZE - program_bytes, config->program, program_bytes);
	return 0;
}

int boot_prepare(const struct guest_memory *memory, const struct image *image, const struct boot_config *config,
                 struct error *error)
{
	void *window = guest_memory_at(memory, gpa(TABLES_WINDOW), TABLES_WINDOW_BYTES);
	struct boot_info *info = guest_memory_at(memory, gpa(LAYOUT_BOOT_INFO), sizeof(*info));
	char *strings = guest_memory_at(memory, gpa(LAYOUT_ARGUMENTS), LAYOUT_ARGUMENTS_SIZE);
	uint64_t tables_next;
	struct texts texts;
	if (!window || !info || !strings)
		return error_set(error, EINVAL, "the guest's memory is smaller than the boot area; raise --memory");
	if (fill_tables(window, &tables_next, memory, image) || map_areas(window, &tables_next, config))
		return error_set(error, E2BIG,
		                 "the image is too large: its pages do not fit into the first page tables");
	if (put_texts(strings, config, &texts))
		return error_set(
			error, E2BIG,
			"arguments and environment are longer than %lu bytes together; give fewer, or pass them in a "
			"file",
			LAYOUT_ARGUMENTS_SIZE);
	uint64_t sites = image->end, sites_bytes = config->trap_site_count * sizeof(struct trap_site);
	if (sites_bytes && guest_memory_write(memory, gpa(sites), config->trap_sites, sites_bytes))
		return error_set(error, E2BIG, "no room for the table of patched instructions; raise --memory");
	*info = (struct boot_info){
		.magic = BOOT_INFO_MAGIC,
		.door = BOOT_DOOR_MONITOR,
		.flags = config->flags,
		.ram_bytes = memory->bytes,
		.ram_shown = config->ram_shown,
		.set_base = config->set_base,
		.translation = config->translation,
		.image_end = (image->end + sites_bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1),
		.page_tables_next = tables_next,
		.seed = config->seed,
		.layout_seed = config->layout_seed,
		.epoch_ns = config->epoch_ns,
		.uptime_ns = config->uptime_s * 1000000000,
		.arguments = texts.arguments,
		.argument_count = config->argument_count,
		.environment_count = config->environment_count,
		.arguments_bytes = texts.arguments_bytes,
		.program = texts.program,
		.root = config->root_bytes ? LAYOUT_ROOT : 0,
		.root_bytes = config->root_bytes,
		.events = config->events,
		.sched = config->sched,
		.from = config->from,
		.faults = config->faults,
		.user = config->user,
		.trap_sites = sites_bytes ? sites : 0,
		.trap_site_count = config->trap_site_count,
		.host = texts.host,
		.processors = config->processors,
		.terminal_rows = config->terminal_rows,
		.terminal_columns = config->terminal_columns,
		.host_ahead = texts.host.root_count ? LAYOUT_HOST_AHEAD : 0,
	};
	return 0;
}
