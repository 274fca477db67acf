/* SPDX-License-Identifier: MIT */
/* Patches a loaded image. Scans only executable segments; the loader accepts none that are writable, so patches stay.
 * The unwind tables are read only if there are candidates, and the result is cached by content. The multiboot entry
 * code, which queries the real processor, is not in an executable segment. */
#include "scan/scan.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cache/cache.h"
#include "scan/scan_cache.h"
#include "scan/scan_code.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define INT3 0xcc
#define SCAN_VERSION 7 /* changes with what scan_code_find finds, so that no older result is taken from the cache */

static int stop_at_site(void *context, uint64_t offset)
{
	(void)context;
	(void)offset;
	return 1;
}

/* Returns an executable segment as code; `count` is 0 if the segment is not executable. */
static struct scan_code code_of(const struct guest_memory *memory, const struct image *image,
                                const struct image_segment *segment)
{
	struct scan_code code = {.address = segment->address, .count = segment->bytes};
	code.bytes = segment->flags & PF_X
	                     ? guest_memory_at(memory, image_physical(image, segment->address), segment->bytes)
	                     : NULL;
	if (!code.bytes)
		code.count = 0;
	return code;
}

/* Returns the unwind tables, or NULL if they are outside memory. */
static const uint8_t *table_of(const struct guest_memory *memory, const struct image *image)
{
	const struct image_header *header = &image->header;
	return guest_memory_at(memory, image_physical(image, header->eh_frame),
	                       header->eh_frame_end - header->eh_frame);
}

/* Removes sites in the kernel that need no patch. The kernel stores the x87 state itself and clears what depends on the
 * host. It writes segment bases only where the host preserves them (kernel/arch/base.h). */
static void leave_kernel(const struct image *image, struct scan_sites *sites)
{
	const struct image_header *header = &image->header;
	size_t kept = 0;
	for (size_t i = 0; i < sites->count; i++) {
		const struct trap_site *site = &sites->at[i];
		bool is_kernel = site->address >= header->kernel_text && site->address < header->kernel_text_end;
		if (!is_kernel || (site->kind != TRAP_X87_STATE && site->kind != TRAP_BASE))
			sites->at[kept++] = *site;
	}
	sites->count = kept;
}

static int find_image_sites(const struct guest_memory *memory, const struct image *image, struct scan_sites *sites,
                            struct error *error)
{
	const struct image_header *header = &image->header;
	struct code_range *functions;
	size_t function_count;
	int result = eh_frame_functions(table_of(memory, image), header->eh_frame_end - header->eh_frame,
	                                header->eh_frame, &functions, &function_count, error);
	for (unsigned i = 0; i < image->segment_count && !result; i++) {
		struct scan_code code = code_of(memory, image, &image->segments[i]);
		result = scan_code_find(&code, functions, function_count, SCAN_OUTSIDE_REFUSE, sites, error);
	}
	free(functions);
	if (!result)
		leave_kernel(image, sites);
	return result;
}

/* Hashes code and unwind tables with their addresses. */
static struct scan_key image_scan_key(const struct guest_memory *memory, const struct image *image)
{
	const struct image_header *header = &image->header;
	const uint64_t head[] = {SCAN_VERSION, header->eh_frame, header->eh_frame_end};
	XXH3_state_t state;
	XXH3_128bits_reset_withSecret(&state, cache_secret(), CACHE_SECRET_BYTES);
	XXH3_128bits_update(&state, head, sizeof(head));
	XXH3_128bits_update(&state, table_of(memory, image), header->eh_frame_end - header->eh_frame);
	for (unsigned i = 0; i < image->segment_count; i++) {
		struct scan_code code = code_of(memory, image, &image->segments[i]);
		const uint64_t place[] = {code.address, code.count};
		XXH3_128bits_update(&state, place, sizeof(place));
		if (code.count)
			XXH3_128bits_update(&state, code.bytes, code.count);
	}
	XXH128_hash_t hash = XXH3_128bits_digest(&state);
	return (struct scan_key){hash.low64, hash.high64};
}

/* Whether sites can be those of this image: instructions in executable segments, in ascending order. */
static bool are_sites_possible(const struct scan_sites *sites, const struct image *image)
{
	uint64_t after = 0;
	for (size_t i = 0; i < sites->count; i++) {
		const struct trap_site *site = &sites->at[i];
		bool inside = false;
		for (unsigned n = 0; n < image->segment_count; n++) {
			const struct image_segment *s = &image->segments[n];
			inside |= (s->flags & PF_X) && site->address - s->address < s->bytes;
		}
		if (!inside || site->address < after || site->length < 2)
			return false;
		after = site->address + site->length;
	}
	return true;
}

/* Takes the sites from the cache, or searches for them. */
static int find_or_recall_sites(const struct guest_memory *memory, const struct image *image, struct scan_sites *sites,
                                struct error *error)
{
	if (!table_of(memory, image))
		return error_set(error, EINVAL, "the unwind tables lie outside memory");
	struct scan_key key = image_scan_key(memory, image);
	void *records = NULL;
	if (!scan_cache_get(&key, SCAN_CACHE_SITES, &records, &sites->count)) {
		sites->at = records;
		sites->room = sites->count;
		if (are_sites_possible(sites, image))
			return 0;
	}
	free(records);
	*sites = (struct scan_sites){0};
	int result = find_image_sites(memory, image, sites, error);
	if (!result)
		scan_cache_put(&key, SCAN_CACHE_SITES, sites->at, sites->count);
	return result;
}

int scan_image(const struct guest_memory *memory, const struct image *image, struct trap_site **sites, uint64_t *count,
               struct error *error)
{
	struct scan_sites found = {0};
	int any = 0;
	*sites = NULL;
	*count = 0;
	for (unsigned i = 0; i < image->segment_count && !any; i++) {
		struct scan_code code = code_of(memory, image, &image->segments[i]);
		any = scan_code_candidates(&code, stop_at_site, NULL);
	}
	if (!any)
		return 0;
	int result = find_or_recall_sites(memory, image, &found, error);
	for (size_t i = 0; i < found.count && !result; i++) {
		const uint8_t trap = INT3;
		result = guest_memory_write(memory, image_physical(image, found.at[i].address), &trap, 1);
	}
	if (result || !found.count) {
		free(found.at);
		return result;
	}
	*sites = found.at; /* segments are in ascending order, and so are the sites of each */
	*count = found.count;
	return 0;
}
