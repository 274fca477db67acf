/* SPDX-License-Identifier: MIT */
/* The file calls against Linux: the same random sequences of calls on its tmpfs and on the kernel's, every result and
 * what it wrote compared. EREMITE_SEED and EREMITE_STEPS choose another sequence,
 * EREMITE_LOG how many of the last calls are shown. */
#define _GNU_SOURCE
#include "abi/linux.h" /* before <signal.h> makes si_pid and its like macros */

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/fakes/linux_compare.h"
#include "tests/unit/fakes/random_args.h"
#include "tests/unit/fakes/tap.h"

#define PAUSE_US 5000 /* more than a tick of Linux */
#define LOG_LINES 20000

/* Linux shows allocated pages that were never written as holes. A sequence has either fallocate or SEEK_HOLE. */
static bool with_fallocate;

/* Over an EROFS image: sizes of directories, holes and allocated blocks are the image's. */
static bool over_image;

/* The last calls, for the message of a failure. */
static char call_log[LOG_LINES][700];
static uint64_t step, logged;

static void print_log(void)
{
	const char *lines = getenv("EREMITE_LOG");
	uint64_t count = lines ? strtoull(lines, NULL, 10) : 20;
	count = count < LOG_LINES ? count : LOG_LINES - 1;
	for (uint64_t i = logged > count ? logged - count : 0; i < logged; i++)
		fprintf(stderr, "%s\n", call_log[i % LOG_LINES]);
}

static void remember(const char *name, const char *what, long a, long b)
{
	snprintf(call_log[logged++ % LOG_LINES], sizeof(call_log[0]), "%llu %s%s = %ld %s / %ld %s",
	         (unsigned long long)step, name, what, a, linux_compare_errno(a), b, linux_compare_errno(b));
}

static void differ(const char *what)
{
	print_log();
	fprintf(stderr, "differs: %s\n", what);
	_exit(1);
}

/* Makes a call on both sides; pointers to results are in out[side] where args has RESULT. */
#define RESULT 0x5e5e5e5e5e01
#define RESULT_2 0x5e5e5e5e5e02 /* 8 bytes behind that */
static unsigned char out[2][1 << 17];

static long both(const char *name, const char *what, long number, const long args[6])
{
	long results[2];
	for (int side = 0; side < 2; side++) {
		long mine[6];
		for (int i = 0; i < 6; i++)
			mine[i] = args[i] == RESULT     ? (long)out[side]
			          : args[i] == RESULT_2 ? (long)out[side] + 8
			                                : args[i];
		results[side] = linux_compare_call((enum side)side, number, mine);
	}
	remember(name, what, results[0], results[1]);
	if (results[0] != results[1])
		differ("result");
	return results[0];
}

#define BOTH(name, what, ...) both(#name, what, SYS_##name, (const long[6]){__VA_ARGS__})

/* Inode numbers are the sides' own: the same object on one must be the same on the other. */
#define PAIRS 4096
static uint64_t pairs[PAIRS][2];
static unsigned int pair_count;

static void check_ino(uint64_t host, uint64_t guest)
{
	for (unsigned int i = pair_count > PAIRS ? pair_count - PAIRS : 0; i < pair_count; i++) {
		const uint64_t *pair = pairs[i % PAIRS];
		if (pair[0] == host && pair[1] == guest)
			return;
		if (pair[0] == host || pair[1] == guest)
			differ("identity of an object");
	}
	pairs[pair_count % PAIRS][0] = host;
	pairs[pair_count++ % PAIRS][1] = guest;
}

static void check_stat(void)
{
	const struct linux_stat *a = (const void *)out[0], *b = (const void *)out[1];
	char what[200];
	check_ino(a->st_ino, b->st_ino);
	snprintf(what, sizeof(what), "stat: mode %o/%o nlink %ld/%ld size %ld/%ld uid %u/%u gid %u/%u blocks %ld/%ld",
	         a->st_mode, b->st_mode, (long)a->st_nlink, (long)b->st_nlink, (long)a->st_size, (long)b->st_size,
	         a->st_uid, b->st_uid, a->st_gid, b->st_gid, (long)a->st_blocks, (long)b->st_blocks);
	if (a->st_mode != b->st_mode || a->st_nlink != b->st_nlink ||
	    (a->st_size != b->st_size && !(over_image && LINUX_S_ISDIR(a->st_mode))) || a->st_uid != b->st_uid ||
	    a->st_gid != b->st_gid || a->st_rdev != b->st_rdev)
		differ(what);
	/* Large files are held in large pages here, and links in no pages. */
	if (!over_image && LINUX_S_ISREG(a->st_mode) && a->st_blocks != b->st_blocks && a->st_size < 0x200000)
		differ(what);
}

