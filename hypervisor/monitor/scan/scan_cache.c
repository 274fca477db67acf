/* SPDX-License-Identifier: MIT */
/* Each content has one small file, with a checksum over the key and the records. A damaged file, or one with another
 * key, counts as missing. */
#include "scan/scan_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/boot.h"
#include "abi/code.h"
#include "cache/cache.h"
#include "confine/keeper.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(sizeof(struct trap_site) == SCAN_CACHE_RECORD_BYTES, "trap_site");
_Static_assert(sizeof(struct code_patch) == SCAN_CACHE_RECORD_BYTES, "code_patch");

static const struct kind {
	const char *ending;
	uint64_t magic;
} kinds[] = {
	[SCAN_CACHE_SITES] = {"sites", 0x346e616373657265UL},       /* "erescan4" */
	[SCAN_CACHE_PATCHES] = {"patches", 0x3268637461706572UL},   /* "repatch2" */
	[SCAN_CACHE_ASKED] = {"asked", 0x3264656b73616572UL},       /* "reasked2" */
	[SCAN_CACHE_ANALYSIS] = {"analysis", 0x31796c616e616572UL}, /* "reanaly1" */
};

struct header {
	uint64_t magic, count, checksum;
};

static void scan_cache_name(const struct scan_key *key, enum scan_cache_kind kind, char name[64])
{
	snprintf(name, 64, "%016lx%016lx.%s", key->high, key->low, kinds[kind].ending);
}

static uint64_t record_sum(const struct scan_key *key, const void *records, size_t bytes)
{
	return XXH3_64bits_withSeed(records, bytes, key->low ^ key->high);
}

/* Returns the records of a file in allocated memory, or NULL. */
static void *read_scan_records(int fd, uint64_t magic, const struct scan_key *key, size_t *count)
{
	struct header header;
	if (read(fd, &header, sizeof(header)) != sizeof(header) || header.magic != magic ||
	    header.count > SCAN_CACHE_RECORDS_MAX)
		return NULL;
	size_t bytes = header.count * SCAN_CACHE_RECORD_BYTES;
	void *records = malloc(bytes + 1);
	if (records &&
	    (read(fd, records, bytes) != (ssize_t)bytes || record_sum(key, records, bytes) != header.checksum)) {
		free(records);
		records = NULL;
	}
	*count = header.count;
	return records;
}

/* Opens a result. Returns a descriptor or -1. */
static int open_result(const struct scan_key *key, enum scan_cache_kind kind)
{
	char name[64];
	int cache = cache_open();
	if (cache < 0)
		return -1;
	scan_cache_name(key, kind, name);
	int fd = openat(cache, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	close(cache);
	return fd;
}

int scan_cache_get(const struct scan_key *key, enum scan_cache_kind kind, void **records, size_t *count)
{
	int fd = open_result(key, kind);
	if (fd < 0)
		return -1;
	*records = read_scan_records(fd, kinds[kind].magic, key, count);
	if (!keeper_is_there())
		cache_touch(fd);
	else if (cache_is_to_be_touched(fd))
		keeper_cache_touch(key, kind);
	close(fd);
	return *records ? 0 : -1;
}

void scan_cache_touch(const struct scan_key *key, enum scan_cache_kind kind)
{
	int fd = open_result(key, kind);
	if (fd < 0)
		return;
	cache_touch(fd);
	close(fd);
}

void scan_cache_put(const struct scan_key *key, enum scan_cache_kind kind, const void *records, size_t count)
{
	char name[64], temporary[CACHE_TEMPORARY_BYTES];
	if (keeper_is_there()) {
		keeper_cache_put(key, kind, records, count);
		return;
	}
	int cache = cache_open();
	if (cache < 0)
		return;
	int fd = cache_temporary(cache, temporary);
	if (fd >= 0 && temporary[0]) {
		size_t bytes = count * SCAN_CACHE_RECORD_BYTES;
		struct header header = {kinds[kind].magic, count, record_sum(key, records, bytes)};
		scan_cache_name(key, kind, name);
		if (write(fd, &header, sizeof(header)) != sizeof(header) ||
		    (bytes && write(fd, records, bytes) != (ssize_t)bytes) || cache_rename(cache, temporary, fd, name))
			cache_remove(cache, temporary);
	}
	if (fd >= 0)
		close(fd);
	cache_keep_limits(cache, 0);
	close(cache);
}
