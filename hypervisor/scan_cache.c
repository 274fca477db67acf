/* SPDX-License-Identifier: MIT */
/* One small file for each content, with a checksum; a damaged one counts as missing. */
#include "scan_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MAGIC 0x336e616373657265UL /* "erescan3" */
#define SITES_MAX (1UL << 20)

struct header {
	uint64_t magic, count, checksum;
};

static void name_of(const struct scan_key *key, char name[64])
{
	snprintf(name, 64, "%016lx%016lx.sites", key->high, key->low);
}

/* The sites in a file, in new memory, or NULL. */
static struct trap_site *read_sites(int fd, size_t *count)
{
	struct header header;
	if (read(fd, &header, sizeof(header)) != sizeof(header) || header.magic != MAGIC || header.count > SITES_MAX)
		return NULL;
	size_t bytes = header.count * sizeof(struct trap_site);
	struct trap_site *sites = malloc(bytes + 1);
	if (sites && (read(fd, sites, bytes) != (ssize_t)bytes || XXH3_64bits(sites, bytes) != header.checksum)) {
		free(sites);
		sites = NULL;
	}
	*count = header.count;
	return sites;
}

int scan_cache_get(const struct scan_key *key, struct scan_sites *sites)
{
	char name[64];
	int cache = cache_open();
	if (cache < 0)
		return -1;
	name_of(key, name);
	int fd = openat(cache, name, O_RDONLY | O_CLOEXEC);
	close(cache);
	if (fd < 0)
		return -1;
	size_t count;
	struct trap_site *found = read_sites(fd, &count);
	cache_touch(fd);
	close(fd);
	if (!found)
		return -1;
	*sites = (struct scan_sites){.at = found, .count = count, .room = count};
	return 0;
}

void scan_cache_put(const struct scan_key *key, const struct scan_sites *sites)
{
	char name[64], temporary[CACHE_TEMPORARY_BYTES];
	int cache = cache_open();
	if (cache < 0)
		return;
	int fd = cache_temporary(cache, temporary);
	if (fd >= 0 && temporary[0]) {
		size_t bytes = sites->count * sizeof(struct trap_site);
		struct header header = {MAGIC, sites->count, XXH3_64bits(sites->at, bytes)};
		name_of(key, name);
		if (write(fd, &header, sizeof(header)) != sizeof(header) ||
		    (bytes && write(fd, sites->at, bytes) != (ssize_t)bytes) || cache_rename(cache, temporary, name))
			cache_remove(cache, temporary);
	}
	if (fd >= 0)
		close(fd);
	cache_prune(cache, &cache_limits, false);
	close(cache);
}
