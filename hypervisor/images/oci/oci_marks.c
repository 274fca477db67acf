/* SPDX-License-Identifier: MIT */
#include "oci/oci_marks.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define ROOM_MIN 1024

static struct oci_mark hash_path(const char *path, size_t bytes)
{
	XXH128_hash_t sum = XXH3_128bits(path, bytes);
	return (struct oci_mark){sum.low64 | 1, sum.high64}; /* never that of a free place */
}

/* The place of a mark, or the free place where it belongs. The table has free places. */
static size_t find_mark(const struct oci_mark *table, size_t room, struct oci_mark mark)
{
	size_t at = mark.high & (room - 1);
	while (table[at].low && (table[at].low != mark.low || table[at].high != mark.high))
		at = (at + 1) & (room - 1);
	return at;
}

static bool grow_marks(struct oci_marks *marks)
{
	size_t room = marks->room ? 2 * marks->room : ROOM_MIN;
	struct oci_mark *table = calloc(room, sizeof(*table));
	if (!table)
		return false;
	for (size_t i = 0; i < marks->room; i++)
		if (marks->table[i].low)
			table[find_mark(table, room, marks->table[i])] = marks->table[i];
	free(marks->table);
	marks->table = table;
	marks->room = room;
	return true;
}

bool oci_marks_add(struct oci_marks *marks, const char *path, size_t bytes)
{
	if (2 * marks->count >= marks->room && !grow_marks(marks))
		return false;
	struct oci_mark mark = hash_path(path, bytes), *at = &marks->table[find_mark(marks->table, marks->room, mark)];
	marks->count += !at->low;
	*at = mark;
	return true;
}

bool oci_marks_has(const struct oci_marks *marks, const char *path)
{
	if (!marks->room)
		return false;
	return marks->table[find_mark(marks->table, marks->room, hash_path(path, strlen(path)))].low;
}

void oci_marks_clear(struct oci_marks *marks)
{
	oci_marks_fini(marks);
}

void oci_marks_fini(struct oci_marks *marks)
{
	free(marks->table);
	*marks = (struct oci_marks){0};
}
