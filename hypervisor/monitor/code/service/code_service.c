/* SPDX-License-Identifier: MIT */
/* The request, its list of pieces and the file are copied before they are used. Results are cached by the file's
 * content; on a hit the file is not copied. If stores are drawn, the analysis that they are drawn from is cached, too.
 */
#include "code/service/code_service.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/code.h"
#include "abi/layout.h"
#include "base/die.h"
#include "cache/cache.h"
#include "code/code_runtime.h"
#include "code/code_scan.h"
#include "code/service/code_repeat.h"
#include "code/service/code_sealed.h"
#include "code/code_seeds.h"
#include "code/ticks/tick_plan.h"
#include "guest/content_loading.h"
#include "guest/guest_contents.h"
#include "scan/disassembler.h"
#include "scan/scan_cache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define SLOW_BYTES (4UL << 20) /* a file of this size takes a second or more */

static bool announces_slow;

struct service {
	const struct guest_memory *memory;
	const struct code_points *points;
	struct code_known *known;
	struct code_request request;
	struct code_piece *pieces;
	uint64_t bytes; /* of the file */
	struct error *error;
	struct {
		uint64_t piece, offset; /* of a piece, in the file */
	} reading;
};

/* Copies the request with its pieces. 0; -EFBIG; or another errno with *error. */
static int read_request(struct service *service, gpa_t at)
{
	struct code_request *request = &service->request;
	const struct guest_contents *contents = service->memory->contents;
	const uint64_t shown_bytes = contents ? guest_contents_end(contents) - LAYOUT_CONTENTS : 0;
	uint64_t in_memory = 0;
	if (guest_memory_read(service->memory, at, request, sizeof(*request)))
		return error_set(service->error, EFAULT, "the guest's kernel asks about code outside its memory");
	if (request->piece_count > CODE_PIECES_MAX || (request->entry && !(request->flags & CODE_RAW)) ||
	    request->flags & ~CODE_RAW)
		return error_set(service->error, EINVAL, "the guest's kernel made an impossible request about code");
	uint64_t list_bytes = request->piece_count * sizeof(struct code_piece);
	service->pieces = malloc(list_bytes + 1);
	if (!service->pieces)
		return error_set(service->error, ENOMEM, "out of memory");
	if (guest_memory_read(service->memory, gpa(request->pieces), service->pieces, list_bytes))
		return error_set(service->error, EFAULT, "the guest's kernel asks about code outside its memory");
	for (uint64_t i = 0; i < request->piece_count; i++) {
		const struct code_piece *piece = &service->pieces[i];
		if (piece->bytes > CODE_SCAN_BYTES_MAX - service->bytes)
			return -EFBIG;
		service->bytes += piece->bytes;
		if (piece->address == CODE_HOLE)
			continue;
		in_memory += piece->bytes;
		if (in_memory > service->memory->bytes + service->memory->root_bytes + shown_bytes ||
		    !guest_memory_shown(service->memory, gpa(piece->address), piece->bytes))
			return error_set(service->error, EFAULT,
			                 "the guest's kernel asks about code outside its memory");
	}
	return 0;
}

/* Calls `add` with the bytes of the file in guest memory, in order. */
static void read_all(const struct service *service, void (*add)(void *context, const void *bytes, size_t count),
                     void *context)
{
	static const uint8_t zeros[PAGE_SIZE];
	for (uint64_t i = 0; i < service->request.piece_count; i++) {
		const struct code_piece *piece = &service->pieces[i];
		uint64_t left = piece->bytes;
		if (piece->address != CODE_HOLE) {
			add(context, guest_memory_shown(service->memory, gpa(piece->address), left), left);
			continue;
		}
		for (; left; left -= left < sizeof(zeros) ? left : sizeof(zeros))
			add(context, zeros, left < sizeof(zeros) ? left : sizeof(zeros));
	}
}

static void add_to_xxh3(void *state, const void *bytes, size_t count)
{
	XXH3_128bits_update(state, bytes, count);
}

static void add_to_sha256(void *sum, const void *bytes, size_t count)
{
	digest_add(sum, bytes, count);
}

