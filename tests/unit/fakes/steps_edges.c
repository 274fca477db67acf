/* SPDX-License-Identifier: MIT */
/* Limits: paths and names of just too many bytes, chains of links, sizes and offsets up to the largest. */
#define _GNU_SOURCE
#include "abi/linux.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/fakes/both.h"
#include "tests/unit/fakes/random_args.h"
#include "tests/unit/fakes/steps.h"

static char path[2 * LINUX_PATH_MAX];

/* A path of `length` bytes that leads to a short one by many slashes or "./". */
static void stretch(size_t length)
{
	char end[RANDOM_PATH_BYTES];
	random_args_path(end);
	size_t tail = strlen(end), at = 0;
	bool dots = random_args_one_in(2);
	if (end[0] == '/')
		path[at++] = '/';
	while (at + tail + 2 <= length) {
		path[at++] = dots ? '.' : '/';
		path[at++] = '/';
		if (!dots && end[0] != '/')
			path[0] = '.';
	}
	while (at + tail < length)
		path[at++] = '/';
	memcpy(path + at, end, tail + 1);
}

static void long_path(void)
{
	stretch(LINUX_PATH_MAX - 3 + random_args_below(5));
	size_t length = strlen(path);
	switch (random_args_below(6)) {
	case 0:
		BOTH(mkdir, both_describe("(%zu bytes: %s)", length, path + length - 20), (long)path, 0755);
		break;
	case 1:
		BOTH(unlink, both_describe("(%zu bytes: %s)", length, path + length - 20), (long)path);
		break;
	case 2:
		BOTH(rmdir, both_describe("(%zu bytes: %s)", length, path + length - 20), (long)path);
		break;
	case 3:
		BOTH(symlink, both_describe("(a target of %zu bytes)", length), (long)path, (long)"/a/b");
		break;
	case 4:
		BOTH(rename, both_describe("(%zu bytes: %s)", length, path + length - 20), (long)path, (long)"c");
		break;
	default:
		BOTH(lstat, both_describe("(%zu bytes: %s)", length, path + length - 20), (long)path, BOTH_RESULT);
		break;
	}
}

/* Links one to the next in a directory of their own; 40 may be followed. Linux begins a walk again when anybody mounts
 * something meanwhile, and goes on counting: only of up to 20 links, or of more than 40, it says the same each time.
 * The limit itself is in test_vfs.c. */
static void chain(void)
{
	static const int lengths[] = {18, 19, 20, 41, 42};
	char name[40], target[40];
	BOTH(mkdir, " chain", (long)"/chain", 0755);
	for (int i = 1; i <= 42; i++) {
		snprintf(name, sizeof(name), "/chain/%d", i);
		snprintf(target, sizeof(target), random_args_one_in(20) ? "/chain/%d" : "%d", i - 1);
		if (random_args_one_in(30))
			BOTH(unlink, name, (long)name);
		BOTH(symlink, name, (long)target, (long)name);
	}
	BOTH(mkdir, " chain/0", (long)"/chain/0", 0755);
	for (int i = 0; i < 5; i++) {
		snprintf(name, sizeof(name), "/chain/%d%s", lengths[i], random_args_one_in(2) ? "/" : "");
		BOTH(access, name, (long)name, 0);
		BOTH(lstat, name, (long)name, BOTH_RESULT);
		BOTH(chdir, name, (long)name);
	}
	BOTH(chdir, " /", (long)"/");
}

static void sizes(void)
{
	static const long edges[] = {1L << 30, (1L << 40) - 1, 1L << 40,      1L << 62, INT64_MAX - 1, INT64_MAX,
	                             -1,       INT64_MIN,      INT64_MAX / 2, 0};
	int fd = random_args_fd();
	long at = edges[random_args_below(10)], near = edges[random_args_below(3)] + (long)random_args_below(5000);
	switch (random_args_below(8)) {
	case 0:
		BOTH(ftruncate, both_describe("(%d, %ld)", fd, at), fd, at);
		break;
	case 1:
		if (!both_is_directory(fd))
			BOTH(lseek, both_describe("(%d, %ld)", fd, at), fd, at, (long)random_args_below(3));
		if (!both_is_directory(fd)) /* a write there is ENOSPC here: files end at 128 TiB */
			BOTH(lseek, " back", fd, 7, SEEK_SET);
		break;
	case 2:
		BOTH(pread64, both_describe("(%d, %ld)", fd, at), fd, BOTH_RESULT, 100, at);
		break;
	case 3:
		BOTH(pwrite64, both_describe("(%d, %ld)", fd, near), fd, (long)path, 100, near);
		break;
	case 4:
		BOTH(pwrite64, both_describe("(%d, %ld)", fd, INT64_MAX), fd, (long)path, 100, INT64_MAX);
		break;
	case 5:
		BOTH(fallocate, both_describe("(%d, 3, %ld)", fd, at), fd, 3, at, 5000);
		break;
	case 6:
		BOTH(fallocate, both_describe("(%d, 0, %ld)", fd, INT64_MAX - 50), fd, 0, INT64_MAX - 50, 100);
		break;
	default:
		random_args_path(path);
		BOTH(truncate, both_describe("(%s, %ld)", path, at), (long)path, at);
		/* an O_APPEND write behind 128 TiB is ENOSPC here */
		BOTH(truncate, both_describe("(%s, 100)", path), (long)path, 100);
		break;
	}
	BOTH(ftruncate, both_describe("(%d, 100)", fd), fd, 100); /* large files take their time in later steps */
}

void steps_edges(void)
{
	if (random_args_one_in(40))
		chain();
	else if (random_args_one_in(3))
		long_path();
	else
		sizes();
}
