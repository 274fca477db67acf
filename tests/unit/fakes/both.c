/* SPDX-License-Identifier: MIT */
/* Calls made on both sides and compared; the last of them are kept for the message of a failure. */
#define _GNU_SOURCE
#include "tests/unit/fakes/both.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/linux.h"
#include "tests/unit/fakes/random_args.h"

#define LOG_LINES 20000

bool both_over_image;

static char call_log[LOG_LINES][700];
static uint64_t logged;
uint64_t both_step;

static void print_log(void)
{
	const char *lines = getenv("EREMITE_LOG");
	uint64_t count = lines ? strtoull(lines, NULL, 10) : 20;
	count = count < LOG_LINES ? count : LOG_LINES - 1;
	for (uint64_t i = logged > count ? logged - count : 0; i < logged; i++)
		fprintf(stderr, "%s\n", call_log[i % LOG_LINES]);
}

void both_remember(const char *name, const char *what, long a, long b)
{
	snprintf(call_log[logged++ % LOG_LINES], sizeof(call_log[0]), "%llu %s%s = %ld %s / %ld %s",
	         (unsigned long long)both_step, name, what, a, linux_compare_errno(a), b, linux_compare_errno(b));
}

void both_differ(const char *what)
{
	print_log();
	fprintf(stderr, "differs: %s\n", what);
	_exit(1);
}

unsigned char both_out[2][BOTH_OUT_BYTES];

long both(const char *name, const char *what, long number, const long args[6])
{
	long results[2];
	for (int side = 0; side < 2; side++) {
		long mine[6];
		for (int i = 0; i < 6; i++)
			mine[i] = args[i] == BOTH_RESULT     ? (long)both_out[side]
			          : args[i] == BOTH_RESULT_2 ? (long)both_out[side] + 8
			                                     : args[i];
		results[side] = linux_compare_call((enum side)side, number, mine);
	}
	both_remember(name, what, results[0], results[1]);
	if (results[0] != results[1])
		both_differ("result");
	return results[0];
}

/* Inode numbers are the sides' own: the same object on one must be the same on the other. */
#define PAIRS 4096
static uint64_t pairs[PAIRS][2];
static unsigned int pair_count;

void both_check_ino(uint64_t host, uint64_t guest)
{
	for (unsigned int i = pair_count > PAIRS ? pair_count - PAIRS : 0; i < pair_count; i++) {
		const uint64_t *pair = pairs[i % PAIRS];
		if (pair[0] == host && pair[1] == guest)
			return;
		if (pair[0] == host || pair[1] == guest)
			both_differ("identity of an object");
	}
	pairs[pair_count % PAIRS][0] = host;
	pairs[pair_count++ % PAIRS][1] = guest;
}

void both_check_stat(void)
{
	const struct linux_stat *a = (const void *)both_out[0], *b = (const void *)both_out[1];
	char what[200];
	both_check_ino(a->st_ino, b->st_ino);
	snprintf(what, sizeof(what), "stat: mode %o/%o nlink %ld/%ld size %ld/%ld uid %u/%u gid %u/%u blocks %ld/%ld",
	         a->st_mode, b->st_mode, (long)a->st_nlink, (long)b->st_nlink, (long)a->st_size, (long)b->st_size,
	         a->st_uid, b->st_uid, a->st_gid, b->st_gid, (long)a->st_blocks, (long)b->st_blocks);
	if (a->st_mode != b->st_mode || a->st_nlink != b->st_nlink ||
	    (a->st_size != b->st_size && !(both_over_image && LINUX_S_ISDIR(a->st_mode))) || a->st_uid != b->st_uid ||
	    a->st_gid != b->st_gid || a->st_rdev != b->st_rdev)
		both_differ(what);
	/* Large files are held in large pages here, and links in no pages. */
	if (!both_over_image && LINUX_S_ISREG(a->st_mode) && a->st_blocks != b->st_blocks && a->st_size < 0x200000)
		both_differ(what);
}

static int compare_names(const void *a, const void *b)
{
	const struct linux_dirent64 *const *x = a, *const *y = b;
	return strcmp((*x)->d_name, (*y)->d_name);
}

/* Linux lists in another order: the names of the whole directory are compared, sorted. */
void both_check_directory(int fd)
{
	static struct linux_dirent64 *entries[2][1000];
	size_t count[2] = {0, 0};
	BOTH(lseek, " (rewind)", fd, 0, 0);
	long bytes[2];
	for (int side = 0; side < 2; side++) {
		const long args[6] = {fd, (long)both_out[side], sizeof(both_out[0])};
		bytes[side] = linux_compare_call((enum side)side, SYS_getdents64, args);
	}
	both_remember("getdents64", "", bytes[0], bytes[1]);
	if (bytes[0] != bytes[1])
		both_differ("result");
	for (int side = 0; side < 2; side++) {
		for (long at = 0; at < bytes[side]; at += entries[side][count[side] - 1]->d_reclen)
			entries[side][count[side]++] = (struct linux_dirent64 *)(both_out[side] + at);
		if (side == SIDE_KERNEL) {
			for (size_t i = 3; i < count[side]; i++) {
				if (strcmp(entries[1][i - 1]->d_name, entries[1][i]->d_name) >= 0)
					both_differ("order of getdents64");
			}
		}
		qsort(entries[side], count[side], sizeof(entries[0][0]), compare_names);
	}
	for (size_t i = 0; i < count[0]; i++) {
		if (strcmp(entries[0][i]->d_name, entries[1][i]->d_name) != 0 ||
		    entries[0][i]->d_type != entries[1][i]->d_type)
			both_differ(entries[0][i]->d_name);
		both_check_ino(entries[0][i]->d_ino, entries[1][i]->d_ino);
	}
}

void both_check_data(long bytes)
{
	if (bytes > 0 && memcmp(both_out[0], both_out[1], (size_t)bytes) != 0)
		both_differ("data");
}

const char *both_describe(const char *format, ...)
{
	static char what[3 * RANDOM_PATH_BYTES];
	va_list args;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	return what;
}

unsigned int both_type(int dirfd, const char *path)
{
	struct linux_stat st;
	const long args[6] = {dirfd, (long)path, (long)&st, *path ? 0 : LINUX_AT_EMPTY_PATH};
	return linux_compare_call(SIDE_LINUX, SYS_newfstatat, args) == 0 ? st.st_mode & LINUX_S_IFMT : 0;
}

bool both_is_directory(int fd)
{
	return both_type(fd, "") == LINUX_S_IFDIR;
}