/* Whether a call changed mtime or ctime must be the same on both sides; asked before and after it. */
struct times {
	bool valid;
	uint64_t ino;
	struct linux_timespec mtime[2], ctime[2];
};

static void look(const char *path, struct times *times)
{
	const long args[6] = {(long)path, RESULT};
	times->valid = BOTH(lstat, path, args[0], args[1]) == 0;
	for (int side = 0; side < 2 && times->valid; side++) {
		const struct linux_stat *st = (const void *)out[side];
		times->ino = st->st_ino;
		times->mtime[side] = st->st_mtim;
		times->ctime[side] = st->st_ctim;
	}
}

static bool same(const struct linux_timespec *a, const struct linux_timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Linux may give two changes within a tick the same time: only after a pause is no change a change missed. */
static void compare_times(const struct times *before, const struct times *after, bool paused)
{
	if (!before->valid || !after->valid || before->ino != after->ino)
		return; /* or the path leads elsewhere now */
	bool changed[2][2];
	for (int side = 0; side < 2; side++) {
		changed[0][side] = !same(&before->mtime[side], &after->mtime[side]);
		changed[1][side] = !same(&before->ctime[side], &after->ctime[side]);
	}
	for (int i = 0; i < 2; i++) {
		if (changed[i][0] && !changed[i][1])
			differ(i ? "only Linux changed ctime" : "only Linux changed mtime");
		if (changed[i][1] && !changed[i][0] && paused)
			differ(i ? "only the kernel changed ctime" : "only the kernel changed mtime");
	}
}

static int compare_names(const void *a, const void *b)
{
	const struct linux_dirent64 *const *x = a, *const *y = b;
	return strcmp((*x)->d_name, (*y)->d_name);
}

/* Linux lists in another order: the names of the whole directory are compared, sorted. */
static void check_directory(int fd)
{
	static struct linux_dirent64 *entries[2][1000];
	size_t count[2] = {0, 0};
	BOTH(lseek, " (rewind)", fd, 0, 0);
	long bytes[2];
	for (int side = 0; side < 2; side++) {
		const long args[6] = {fd, (long)out[side], sizeof(out[0])};
		bytes[side] = linux_compare_call((enum side)side, SYS_getdents64, args);
	}
	remember("getdents64", "", bytes[0], bytes[1]);
	if (bytes[0] != bytes[1])
		differ("result");
	for (int side = 0; side < 2; side++) {
		for (long at = 0; at < bytes[side]; at += entries[side][count[side] - 1]->d_reclen)
			entries[side][count[side]++] = (struct linux_dirent64 *)(out[side] + at);
		if (side == SIDE_KERNEL) {
			for (size_t i = 3; i < count[side]; i++) {
				if (strcmp(entries[1][i - 1]->d_name, entries[1][i]->d_name) >= 0)
					differ("order of getdents64");
			}
		}
		qsort(entries[side], count[side], sizeof(entries[0][0]), compare_names);
	}
	for (size_t i = 0; i < count[0]; i++) {
		if (strcmp(entries[0][i]->d_name, entries[1][i]->d_name) != 0 ||
		    entries[0][i]->d_type != entries[1][i]->d_type)
			differ(entries[0][i]->d_name);
		check_ino(entries[0][i]->d_ino, entries[1][i]->d_ino);
	}
}

static void check_data(long bytes)
{
	if (bytes > 0 && memcmp(out[0], out[1], (size_t)bytes) != 0)
		differ("data");
}

static char path_a[RANDOM_PATH_BYTES], path_b[RANDOM_PATH_BYTES], what[3 * RANDOM_PATH_BYTES];
static unsigned char data[RANDOM_DATA_BYTES];

static const char *describe(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	return what;
}

static bool is_directory(int fd)
{
	struct linux_stat st;
	const long args[6] = {fd, (long)&st};
	return linux_compare_call(SIDE_LINUX, SYS_fstat, args) == 0 && LINUX_S_ISDIR(st.st_mode);
}

static void step_names(void)
{
	const char *a = random_args_path(path_a), *b = random_args_path(path_b);
	int fd = random_args_dirfd(), fd2 = random_args_dirfd();
	unsigned int mode = (unsigned int)random_args_below(01000) | (random_args_one_in(10) ? 07000 : 0);
	int flags = random_args_one_in(6) ? (int)random_args_below(8) : 0;
	describe("(%d, \"%s\", %d, \"%s\", %#x, 0%o)", fd, a, fd2, b, flags, mode);
	switch (random_args_below(12)) {
	case 0:
	case 1:
		BOTH(mkdirat, what, fd, (long)a, mode);
		break;
	case 2:
		BOTH(unlinkat, what, fd, (long)a,
		     random_args_one_in(2)    ? AT_REMOVEDIR
		     : random_args_one_in(20) ? 1
		                              : 0);
		break;
	case 3:
		BOTH(rmdir, what, (long)a);
		break;
	case 4:
		BOTH(unlink, what, (long)a);
		break;
	case 5:
	case 6:
	case 7:
		if (flags & RENAME_WHITEOUT)
			flags = 0; /* only overlay file systems use it */
		BOTH(renameat2, what, fd, (long)a, fd2, (long)b, flags);
		break;
	case 8:
		flags = random_args_one_in(3)    ? AT_SYMLINK_FOLLOW
		        : random_args_one_in(8)  ? AT_EMPTY_PATH
		        : random_args_one_in(20) ? 1
		                                 : 0;
		BOTH(linkat, what, fd, (long)a, fd2, (long)b, flags);
		break;
	case 9:
		BOTH(symlinkat, what, (long)a, fd2, (long)b);
		break;
	case 10: {
		long got = BOTH(readlinkat, what, fd, (long)a, RESULT,
		                random_args_one_in(20) ? 1 - (long)random_args_below(2) : 4096);
		check_data(got);
		break;
	}
	default:
		if (BOTH(chdir, what, (long)a) == 0 || random_args_one_in(4))
			check_data(BOTH(getcwd, "", RESULT, random_args_one_in(8) ? (long)random_args_below(5) : 4096));
		break;
	}
}

static void step_open(void)
{
	const char *a = random_args_path(path_a);
	int fd = random_args_dirfd(), flags = random_args_open_flags();
	unsigned int mode = (unsigned int)random_args_below(01000) | 0600;
	long opened = BOTH(openat, describe("(%d, \"%s\", 0%o)", fd, a, flags), fd, (long)a, flags, mode);
	if (opened > 11)
		BOTH(close, " (too many)", opened);
	if (opened > 0 && opened <= 11 && BOTH(fstat, "", opened, RESULT) == 0)
		check_stat();
}

static void step_attributes(void)
{
	const char *a = random_args_path(path_a);
	int fd = random_args_dirfd(), flags = random_args_one_in(3)   ? AT_SYMLINK_NOFOLLOW
	                                      : random_args_one_in(6) ? AT_EMPTY_PATH
	                                                              : 0;
	describe("(%d, \"%s\", %#x)", fd, a, flags);
	switch (random_args_below(8)) {
	case 0:
		BOTH(fchmodat, what, fd, (long)a, random_args_below(010000));
		break;
	case 1:
		BOTH(fchownat, what, fd, (long)a, random_args_one_in(3) ? -1 : (long)random_args_below(3),
		     random_args_one_in(3) ? -1 : (long)random_args_below(3), flags);
		break;
	case 2:
		BOTH(faccessat2, what, fd, (long)a, random_args_below(9), flags);
		break;
	case 3: {
		struct linux_timespec times[2] = {
			{(int64_t)random_args_below(2000000000), (int64_t)random_args_below(1000000001)},
			{(int64_t)random_args_below(2000000000), random_args_one_in(2) ? UTIME_OMIT : UTIME_NOW}};
		const char *name = random_args_one_in(5) ? NULL : a;
		if (BOTH(utimensat, what, fd, (long)name, (long)times, flags) < 0 || !name)
			break;
		if (BOTH(newfstatat, what, fd, (long)a, RESULT, flags) == 0) {
			const struct linux_stat *x = (const void *)out[0], *y = (const void *)out[1];
			/* Walking there again may have read the link itself. */
			if (same(&x->st_atim, &times[0]) != same(&y->st_atim, &times[0]))
				differ("atime");
		}
		break;
	}
	case 4:
		BOTH(fchmod, what, random_args_fd(), random_args_below(010000));
		break;
	case 5:
		BOTH(fchown, what, random_args_fd(), random_args_below(3), random_args_below(3));
		break;
	default:
		if (BOTH(newfstatat, what, fd, (long)a, RESULT, flags) == 0)
			check_stat();
		break;
	}
}

static void step_data(void)
{
	int fd = random_args_fd();
	long offset = random_args_offset(),
	     bytes = (long)random_args_below(random_args_one_in(4) ? RANDOM_DATA_BYTES : 300);
	describe("(%d, %ld bytes, %ld)", fd, bytes, offset);
	if (random_args_one_in(100))
		bytes = -bytes;
	switch (random_args_below(9)) {
	case 0:
		check_data(BOTH(read, what, fd, RESULT, bytes));
		break;
	case 1:
		check_data(BOTH(pread64, what, fd, RESULT, bytes, offset));
		break;
	case 2:
		BOTH(write, what, fd, (long)data, bytes);
		break;
	case 3:
		BOTH(pwrite64, what, fd, (long)data, bytes, offset);
		break;
	case 4: {
		long whence =
			random_args_one_in(30) ? 9 : (long)random_args_below(with_fallocate || over_image ? 3 : 5);
		describe("(%d, %ld, %ld)", fd, offset, whence);
		if (!is_directory(fd)) /* whose offsets are each side's own */
			BOTH(lseek, what, fd, offset, whence);
		break;
	}
	case 5:
		BOTH(ftruncate, what, fd, offset);
		break;
	case 6: {
		static const int modes[] = {0, 1, 3, 3, 2, 16};
		int mode = with_fallocate ? modes[random_args_below(6)] : 3;
		describe("(%d, %d, %ld, %ld)", fd, mode, offset, bytes);
		BOTH(fallocate, what, fd, mode, offset, random_args_one_in(20) ? 0 : bytes);
		break;
	}
	case 7: {
		long in = random_args_offset();
		if (random_args_one_in(
			    2)) { /* both sides write their offsets back to where the other reads them: no pointers */
			BOTH(lseek, what, fd, in, SEEK_SET);
			in = random_args_fd();
			describe("(%d, NULL, %ld, NULL, %ld)", fd, in, bytes);
			BOTH(copy_file_range, what, fd, 0, in, 0, bytes, random_args_one_in(40));
			break;
		}
		int to_fd = random_args_fd();
		for (int side = 0; side < 2; side++) {
			memcpy(out[side], &in, sizeof(in));
			memcpy(out[side] + sizeof(in), &offset, sizeof(offset));
		}
		describe("(%d, %ld, %d, %ld, %ld)", fd, in, to_fd, offset, bytes);
		BOTH(copy_file_range, what, fd, RESULT, to_fd, RESULT_2, bytes, random_args_one_in(40));
		check_data(2 * sizeof(long));
		break;
	}
	default: {
		struct linux_iovec iov[3] = {{data, (uint64_t)random_args_below(5000)},
		                             {data, 0},
		                             {data + 99, (uint64_t)random_args_below(50)}};
		BOTH(pwritev, what, fd, (long)iov, random_args_below(4), offset, 0);
		break;
	}
	}
}

static void step_descriptors(void)
{
	int fd = random_args_fd();
	describe("(%d)", fd);
	switch (random_args_below(11)) {
	case 0:
	case 1:
	case 2:
		BOTH(close, what, fd);
		break;
	case 3:
		if (BOTH(dup, what, fd) > 11)
			BOTH(close, " (too many)", 12);
		break;
	case 4: {
		int to = random_args_fd();
		describe("(%d, %d)", fd, to);
		BOTH(dup3, what, fd, to, random_args_one_in(2) ? O_CLOEXEC : random_args_one_in(10));
		break;
	}
	case 5:
		BOTH(fcntl, what, fd, F_GETFL);
		break;
	case 6:
		BOTH(fcntl, what, fd, random_args_one_in(2) ? F_GETFD : F_SETFD, random_args_one_in(2));
		break;
	case 7:
		BOTH(fcntl, what, fd, F_SETFL,
		     (random_args_one_in(2) ? O_APPEND : 0) | (random_args_one_in(2) ? O_NONBLOCK : 0));
		break;
	case 8:
		BOTH(fchdir, what, fd);
		break;
	case 9: {
		static const int calls[] = {SYS_fsync, SYS_fdatasync};
		both("fsync", what, calls[random_args_below(2)], (const long[6]){fd});
		/* Shared locks only: exclusive ones always succeed here, as they do on Linux in other processes'
		 * absence. */
		static const int operations[] = {1, 5, 8, 0, 3, 16};
		BOTH(flock, what, fd, operations[random_args_below(6)]);
		BOTH(fadvise64, what, fd, 0, (long)random_args_below(3) - 1, random_args_below(8));
		break;
	}
	default:
		if (BOTH(fstat, what, fd, RESULT) == 0) {
			bool directory = LINUX_S_ISDIR(((const struct linux_stat *)out[0])->st_mode);
			check_stat();
			if (directory)
				check_directory(fd);
		}
		break;
	}
}

/* All descriptors, so that a difference shows where it arises. */
static void check_descriptors(void)
{
	for (int fd = 3; fd < 12; fd++) {
		long position[2] = {0, 0};
		for (int side = 0; side < 2; side++) {
			struct linux_stat *st = (void *)out[side];
			const long args[6] = {fd, (long)st};
			const long seek[6] = {fd, 0, SEEK_CUR};
			if (linux_compare_call((enum side)side, SYS_fstat, args) < 0)
				memset(st, 0, sizeof(*st));
			if (LINUX_S_ISREG(st->st_mode))
				position[side] = linux_compare_call((enum side)side, SYS_lseek, seek);
		}
		check_stat();
		if (position[0] != position[1])
			differ(describe("position of %d: %ld, %ld", fd, position[0], position[1]));
	}
}

static void run(uint64_t seed, uint64_t steps)
{
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)(i * 7 + i / 256);
	with_fallocate = seed % 2 == 0;
	random_args_seed(seed);
	for (step = 0; step < steps; step++) {
		static char watched[RANDOM_PATH_BYTES];
		struct times before, after;
		bool watch = random_args_one_in(3), paused = watch && random_args_one_in(20);
		if (watch)
			look(random_args_path(watched), &before);
		if (paused)
			usleep(PAUSE_US);
		switch (random_args_below(10)) {
		case 0:
		case 1:
		case 2:
			step_names();
			break;
		case 3:
		case 4:
			step_open();
			break;
		case 5:
			step_attributes();
			break;
		case 6:
		case 7:
			step_data();
			break;
		default:
			step_descriptors();
			break;
		}
		check_descriptors();
		if (watch) {
			look(watched, &after);
			compare_times(&before, &after, paused);
		}
	}
}

