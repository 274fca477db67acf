/* SPDX-License-Identifier: MIT */
/* Reads a summary (docs/summary.md). The file is untrusted: its size is limited, and each value is checked.
 */
#include "sched/sched_profile.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/cjson.h"

#define PROFILE_BYTES_MAX (64UL << 20)
#define EXACT_MAX 9007199254740992.0 /* numbers of JSON are exact up to 2^53 */

/* Reads the whole file, for the caller to free. Returns NULL with a line in *error on failure. */
static char *read_file(const char *path, size_t *bytes, struct error *error)
{
	FILE *from = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;
	*bytes = 0;
	if (!from) {
		error_set(error, errno, "cannot read the profile %.150s: %s", path, strerror(errno));
		return NULL;
	}
	do {
		room = room ? 2 * room : 1UL << 16;
		char *grown = room <= 2 * PROFILE_BYTES_MAX ? realloc(text, room) : NULL;
		if (!grown) {
			error_set(error, EFBIG, "the profile %.150s is too large to be a summary", path);
			goto bad;
		}
		text = grown;
		*bytes += fread(text + *bytes, 1, room - *bytes, from);
	} while (*bytes == room);
	if (!ferror(from)) {
		fclose(from);
		return text;
	}
	error_set(error, errno, "cannot read the profile %.150s: %s", path, strerror(errno));
bad:
	fclose(from);
	free(text);
	return NULL;
}

static bool is_whole(const cJSON *value, double low, double high)
{
	return cjson.IsNumber(value) && value->valuedouble >= low && value->valuedouble <= high &&
	       floor(value->valuedouble) == value->valuedouble;
}

/* Takes the counts of summary.threads. Returns how many, or -1. */
static int take_counts(const cJSON *summary, uint64_t *counts, unsigned max)
{
	const cJSON *threads = cjson.GetObjectItemCaseSensitive(summary, "threads"), *entry;
	unsigned found = 0;
	if (!cjson.IsArray(threads))
		return -1;
	cJSON_ArrayForEach(entry, threads)
	{
		const cJSON *number = cjson.GetObjectItemCaseSensitive(entry, "thread");
		const cJSON *decisions = cjson.GetObjectItemCaseSensitive(entry, "decisions");
		if (!is_whole(number, 1, UINT32_MAX) || !is_whole(decisions, 0, EXACT_MAX))
			return -1;
		if (number->valuedouble > max)
			continue;
		unsigned index = (unsigned)number->valuedouble - 1;
		counts[index] = (uint64_t)decisions->valuedouble;
		if (index >= found)
			found = index + 1;
	}
	return found ? (int)found : -1;
}

int sched_profile_read(const char *path, uint64_t *counts, unsigned max, struct error *error)
{
	size_t bytes;
	int result = cjson_load(error);
	if (result)
		return result;
	char *text = read_file(path, &bytes, error);
	if (!text)
		return -EIO;
	cJSON *summary = cjson.ParseWithLength(text, bytes);
	memset(counts, 0, max * sizeof(*counts));
	int found = take_counts(summary, counts, max);
	cjson.Delete(summary);
	free(text);
	if (found < 0)
		return error_set(
			error, EINVAL,
			"the profile %.150s has no accounts of threads: give a file that --summary=json:FILE wrote",
			path);
	return found;
}
