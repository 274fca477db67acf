/* SPDX-License-Identifier: MIT */
#include "cache/cache_seal.h"

#include <unistd.h>

struct cache_seal cache_seal_of(const struct stat *st)
{
	return (struct cache_seal){
		.ino = st->st_ino,
		.size = (uint64_t)st->st_size,
		.mtime_s = st->st_mtim.tv_sec,
		.mtime_ns = st->st_mtim.tv_nsec,
		.ctime_s = st->st_ctim.tv_sec,
		.ctime_ns = st->st_ctim.tv_nsec,
	};
}

bool cache_is_mine(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_uid == geteuid() && !(st->st_mode & 0022);
}