/* In a process of its own, which gives its descriptors and its root up. */
static void compare(uint64_t seed, uint64_t steps, const char *tree)
{
	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		over_image = tree;
		if (!linux_compare_init(tree))
			_exit(77);
		run(seed, steps);
		_exit(0);
	}
	int status;
	waitpid(child, &status, 0);
	if (status == 77 << 8)
		skip();
	if (status)
		fprintf(stderr, "again: EREMITE_SEED=%llu EREMITE_STEPS=%llu\n", (unsigned long long)seed,
		        (unsigned long long)steps);
	assert_int_equal(status, 0);
}

static void compare_seeds(const char *tree)
{
	const char *seed = getenv("EREMITE_SEED"), *steps = getenv("EREMITE_STEPS");
	uint64_t count = steps ? strtoull(steps, NULL, 10) : 20000;
	if (seed) {
		compare(strtoull(seed, NULL, 10), count, tree);
		return;
	}
	for (uint64_t i = 1; i <= 4; i++)
		compare(i, count, tree);
}

static void test_on_tmpfs(void **unused)
{
	(void)unused;
	compare_seeds(NULL);
}

/* A tree of the names that random_args_path makes up. */
static void test_over_erofs(void **unused)
{
	char parent[] = "/tmp/eremite-unit-XXXXXX", tree[64], command[600];
	(void)unused;
	assert_non_null(mkdtemp(parent));
	snprintf(tree, sizeof(tree), "%s/tree", parent);
	snprintf(command, sizeof(command),
	         "set -e; mkdir %s; cd %s; mkdir -p a b/a b/b c/a/a c/b c/c d/d/d; "
	         "for d in a b/a b/b c/a/a d/d/d .; do for n in 100 4096 30000; do "
	         "  seq 1 10000 | head -c $n > $d/e; ln $d/e $d/d$n; mv $d/e $d/f$n; done; done; "
	         "mv a/f30000 a/d; mv a/f100 a/e; ln -s a e; ln -s ../a b/e; ln -s e c/e; ln b/b/f30000 c/d; "
	         "mv c/a/a/f4096 c/a/a/a; ln c/a/a/a d/d/d/e; ln -s /b/b c/a/b; rm -f f* d1* d3* d4*",
	         tree, tree);
	assert_int_equal(system(command), 0);
	compare_seeds(tree);
	snprintf(command, sizeof(command), "rm -rf %s", parent);
	assert_int_equal(system(command), 0);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_on_tmpfs), cmocka_unit_test(test_over_erofs)};

TAP_MAIN(tests)