/* The content of a host file that is exactly this file, or NULL. Its hash is known. */
static const struct guest_content *shown_content(const struct service *service)
{
	const struct guest_contents *contents = service->memory->contents;
	const struct code_piece *pieces = service->pieces;
	const uint64_t count = service->request.piece_count;
	for (uint64_t i = 1; i < count; i++)
		if (pieces[i].address != pieces[i - 1].address + pieces[i - 1].bytes)
			return NULL;
	const struct guest_content *content =
		contents && count ? guest_contents_find(contents, pieces[0].address) : NULL;
	return content && content->address == pieces[0].address && content->bytes == service->bytes ? content : NULL;
}

/* Returns the keyed hash of `copy`; without a copy, that of the file as the guest sees it, which may be known. A copy
 * is always hashed, because a host file may have changed since its hash became known. */
static XXH128_hash_t content_of(const struct service *service, const uint8_t *copy)
{
	XXH3_state_t state;
	const struct guest_content *shown = copy ? NULL : shown_content(service);
	if (shown && shown->has_keyed)
		return (XXH128_hash_t){.low64 = shown->keyed[0], .high64 = shown->keyed[1]};
	XXH3_128bits_reset_withSecret(&state, cache_secret(), CACHE_SECRET_BYTES);
	if (copy)
		XXH3_128bits_update(&state, copy, service->bytes);
	else
		read_all(service, add_to_xxh3, &state);
	return XXH3_128bits_digest(&state);
}

/* The file's content as code_shared_content has it, which the cache's hashes are not. */
static struct code_content shared_content(const struct service *service)
{
	XXH3_state_t state;
	XXH3_128bits_reset(&state);
	read_all(service, add_to_xxh3, &state);
	const XXH128_hash_t hash = XXH3_128bits_digest(&state);
	return (struct code_content){hash.high64, hash.low64};
}

/* Notes that the file is used. */
static void note_use(const struct service *service)
{
	struct code_shared_uses *uses = &service->known->uses;
	if (uses->unused && !(service->request.flags & CODE_RAW))
		code_shared_use(uses, shared_content(service));
}

/* Hashes a content with everything else that a result depends on. An analysis does not depend on which stores are
 * drawn. */
static struct scan_key key_of(const struct service *service, XXH128_hash_t content, const struct code_points *points,
                              enum scan_cache_kind kind)
{
	uint64_t all[] = {CODE_SCAN_VERSION,
	                  kind,
	                  service->request.flags,
	                  service->bytes,
	                  content.low64,
	                  content.high64,
	                  points->atomics,
	                  0,
	                  0,
	                  0,
	                  0,
	                  0};
	if (kind == SCAN_CACHE_PATCHES) {
		all[6] |= points->ticks ? TICK_PLAN_VERSION << 1 : 0; /* beside atomics */
		all[7] = points->stores;
		all[8] = points->seed;
		all[9] = points->own;
		all[10] = points->loads;
		all[11] = points->shared ? points->shared->sum : 0;
	}
	XXH128_hash_t hash = XXH3_128bits_withSecret(all, sizeof(all), cache_secret(), CACHE_SECRET_BYTES);
	return (struct scan_key){hash.low64, hash.high64};
}

/* Copies the file; NULL without memory. Does not touch the pages of holes. */
static uint8_t *copy_file(const struct service *service)
{
	uint8_t *copy = calloc(1, service->bytes + 1);
	uint64_t at = 0;
	for (uint64_t i = 0; copy && i < service->request.piece_count; i++) {
		const struct code_piece *piece = &service->pieces[i];
		if (piece->address != CODE_HOLE)
			guest_memory_copy(copy + at,
			                  guest_memory_shown(service->memory, gpa(piece->address), piece->bytes),
			                  piece->bytes);
		at += piece->bytes;
	}
	return copy;
}

static void announce(const struct service *service)
{
	if (!announces_slow || service->bytes < SLOW_BYTES)
		return;
	say("analysing %lu MiB of code that this host has not run before, which can take seconds; the next run finds "
	    "the result in the cache",
	    service->bytes >> 20);
	announces_slow = false;
}

