/* SPDX-License-Identifier: MIT */
/* Packed: a head, the patches, the loops that wait, and the offsets of stores, several in a record. */
#include "code/service/code_analysis.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/beside.h"
#include "cache/scan_key.h"
#include "code/code_hits.h"
#include "scan/opcode_search.h"

#define LARGE (8UL << 20) /* a file of more bytes is searched by several threads */

#define RECORD SCAN_CACHE_RECORD_BYTES
#define STORES_IN_RECORD (RECORD / sizeof(uint32_t))

struct head {
	uint32_t patches, waits, stores, zero;
};

struct packed_wait {
	uint64_t address, is_sure;
};

_Static_assert(sizeof(struct head) == RECORD, "head");
_Static_assert(sizeof(struct packed_wait) == RECORD, "packed_wait");
_Static_assert(sizeof(struct code_patch) == RECORD, "code_patch");

/* Reads the whole file for what the search of a large one asks sooner or later. */
static void *read_ahead(void *context)
{
	struct code_search *search = context;
	/* Without memory it is read when it is asked for. */
	if (!code_branches_read(&search->branches, &search->map))
		(void)code_mentions_read(&search->mentions, &search->map);
	return NULL;
}

/* Finds the loops that wait, and reads ahead meanwhile. */
static int find_waits(struct code_search *search, struct code_waits *waits)
{
	pthread_t thread;
	const bool is_ahead = search->map.elf.bytes >= LARGE && !beside_create(&thread, read_ahead, search);
	const int result = code_waits_find(&search->map, waits, search->error);
	if (is_ahead)
		pthread_join(thread, NULL);
	return result;
}

static int analyse(struct code_search *search, bool has_stores, struct code_analysis *analysis)
{
	static const struct code_sample none;
	int result = find_waits(search, &analysis->waits);
	if (!result && has_stores && code_stores_find(&search->map, &analysis->stores))
		result = code_search_out_of_memory(search);
	if (!result && code_chosen_make(&analysis->waits, &none, search->set & OPCODE_ATOMIC, &search->chosen))
		result = code_search_out_of_memory(search);
	return result ? result : code_hits_search(search);
}

int code_analysis_make(const uint8_t *file, uint64_t bytes, bool atomics, bool has_stores,
                       struct code_analysis *analysis, struct error *error)
{
	struct code_search search = {.scan = &analysis->scan, .error = error};
	*analysis = (struct code_analysis){0};
	int result = code_map_open(&search.map, file, bytes, error);
	if (result)
		return result;
	code_search_begin(&search, true, atomics);
	result = analyse(&search, has_stores, analysis);
	code_search_fini(&search);
	if (result)
		code_analysis_fini(analysis);
	return result;
}

static size_t store_records(size_t stores)
{
	return (stores + STORES_IN_RECORD - 1) / STORES_IN_RECORD;
}

void *code_analysis_pack(const struct code_analysis *analysis, size_t *count)
{
	const size_t patches = analysis->scan.count, waits = analysis->waits.count, stores = analysis->stores.count;
	*count = 1 + patches + waits + store_records(stores);
	uint8_t *records = *count > SCAN_CACHE_RECORDS_MAX ? NULL : calloc(*count, RECORD);
	if (!records)
		return NULL;
	const struct head head = {(uint32_t)patches, (uint32_t)waits, (uint32_t)stores, 0};
	uint8_t *to = records;
	memcpy(to, &head, sizeof(head));
	to += RECORD;
	if (patches)
		memcpy(to, analysis->scan.patches, patches * RECORD);
	to += patches * RECORD;
	for (size_t i = 0; i < waits; i++, to += RECORD) {
		const struct packed_wait wait = {analysis->waits.at[i].address, analysis->waits.at[i].is_sure};
		memcpy(to, &wait, sizeof(wait));
	}
	if (stores)
		memcpy(to, analysis->stores.at, stores * sizeof(*analysis->stores.at));
	return records;
}

/* Whether patches are those of a file of which no store was drawn. */
static bool are_patches_possible(const struct code_patch *patches, size_t count, uint64_t bytes)
{
	for (size_t i = 0; i < count; i++)
		if (patches[i].kind == CODE_STORE || patches[i].kind == CODE_UPDATE || patches[i].kind == CODE_LOAD)
			return false;
	return code_scan_is_possible(patches, count, bytes);
}

static bool read_waits(const uint8_t *from, size_t count, struct code_waits *waits)
{
	for (size_t i = 0; i < count; i++) {
		struct packed_wait wait;
		memcpy(&wait, from + i * RECORD, sizeof(wait));
		if (wait.is_sure > 1 || (i && wait.address <= waits->at[i - 1].address))
			return false;
		waits->at[i] = (struct code_wait){.address = wait.address, .is_sure = wait.is_sure};
	}
	waits->count = count;
	return true;
}

/* The rest of the last record is zero. */
static bool read_stores(const uint8_t *from, size_t count, uint64_t bytes, struct code_stores *stores)
{
	const size_t places = store_records(count) * STORES_IN_RECORD;
	uint32_t last = 0;
	memcpy(stores->at, from, places * sizeof(*stores->at));
	stores->count = count;
	for (size_t i = 0; i < places; i++) {
		const uint32_t offset = CODE_STORES_OFFSET(stores->at[i]);
		if (i < count ? offset >= bytes || (i && offset <= last) : stores->at[i])
			return false;
		last = offset;
	}
	return true;
}

bool code_analysis_unpack(const void *records, size_t count, uint64_t bytes, struct code_analysis *analysis)
{
	struct head head;
	const uint8_t *from = records;
	*analysis = (struct code_analysis){0};
	if (!count)
		return false;
	memcpy(&head, from, sizeof(head));
	if (head.zero || 1UL + head.patches + head.waits + store_records(head.stores) != count)
		return false;
	struct code_scan *scan = &analysis->scan;
	scan->patches = malloc((head.patches + 1UL) * RECORD);
	analysis->waits.at = calloc(head.waits + 1UL, sizeof(*analysis->waits.at));
	analysis->stores.at = malloc((store_records(head.stores) + 1UL) * RECORD);
	bool ok = scan->patches && analysis->waits.at && analysis->stores.at;
	if (ok) {
		scan->count = scan->room = head.patches;
		memcpy(scan->patches, from + RECORD, head.patches * RECORD);
		from += (1UL + head.patches) * RECORD;
		ok = are_patches_possible(scan->patches, scan->count, bytes) &&
		     read_waits(from, head.waits, &analysis->waits) &&
		     read_stores(from + head.waits * RECORD, head.stores, bytes, &analysis->stores);
	}
	if (!ok)
		code_analysis_fini(analysis);
	return ok;
}

void code_analysis_fini(struct code_analysis *analysis)
{
	code_scan_fini(&analysis->scan);
	free(analysis->waits.at);
	free(analysis->stores.at);
	*analysis = (struct code_analysis){0};
}
