/* SPDX-License-Identifier: MIT */
/* Patches a loaded image. Only executable segments are looked at, which the loader lets no image write to, so what is
 * patched once stays patched; the unwind tables are read only when there is something to decide. The multiboot door,
 * which asks the real processor, is not in one. */
#include "scan.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "scan_code.h"

#define INT3 0xcc

static int stop(void *context, uint64_t offset)
{
	(void)context;
	(void)offset;
	return 1;
}

/* An executable segment as code; count is 0 when it is none. */
static struct scan_code code_of(const struct guest_memory *memory, const struct image_segment *segment)
{
	struct scan_code code = {.address = segment->address, .count = segment->bytes};
	code.bytes = segment->flags & PF_X ? guest_memory_at(memory, gpa(segment->address), segment->bytes) : NULL;
	if (!code.bytes)
		code.count = 0;
	return code;
}

static int find(const struct guest_memory *memory, const struct image *image, struct scan_sites *sites, char *error)
{
	const struct image_header *header = &image->header;
	uint64_t table_bytes = header->eh_frame_end - header->eh_frame;
	const uint8_t *table = guest_memory_at(memory, gpa(header->eh_frame), table_bytes);
	struct code_range *functions;
	size_t function_count;
	if (!table) {
		snprintf(error, 256, "the unwind tables lie outside memory");
		return -EINVAL;
	}
	int result = eh_frame_functions(table, table_bytes, header->eh_frame, &functions, &function_count, error);
	for (unsigned i = 0; i < image->segment_count && !result; i++) {
		struct scan_code code = code_of(memory, &image->segments[i]);
		result = scan_code_find(&code, functions, function_count, SCAN_OUTSIDE_REFUSE, sites, error);
	}
	free(functions);
	return result;
}

int scan_image(const struct guest_memory *memory, const struct image *image, struct trap_site **sites, uint64_t *count,
               char error[256])
{
	struct scan_sites found = {0};
	int any = 0;
	*sites = NULL;
	*count = 0;
	for (unsigned i = 0; i < image->segment_count && !any; i++) {
		struct scan_code code = code_of(memory, &image->segments[i]);
		any = scan_code_candidates(&code, stop, NULL);
	}
	if (!any)
		return 0;
	int result = find(memory, image, &found, error);
	for (size_t i = 0; i < found.count && !result; i++) {
		const uint8_t trap = INT3;
		result = guest_memory_write(memory, gpa(found.at[i].address), &trap, 1);
	}
	if (result || !found.count) {
		free(found.at);
		return result;
	}
	*sites = found.at; /* segments ascend, and so do the sites of each */
	*count = found.count;
	return 0;
}
