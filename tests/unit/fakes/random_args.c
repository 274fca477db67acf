/* SPDX-License-Identifier: MIT */
/* Random arguments, by xorshift64: a few names and descriptors only, so that calls meet each other's objects. */
#define _GNU_SOURCE
#include "tests/unit/fakes/random_args.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static uint64_t state;

void random_args_seed(uint64_t seed)
{
	state = seed * 0x9e3779b97f4a7c15 + 1;
}

uint64_t random_args_below(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % below;
}

bool random_args_one_in(uint64_t n)
{
	return random_args_below(n) == 0;
}

const char *random_args_path(char *to)
{
	static const char *const names[] = {"a", "b", "c", "d", "e", "a", "b", ".", ".."};
	size_t n = 0;
	if (random_args_one_in(60)) {
		to[0] = 0;
		return to;
	}
	if (random_args_one_in(5))
		to[n++] = '/';
	for (uint64_t i = 1 + random_args_below(3); i > 0; i--) {
		if (random_args_one_in(80)) {
			size_t length = 250 + random_args_below(8);
			memset(to + n, 'x', length);
			n += length;
			i = 1;
		} else {
			n += (size_t)sprintf(to + n, "%s", names[random_args_below(random_args_one_in(4) ? 9 : 5)]);
		}
		if (i > 1)
			n += (size_t)sprintf(to + n, random_args_one_in(10) ? "//" : "/");
	}
	if (random_args_one_in(9))
		to[n++] = '/';
	to[n] = 0;
	return to;
}

int random_args_fd(void)
{
	return random_args_one_in(30) ? -1 - (int)random_args_below(3) : 3 + (int)random_args_below(9);
}

int random_args_dirfd(void)
{
	return random_args_one_in(3) ? random_args_fd() : AT_FDCWD;
}

long random_args_offset(void)
{
	if (random_args_one_in(40))
		return -(long)random_args_below(10000);
	if (random_args_one_in(25))
		return 0x1ff000 + (long)random_args_below(0x4000);
	if (random_args_one_in(60))
		return (long)random_args_below(0x900000);
	return random_args_one_in(3) ? (long)random_args_below(6) * 4096 : (long)random_args_below(RANDOM_DATA_BYTES);
}

int random_args_open_flags(void)
{
	static const int more[] = {O_CREAT,   O_EXCL, O_TRUNC,   O_APPEND,   O_DIRECTORY, O_NOFOLLOW,
	                           O_CLOEXEC, O_PATH, O_TMPFILE, O_NONBLOCK, O_NOATIME,   __O_TMPFILE};
	int flags = (int)random_args_below(3) | (random_args_one_in(2) ? O_CREAT : 0);
	if (random_args_one_in(50))
		flags = 3;
	for (uint64_t i = random_args_below(4); i > 0; i--)
		flags |= more[random_args_below(sizeof(more) / sizeof(more[0]))];
	return flags;
}
