/* SPDX-License-Identifier: MIT */
/* A new command line begins with the list of another command line of the same program. It gets a list of its own only
 * if that did not fit, so programs with new arguments each time do not fill the cache. The memory recorded for a
 * program is the least that any run with its list used: populating memory in vain costs more than populating it late.
 */
#include "hostfs/host_recall.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "hostfs/tree/host_tree_ops.h"

#define VERSION 3UL
_Static_assert(sizeof(struct host_recall_memory) % SCAN_CACHE_RECORD_BYTES == 0, "a record");

/* Up to these numbers of missed requests, of objects looked up in vain, and of bytes of memory expected but not used, a
 * list fits and is not written again. */
#define MISSED_MAX 8
#define VAIN_MAX 64 /* for a command that has a list of the program only */
#define VAIN_BYTES (4UL << 20)

static void hash_recall_text(XXH3_state_t *state, const char *text)
{
	XXH3_128bits_update(state, text, strlen(text) + 1);
}

static struct scan_key recall_key(const struct host_files *files, char *const *arguments, unsigned count,
                                  const char *workdir)
{
	const uint64_t head[] = {VERSION, count, files->tree_count, files->times, files->bytecode_times};
	XXH3_state_t state;
	XXH3_128bits_reset(&state);
	XXH3_128bits_update(&state, head, sizeof(head));
	for (unsigned i = 0; i < files->tree_count; i++) {
		hash_recall_text(&state, files->trees[i].ops->origin(&files->trees[i]));
		hash_recall_text(&state, files->trees[i].guest);
	}
	for (unsigned i = 0; i < count; i++)
		hash_recall_text(&state, arguments[i]);
	hash_recall_text(&state, workdir);
	XXH128_hash_t hash = XXH3_128bits_digest(&state);
	return (struct scan_key){hash.low64, hash.high64};
}

static bool get(const struct scan_key *key, struct host_recall_memory *memory, struct host_asked_list *list)
{
	void *records;
	size_t count;
	if (scan_cache_get(key, SCAN_CACHE_ASKED, &records, &count))
		return false;
	size_t bytes = count * SCAN_CACHE_RECORD_BYTES;
	bool good = bytes >= sizeof(*memory);
	if (good) {
		bytes -= sizeof(*memory);
		memcpy(memory, records, sizeof(*memory));
		memmove(records, (uint8_t *)records + sizeof(*memory), bytes);
		good = !host_asked_adopt(list, records, bytes);
	}
	if (!good)
		free(records);
	return good;
}

void host_recall_get(struct host_recall *recall, const struct host_files *files, char *const *arguments, unsigned count,
                     const char *workdir, struct host_asked_list *list)
{
	*recall = (struct host_recall){
		.command = recall_key(files, arguments, count, workdir ? workdir : ""),
		.program = recall_key(files, arguments, 1, ""),
	};
	recall->has_command = get(&recall->command, &recall->memory, list);
	recall->has_program = !recall->has_command && get(&recall->program, &recall->memory, list);
}

static void keep_recall(const struct scan_key *key, const struct host_recall_memory *memory,
                        const struct host_asked_list *list)
{
	size_t bytes = sizeof(*memory) + list->used;
	uint8_t *records = malloc(bytes);
	if (!records)
		return;
	memcpy(records, memory, sizeof(*memory));
	memcpy(records + sizeof(*memory), list->bytes, list->used);
	scan_cache_put(key, SCAN_CACHE_ASKED, records, bytes / SCAN_CACHE_RECORD_BYTES);
	free(records);
}

/* Returns the smaller of two memory sizes. One of them may be unknown (0). */
static const struct host_recall_memory *least(const struct host_recall_memory *a, const struct host_recall_memory *b)
{
	return !b->bytes || (a->bytes && a->bytes < b->bytes) ? a : b;
}

void host_recall_put(const struct host_recall *recall, const struct host_asked_list *before,
                     const struct host_asked_list *now, const struct host_recall_memory *memory, uint64_t foreseen,
                     uint64_t missed, uint64_t vain)
{
	bool is_new = missed > MISSED_MAX || (vain > VAIN_MAX && !recall->has_command);
	bool is_alike = missed < foreseen; /* the run was much like the earlier one */
	bool is_vain = memory->bytes && recall->memory.bytes > memory->bytes + VAIN_BYTES;
	if (!recall->has_command && !recall->has_program) {
		keep_recall(&recall->program, memory, now);
		return;
	}
	if (is_new)
		keep_recall(&recall->command, memory, now);
	else if (is_vain && recall->has_command)
		keep_recall(&recall->command, memory, before);
	if (recall->has_command)
		return;
	if (is_new && !is_alike)
		keep_recall(&recall->program, least(memory, &recall->memory), now);
	else if (is_vain)
		keep_recall(&recall->program, memory, before);
}
