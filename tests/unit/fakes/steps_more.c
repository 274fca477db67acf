/* SPDX-License-Identifier: MIT */
/* Calls that came later than their kin: sendfile, preadv2, sync_file_range, close_range, utimes. */
#define _GNU_SOURCE
#include "abi/linux.h"

#include <stdbool.h>
#include <stddef.h>

#include "tests/unit/fakes/both.h"
#include "tests/unit/fakes/random_args.h"
#include "tests/unit/fakes/steps.h"

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

static char path[RANDOM_PATH_BYTES];
static unsigned char data[RANDOM_DATA_BYTES];

static void send(void)
{
	int out = random_args_fd(), in = random_args_fd();
	long from = random_args_offset(), count = (long)random_args_below(random_args_one_in(4) ? 70000 : 300);
	bool position = random_args_one_in(2);
	if (random_args_one_in(50))
		count = -count;
	if (both_type(in, "") == LINUX_S_IFDIR) /* whose positions are each side's own */
		position = true;
	for (int side = 0; side < 2; side++)
		*(long *)both_out[side] = from;
	BOTH(sendfile, both_describe("(%d, %d, %s%ld, %ld)", out, in, position ? "" : "NULL, not ", from, count), out,
	     in, position ? BOTH_RESULT : 0, count);
	both_check_data(sizeof(long));
}

static void vectors(void)
{
	int fd = random_args_fd();
	int flags = random_args_one_in(2) ? 0 : 1 << random_args_below(random_args_one_in(20) ? 20 : 7) & ~8;
	long offset = random_args_one_in(3) ? -1 : random_args_offset();
	long bytes = (long)random_args_below(random_args_one_in(4) ? RANDOM_DATA_BYTES : 300);
	if (random_args_one_in(20))
		flags |= 0x30;
	if (both_type(fd, "") == LINUX_S_IFDIR)
		return;
	if (random_args_one_in(2)) {
		struct linux_iovec iov[2] = {{data, (uint64_t)bytes}, {data, random_args_below(9)}};
		BOTH(pwritev2, both_describe("(%d, %ld, %ld, %#x)", fd, bytes, offset, flags), fd, (long)iov,
		     random_args_below(3), offset, 0, flags);
	} else {
		struct linux_iovec iov = {both_out[0], (uint64_t)bytes};
		long results[2];
		for (int side = 0; side < 2; side++) {
			const long args[6] = {fd, (long)&iov, 1, offset, 0, flags};
			iov.iov_base = both_out[side];
			results[side] = linux_compare_call((enum side)side, SYS_preadv2, args);
		}
		both_remember("preadv2", both_describe("(%d, %ld, %ld, %#x)", fd, bytes, offset, flags), results[0],
		              results[1]);
		if (results[0] != results[1])
			both_differ("result");
		both_check_data(results[0]);
	}
}

static void hints(void)
{
	int fd = random_args_fd();
	long offset = random_args_offset(), bytes = random_args_offset();
	BOTH(sync_file_range, both_describe("(%d, %ld, %ld)", fd, offset, bytes), fd, offset, bytes,
	     random_args_below(9));
	BOTH(readahead, both_describe("(%d, %ld, %ld)", fd, offset, bytes), fd, offset, bytes);
	BOTH(syncfs, both_describe("(%d)", fd), fd);
}

static void times(void)
{
	random_args_path(path);
	long values[4] = {(long)random_args_below(2000000000), (long)random_args_below(1010000),
	                  (long)random_args_below(2000000000), (long)random_args_below(1000000)};
	const long *given = random_args_one_in(4) ? NULL : values;
	int fd = random_args_dirfd();
	const char *name = random_args_one_in(5) ? NULL : path;
	switch (random_args_below(3)) {
	case 0:
		BOTH(utime, both_describe("(\"%s\")", path), (long)path, (long)given);
		break;
	case 1:
		BOTH(utimes, both_describe("(\"%s\", %ld)", path, values[1]), (long)path, (long)given);
		break;
	default:
		BOTH(futimesat, both_describe("(%d, \"%s\", %ld)", fd, name ? name : "NULL", values[1]), fd, (long)name,
		     (long)given);
		break;
	}
	if (given && BOTH(lstat, path, (long)path, BOTH_RESULT) == 0) {
		const struct linux_stat *a = (const void *)both_out[0], *b = (const void *)both_out[1];
		bool set = a->st_mtim.tv_sec == values[2];
		if (set != (b->st_mtim.tv_sec == values[2]) || (set && a->st_mtim.tv_nsec != b->st_mtim.tv_nsec))
			both_differ("mtime");
	}
}

static void change_mode(void)
{
	static const long flags[] = {0, 0x100, 0x1000, 0x1100, 1};
	int fd = random_args_dirfd();
	long flag = flags[random_args_below(5)];
	random_args_path(path);
	BOTH(fchmodat2, both_describe("(%d, \"%s\", %#lx)", fd, path, flag), fd, (long)path,
	     (long)random_args_below(010000), flag);
}

static void close_some(void)
{
	long first = 3 + (long)random_args_below(12), last = first + (long)random_args_below(4) - 1;
	long flags = random_args_one_in(2) ? 4 : (long)random_args_below(9);
	BOTH(close_range, both_describe("(%ld, %ld, %ld)", first, last, flags), first, last, flags);
}

void steps_more(void)
{
	static void (*const steps[])(void) = {send, send, vectors, vectors, hints, times, change_mode, close_some};
	steps[random_args_below(8)]();
}