/* Takes an analysis from the cache. Returns whether it is there. */
static bool recall_analysis(const struct service *service, const struct scan_key *key, struct code_analysis *analysis)
{
	void *records = NULL;
	size_t count;
	bool is_there = !scan_cache_get(key, SCAN_CACHE_ANALYSIS, &records, &count) &&
	                code_analysis_unpack(records, count, service->bytes, analysis);
	free(records);
	return is_there;
}

static int analyse(const struct service *service, const struct scan_key *key, const uint8_t *file,
                   struct code_analysis *analysis)
{
	announce(service);
	int result = code_analysis_make(file, service->bytes, service->points->atomics, true, analysis, service->error);
	size_t count;
	void *records = result ? NULL : code_analysis_pack(analysis, &count);
	if (records)
		scan_cache_put(key, SCAN_CACHE_ANALYSIS, records, count);
	free(records);
	return result;
}

/* Draws stores, from the cached analysis or a new one. */
static int draw(const struct service *service, XXH128_hash_t content, const uint8_t *file, struct code_scan *scan)
{
	struct code_analysis analysis = {0};
	const struct scan_key key = key_of(service, content, service->points, SCAN_CACHE_ANALYSIS);
	int result = recall_analysis(service, &key, &analysis) ? 0 : analyse(service, &key, file, &analysis);
	if (!result)
		result = code_repeat(file, service->bytes, &analysis, service->points, scan, service->error);
	code_analysis_fini(&analysis);
	if (!result && service->points->ticks)
		result = tick_plan_add(file, service->bytes, scan, NULL, service->error);
	return result;
}

/* Takes patches from the cache. Returns whether they are there. */
static bool recall_patches(const struct service *service, const struct scan_key *key, struct code_scan *scan)
{
	void *records = NULL;
	size_t count;
	if (scan_cache_get(key, SCAN_CACHE_PATCHES, &records, &count) ||
	    !code_scan_is_possible(records, count, service->bytes)) {
		free(records);
		return false;
	}
	*scan = (struct code_scan){.patches = records, .count = count, .room = count};
	return true;
}

/* Finds the patches of a file of which no store is drawn. */
static int find_plain(const struct service *service, const struct code_points *points, XXH128_hash_t content,
                      const uint8_t *file, struct code_scan *scan)
{
	const struct scan_key key = key_of(service, content, points, SCAN_CACHE_PATCHES);
	if (recall_patches(service, &key, scan))
		return 0;
	announce(service);
	int result = code_scan_elf(file, service->bytes, points, scan, service->error);
	if (!result)
		scan_cache_put(&key, SCAN_CACHE_PATCHES, scan->patches, scan->count);
	return result;
}

/* Finds a file's patches, and caches them. Computes the content's hash again from the copy: the guest may have changed
 * its memory since the first hash, and other runs use the cache. Returns 0 or a negative errno with *error. */
static int find_in_copy(const struct service *service, const uint8_t *file, struct code_scan *scan)
{
	if (service->request.flags & CODE_RAW)
		return code_scan_raw(file, service->bytes, service->request.entry - 1UL, scan, service->error);
	XXH128_hash_t content = content_of(service, file);
	const struct code_points wanted = code_runtime_points(file, service->bytes, service->points);
	int result = code_points_draw(&wanted) ? draw(service, content, file, scan)
	                                       : find_plain(service, &wanted, content, file, scan);
	const struct scan_key key = key_of(service, content, service->points, SCAN_CACHE_PATCHES);
	if (!result && code_points_draw(service->points))
		scan_cache_put(&key, SCAN_CACHE_PATCHES, scan->patches, scan->count);
	return result;
}

/* Whether the file begins as ELF files do. Others need not be copied: SBCL maps one of 30 MB. */
static bool is_elf(const struct service *service)
{
	const struct code_piece *first = service->pieces;
	return service->request.piece_count && first->address != CODE_HOLE && first->bytes >= SELFMAG &&
	       !memcmp(guest_memory_shown(service->memory, gpa(first->address), SELFMAG), ELFMAG, SELFMAG);
}

static int find(const struct service *service, struct code_scan *scan)
{
	if (!(service->request.flags & CODE_RAW) && !is_elf(service))
		return error_set(service->error, ENOEXEC, "it is not an ELF file");
	uint8_t *file = copy_file(service);
	int result = file ? find_in_copy(service, file, scan) : error_set(service->error, ENOMEM, "out of memory");
	free(file);
	return result;
}

