/* SPDX-License-Identifier: MIT */
#include "code/code_shared.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi/code.h"
#include "base/array.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define FIRST_LINE "eremite-shared 1"
#define LINE_MAX_BYTES 512 /* longer lines are wrong, except comments */

static const char *const kinds[] = {
	[CODE_ATOMIC] = "atomic", [CODE_STORE] = "store", [CODE_UPDATE] = "update", [CODE_LOAD] = "load"};

struct code_content code_shared_content(const uint8_t *file, uint64_t bytes)
{
	XXH128_hash_t hash = XXH3_128bits(file, bytes);
	return (struct code_content){hash.high64, hash.low64};
}

void code_shared_print_header(FILE *to)
{
	fprintf(to, FIRST_LINE "\n# CONTENT OFFSET KIND: instructions that touched memory which two threads used\n");
}

void code_shared_print(FILE *to, const struct code_access *access, uint8_t kind)
{
	const char *name = kind < sizeof(kinds) / sizeof(kinds[0]) ? kinds[kind] : NULL;
	fprintf(to, "%016" PRIx64 "%016" PRIx64 " 0x%" PRIx64 "%s%s\n", access->content.high, access->content.low,
	        access->offset, name ? " " : "", name ? name : "");
}

static int compare(const void *a, const void *b)
{
	const struct code_access *x = a, *y = b;
	if (x->content.high != y->content.high)
		return x->content.high < y->content.high ? -1 : 1;
	if (x->content.low != y->content.low)
		return x->content.low < y->content.low ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Sorts the list, removes duplicates and sums it. */
static void settle(struct code_shared *shared)
{
	size_t kept = 0;
	if (shared->count)
		qsort(shared->at, shared->count, sizeof(*shared->at), compare);
	for (size_t i = 0; i < shared->count; i++)
		if (!kept || compare(&shared->at[i], &shared->at[kept - 1]))
			shared->at[kept++] = shared->at[i];
	shared->count = kept;
	shared->sum = XXH3_64bits(shared->at, kept * sizeof(*shared->at));
}

/* Parses the line of an access. The kind tells people what the instruction does, and is not used. */
static bool parse(const char *line, struct code_access *access)
{
	char kind[LINE_MAX_BYTES], rest;
	int end = 0;
	if (strspn(line, "0123456789abcdef") != 32 ||
	    sscanf(line, "%16" SCNx64 "%16" SCNx64 " 0x%" SCNx64 "%n", &access->content.high, &access->content.low,
	           &access->offset, &end) != 3 ||
	    access->offset > UINT32_MAX)
		return false;
	int words = sscanf(line + end, " %511s %c", kind, &rest);
	if (words == 1 && line[end] == ' ')
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (kinds[i] && !strcmp(kinds[i], kind))
				return true;
	return words < 1 && !line[end];
}

static int read_lines(struct code_shared *shared, FILE *from, const char *name, struct error *error)
{
	char line[LINE_MAX_BYTES];
	size_t room = 0;
	for (unsigned long number = 1; fgets(line, sizeof(line), from); number++) {
		struct code_access access;
		size_t length = strlen(line);
		bool is_whole = length && line[length - 1] == '\n';
		if (is_whole)
			line[length - 1] = 0;
		if (number == 1 && strcmp(line, FIRST_LINE))
			return error_set(error, EINVAL,
			                 "%.100s:1: this is no list of --shared-out: expected '" FIRST_LINE "'", name);
		if (*line == '#')
			for (int c = 0; !is_whole && c != '\n' && c != EOF;)
				c = getc(from);
		if (!*line || *line == '#' || !strcmp(line, FIRST_LINE)) /* lists can be put behind each other */
			continue;
		if (!is_whole || !parse(line, &access))
			return error_set(
				error, EINVAL,
				"%.100s:%lu: expected 32 digits of a content, an offset such as 0x1180, and load, "
				"store, update or atomic",
				name, number);
		if (shared->count == CODE_SHARED_MAX)
			return error_set(error, EINVAL, "%.100s: more than %d instructions", name, CODE_SHARED_MAX);
		if (!array_reserve(shared->at, room, shared->count + 1))
			return error_set(error, ENOMEM, "out of memory");
		shared->at[shared->count++] = access;
	}
	return ferror(from) ? error_set(error, EIO, "cannot read %.100s: %s", name, strerror(errno)) : 0;
}

int code_shared_read(struct code_shared *shared, FILE *from, const char *name, struct error *error)
{
	*shared = (struct code_shared){0};
	int result = read_lines(shared, from, name, error);
	if (!result && !shared->count)
		result = error_set(error, EINVAL, "%.100s names no instruction", name);
	if (result)
		code_shared_fini(shared);
	else
		settle(shared);
	return result;
}

/* Parses the offsets behind a content, each after a plus. Returns what follows them; NULL: they are wrong. */
static const char *parse_offsets(struct code_shared *shared, size_t *room, struct code_content content,
                                 const char *text)
{
	while (*text == '+') {
		const size_t digits = strspn(++text, "0123456789abcdef");
		struct code_access access = {.content = content};
		if (!digits || digits > 8 || sscanf(text, "%8" SCNx64, &access.offset) != 1 ||
		    shared->count == CODE_SHARED_MAX || !array_reserve(shared->at, *room, shared->count + 1))
			return NULL;
		shared->at[shared->count++] = access;
		text += digits;
	}
	return text;
}

int code_shared_parse(struct code_shared *shared, const char *word, struct error *error)
{
	size_t room = 0;
	*shared = (struct code_shared){0};
	for (const char *at = word; at;) {
		struct code_content content;
		const bool is_content = strspn(at, "0123456789abcdef") == 32 &&
		                        sscanf(at, "%16" SCNx64 "%16" SCNx64, &content.high, &content.low) == 2 &&
		                        at[32] == '+';
		const char *end = is_content ? parse_offsets(shared, &room, content, at + 32) : NULL;
		if (!end || (*end && *end != ',')) {
			code_shared_fini(shared);
			return error_set(
				error, EINVAL,
				"character %zu: expected 32 digits of a content, then offsets, such as +1180+1192",
				(size_t)(at - word) + 1);
		}
		at = *end ? end + 1 : NULL;
	}
	settle(shared);
	return 0;
}

static bool is_same(struct code_content a, struct code_content b)
{
	return a.high == b.high && a.low == b.low;
}

/* Whether an instruction is the first one of its file. */
static bool begins_file(const struct code_shared *shared, size_t index)
{
	return !index || !is_same(shared->at[index].content, shared->at[index - 1].content);
}

char *code_shared_word(const struct code_shared *shared)
{
	char *word;
	size_t bytes;
	FILE *to = open_memstream(&word, &bytes);
	if (!to)
		return NULL;
	for (size_t i = 0; i < shared->count; i++) {
		const struct code_access *access = &shared->at[i];
		if (begins_file(shared, i))
			fprintf(to, "%s%016" PRIx64 "%016" PRIx64, i ? "," : "", access->content.high,
			        access->content.low);
		fprintf(to, "+%" PRIx64, access->offset);
	}
	return fclose(to) ? NULL : word;
}

static uint64_t number_of(const struct code_access *access)
{
	return XXH3_64bits(access, sizeof(*access));
}

static int compare_numbers(const void *a, const void *b)
{
	const uint64_t x = number_of(a), y = number_of(b);
	return x == y ? compare(a, b) : x < y ? -1 : 1;
}

void code_shared_sample(struct code_shared *shared, size_t most)
{
	if (shared->count <= most)
		return;
	qsort(shared->at, shared->count, sizeof(*shared->at), compare_numbers);
	shared->count = most;
	settle(shared);
}

static int compare_addresses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

int code_shared_pick(const struct code_shared *shared, const struct code_map *map, struct code_sample *sample)
{
	const struct code_content content = code_shared_content(map->elf.file, map->elf.bytes);
	*sample = (struct code_sample){0};
	sample->at = malloc((shared->count + 1) * sizeof(*sample->at));
	if (!sample->at)
		return -ENOMEM;
	for (size_t i = 0; i < shared->count; i++) {
		const struct code_access *access = &shared->at[i];
		if (!is_same(access->content, content))
			continue;
		for (unsigned area = 0; area < map->area_count; area++)
			if (access->offset - map->areas[area].offset < map->areas[area].count)
				sample->at[sample->count++] =
					map->areas[area].address + (access->offset - map->areas[area].offset);
	}
	if (sample->count)
		qsort(sample->at, sample->count, sizeof(*sample->at), compare_addresses);
	return 0;
}

int code_shared_uses_init(struct code_shared_uses *uses, const struct code_shared *shared)
{
	*uses = (struct code_shared_uses){.shared = shared};
	for (size_t i = 0; shared && i < shared->count; i++)
		uses->files += begins_file(shared, i);
	uses->unused = uses->files;
	if (!uses->files)
		return 0;
	uses->is_used = calloc(shared->count, sizeof(*uses->is_used));
	return uses->is_used ? 0 : -ENOMEM;
}

void code_shared_use(struct code_shared_uses *uses, struct code_content content)
{
	const struct code_access wanted = {.content = content};
	size_t low = 0, high = uses->unused ? uses->shared->count : 0;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (compare(&uses->shared->at[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (!uses->unused || low == uses->shared->count || !is_same(uses->shared->at[low].content, content) ||
	    uses->is_used[low])
		return;
	uses->is_used[low] = true;
	uses->unused--;
}

void code_shared_uses_fini(struct code_shared_uses *uses)
{
	free(uses->is_used);
	uses->is_used = NULL;
	uses->shared = NULL;
}

void code_shared_fini(struct code_shared *shared)
{
	free(shared->at);
	*shared = (struct code_shared){0};
}