/* --- sealed results --- */

static void find_sha256(const struct service *service, uint8_t sha256[DIGEST_BYTES])
{
	const struct guest_content *shown = shown_content(service);
	struct digest_sum sum;
	if (shown && shown->has_hash) {
		memcpy(sha256, shown->hash, DIGEST_BYTES);
		return;
	}
	digest_begin(&sum);
	read_all(service, add_to_sha256, &sum);
	digest_end(&sum, sha256);
}

/* Copies bytes of the file: a code_sealed_reader. */
static bool read_pieces(void *context, uint64_t offset, void *to, uint64_t bytes)
{
	struct service *service = context;
	if (offset < service->reading.offset)
		service->reading.piece = service->reading.offset = 0;
	uint64_t i = service->reading.piece, at = service->reading.offset;
	for (; i < service->request.piece_count && offset - at >= service->pieces[i].bytes; i++)
		at += service->pieces[i].bytes;
	service->reading.piece = i;
	service->reading.offset = at;
	for (; bytes && i < service->request.piece_count; at += service->pieces[i++].bytes) {
		const struct code_piece *piece = &service->pieces[i];
		const uint64_t skip = offset - at, left = piece->bytes - skip, part = left < bytes ? left : bytes;
		if (piece->address == CODE_HOLE)
			memset(to, 0, part);
		else
			guest_memory_copy(to, guest_memory_shown(service->memory, gpa(piece->address + skip), part),
			                  part);
		to = (char *)to + part;
		offset += part;
		bytes -= part;
	}
	return !bytes;
}

/* Notes the result of a file for an image, unless the image's reader would refuse it. */
static int note_result(struct service *service, struct code_scan *scan)
{
	struct code_sealed_list list = {.file.bytes = service->bytes, .patches = scan->patches, .count = scan->count};
	struct error error;
	if (!service->known->noted || service->request.flags & CODE_RAW || disassembler_load(&error) ||
	    !code_sealed_check(&list, read_pieces, service))
		return 0;
	list.file.content = shared_content(service);
	find_sha256(service, list.file.sha256);
	return code_sealed_note(service->known->noted, &list) ? error_set(service->error, ENOMEM, "out of memory") : 0;
}

/* Whether the constants of a sealed list are those that the file's symbols name: an image must not have any other of
 * the program's variables replaced. Reads a copy, because the guest may change the file meanwhile. */
static bool has_seeds(const struct service *service, const struct code_sealed_list *list)
{
	struct elf_file elf;
	struct error error;
	if (!code_seeds_are_in(list->patches, list->count))
		return true;
	uint8_t *file = copy_file(service);
	const bool result = file && !elf_file_open(&elf, file, service->bytes, &error) &&
	                    code_seeds_are_of(&elf, list->patches, list->count);
	free(file);
	return result;
}

/* Takes the patches from a sealed image. Returns 1 if they are there, 0, or a negative errno with *error. */
static int recall_sealed(struct service *service, struct code_scan *scan)
{
	const struct code_sealed *sealed = service->known->sealed;
	const struct guest_content *shown = shown_content(service);
	char hash[DIGEST_TEXT_BYTES];
	if (!sealed || !sealed->count || !code_sealed_is_for(sealed, service->points))
		return 0;
	const struct code_sealed_list *list =
		shown && shown->has_hash ? code_sealed_find_hash(sealed, shown->hash)
					 : code_sealed_find(sealed, shared_content(service), service->bytes);
	if (!list)
		return 0;
	int result = disassembler_load(service->error);
	if (result)
		return result;
	digest_text(list->file.sha256, hash);
	if (list->file.bytes != service->bytes || !code_sealed_check(list, read_pieces, service) ||
	    !has_seeds(service, list))
		return error_set(service->error, EUCLEAN,
		                 "the image is damaged: what it has to replace in the program file with the %.80s does "
		                 "not fit that file",
		                 hash);
	scan->patches = malloc(list->count * sizeof(*scan->patches) + 1);
	if (!scan->patches)
		return error_set(service->error, ENOMEM, "out of memory");
	if (list->count)
		memcpy(scan->patches, list->patches, list->count * sizeof(*scan->patches));
	scan->count = scan->room = list->count;
	return 1;
}

/* --- the answer --- */

static struct code_answer request_without_answer(const struct service *service)
{
	return (struct code_answer){
		service->request.pieces, service->request.piece_count, service->bytes, {.patches = NULL}};
}

/* Takes the result of the request before, if this one repeats it with more room. The guest's kernel does nothing in
 * between. Returns whether it does. */
static bool take_again(struct service *service, struct code_scan *scan)
{
	struct code_answer *again = &service->known->again;
	const struct code_answer now = request_without_answer(service);
	const bool is_again = now.bytes && !(service->request.flags & CODE_RAW) && again->pieces == now.pieces &&
	                      again->piece_count == now.piece_count && again->bytes == now.bytes;
	if (is_again)
		*scan = again->scan;
	else
		code_scan_fini(&again->scan);
	*again = (struct code_answer){0};
	return is_again;
}

/* Keeps a result that is too large for the guest's room. */
static void keep_result(struct service *service, struct code_scan *scan)
{
	if (scan->count <= service->request.patches_max || service->request.flags & CODE_RAW)
		return;
	service->known->again = request_without_answer(service);
	service->known->again.scan = *scan;
	*scan = (struct code_scan){0};
}

void code_service_fini(struct code_known *known)
{
	code_scan_fini(&known->again.scan);
	known->again = (struct code_answer){0};
}

/* Takes the patches from the sealed image or from the cache, or scans. Does not cache raw memory, which is small and
 * changes soon. */
static int find_or_recall(struct service *service, struct code_scan *scan)
{
	if (service->request.flags & CODE_RAW)
		return find(service, scan);
	const int sealed = recall_sealed(service, scan);
	if (sealed)
		return sealed < 0 ? sealed : 0;
	const struct scan_key key = key_of(service, content_of(service, NULL), service->points, SCAN_CACHE_PATCHES);
	return recall_patches(service, &key, scan) ? 0 : find(service, scan);
}

void code_service_say_slow(bool announce)
{
	announces_slow = announce;
}

/* Some drawn instructions cannot become points, so that a file with half as many may have others that were not drawn.
 */
static void note_sample(struct service *service, const struct code_scan *scan)
{
	size_t points = 0;
	for (size_t i = 0; i < scan->count; i++)
		points += scan->patches[i].kind == CODE_STORE || scan->patches[i].kind == CODE_UPDATE ||
		          scan->patches[i].kind == CODE_LOAD;
	service->known->is_sampled |= !service->points->loads || points > service->points->stores / 2;
}

int64_t code_service_answer(const struct guest_memory *memory, gpa_t request, const struct code_points *points,
                            struct code_known *known, struct error *error)
{
	struct service service = {.memory = memory, .points = points, .known = known, .error = error};
	struct code_scan scan = {0};
	error->text[0] = 0;
	int64_t answer = read_request(&service, request);
	const bool is_again = !answer && take_again(&service, &scan);
	if (!answer && !is_again)
		answer = find_or_recall(&service, &scan);
	if (!answer)
		answer = note_result(&service, &scan);
	if (answer == -ENOEXEC || answer == -EFBIG)
		error->text[0] = 0; /* the kernel decides what to do */
	const struct guest_content *shown = answer ? NULL : shown_content(&service);
	if (shown)
		content_loading_expect(service.memory->contents, shown);
	if (!answer) {
		note_use(&service);
		note_sample(&service, &scan);
		uint64_t room = service.request.patches_max;
		uint64_t written = scan.count < room ? scan.count : room;
		answer = (int64_t)scan.count;
		if (written && guest_memory_write(memory, gpa(service.request.patches), scan.patches,
		                                  written * sizeof(*scan.patches)))
			answer = error_set(
				error, EFAULT,
				"the guest's kernel gave an address outside its memory for the answer about code");
	}
	if (answer > 0)
		keep_result(&service, &scan);
	code_scan_fini(&scan);
	free(service.pieces);
	return answer;
}
