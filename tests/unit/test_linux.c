/* SPDX-License-Identifier: MIT */
/* The file calls against Linux: the same random sequences of calls on its tmpfs and on the kernel's, every result and
 * what it wrote compared. EREMITE_SEED and EREMITE_STEPS choose another sequence,
 * EREMITE_LOG how many of the last calls are shown. */
#define _GNU_SOURCE
#include "abi/linux.h" /* before <signal.h> makes si_pid and its like macros */

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/vfs/inode.h"
#include "tests/unit/fakes/both.h"
#include "tests/unit/fakes/random_args.h"
#include "tests/unit/fakes/steps.h"
#include "tests/unit/fakes/tap.h"

#define PAUSE_US 5000 /* more than a tick of Linux, by which its file systems tell times apart */

/* Linux shows allocated pages that were never written as holes. A sequence has either fallocate or SEEK_HOLE. */
static bool with_fallocate;

/* Whether a call changed mtime or ctime must be the same on both sides; asked before and after it. */
struct times {
	bool valid;
	uint64_t ino;
	struct linux_timespec mtime[2], ctime[2];
};

static void look(const char *path, struct times *times)
{
	const long args[6] = {(long)path, BOTH_RESULT};
	times->valid = BOTH(lstat, path, args[0], args[1]) == 0;
	for (int side = 0; side < 2 && times->valid; side++) {
		const struct linux_stat *st = (const void *)both_out[side];
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
			both_differ(i ? "only Linux changed ctime" : "only Linux changed mtime");
		if (changed[i][1] && !changed[i][0] && paused)
			both_differ(i ? "only the kernel changed ctime" : "only the kernel changed mtime");
	}
}

static char path_a[RANDOM_PATH_BYTES], path_b[RANDOM_PATH_BYTES];
static const char *what;
static unsigned char data[RANDOM_DATA_BYTES];

static void step_names(void)
{
	const char *a = random_args_path(path_a), *b = random_args_path(path_b);
	int fd = random_args_dirfd(), fd2 = random_args_dirfd();
	unsigned int mode = (unsigned int)random_args_below(01000) | (random_args_one_in(10) ? 07000 : 0);
	int flags = random_args_one_in(6) ? (int)random_args_below(8) : 0;
	what = both_describe("(%d, \"%s\", %d, \"%s\", %#x, 0%o)", fd, a, fd2, b, flags, mode);
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
		long got = BOTH(readlinkat, what, fd, (long)a, BOTH_RESULT,
		                random_args_one_in(20) ? 1 - (long)random_args_below(2) : 4096);
		both_check_data(got);
		break;
	}
	default:
		if (BOTH(chdir, what, (long)a) == 0 || random_args_one_in(4))
			both_check_data(BOTH(getcwd, "", BOTH_RESULT,
			                     random_args_one_in(8) ? (long)random_args_below(5) : 4096));
		break;
	}
}

/* Both sides must not wait for each other's end of a FIFO. */
static int unless_fifo(bool fifo, int flags)
{
	return fifo ? flags | O_NONBLOCK : flags;
}

static void step_open(void)
{
	const char *a = random_args_path(path_a);
	int fd = random_args_dirfd();
	int flags = unless_fifo(both_type(fd, a) == S_IFIFO, random_args_open_flags());
	unsigned int mode = (unsigned int)random_args_below(01000) | 0600;
	long opened = BOTH(openat, both_describe("(%d, \"%s\", 0%o)", fd, a, flags), fd, (long)a, flags, mode);
	if (opened > 11)
		BOTH(close, " (too many)", opened);
	if (opened > 0 && opened <= 11 && BOTH(fstat, "", opened, BOTH_RESULT) == 0)
		both_check_stat();
}

static void step_attributes(void)
{
	const char *a = random_args_path(path_a);
	int fd = random_args_dirfd(), flags = random_args_one_in(3)   ? AT_SYMLINK_NOFOLLOW
	                                      : random_args_one_in(6) ? AT_EMPTY_PATH
	                                                              : 0;
	what = both_describe("(%d, \"%s\", %#x)", fd, a, flags);
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
		if (BOTH(newfstatat, what, fd, (long)a, BOTH_RESULT, flags) == 0) {
			const struct linux_stat *x = (const void *)both_out[0], *y = (const void *)both_out[1];
			/* Walking there again may have read the link itself. */
			if (same(&x->st_atim, &times[0]) != same(&y->st_atim, &times[0]))
				both_differ("atime");
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
		if (BOTH(newfstatat, what, fd, (long)a, BOTH_RESULT, flags) == 0)
			both_check_stat();
		break;
	}
}

static void step_data(void)
{
	int fd = random_args_fd();
	long offset = random_args_offset(),
	     bytes = (long)random_args_below(random_args_one_in(4) ? RANDOM_DATA_BYTES : 300);
	what = both_describe("(%d, %ld bytes, %ld)", fd, bytes, offset);
	if (random_args_one_in(100))
		bytes = -bytes;
	switch (random_args_below(9)) {
	case 0:
		both_check_data(BOTH(read, what, fd, BOTH_RESULT, bytes));
		break;
	case 1:
		both_check_data(BOTH(pread64, what, fd, BOTH_RESULT, bytes, offset));
		break;
	case 2:
		BOTH(write, what, fd, (long)data, bytes);
		break;
	case 3:
		BOTH(pwrite64, what, fd, (long)data, bytes, offset);
		break;
	case 4: {
		long whence =
			random_args_one_in(30) ? 9 : (long)random_args_below(with_fallocate || both_over_image ? 3 : 5);
		what = both_describe("(%d, %ld, %ld)", fd, offset, whence);
		if (!both_is_directory(fd)) /* whose offsets are each side's own */
			BOTH(lseek, what, fd, offset, whence);
		break;
	}
	case 5:
		BOTH(ftruncate, what, fd, offset);
		break;
	case 6: {
		static const int modes[] = {0, 1, 3, 3, 2, 16};
		int mode = with_fallocate ? modes[random_args_below(6)] : 3;
		what = both_describe("(%d, %d, %ld, %ld)", fd, mode, offset, bytes);
		BOTH(fallocate, what, fd, mode, offset, random_args_one_in(20) ? 0 : bytes);
		break;
	}
	case 7: {
		long in = random_args_offset();
		if (random_args_one_in(
			    2)) { /* both sides write their offsets back to where the other reads them: no pointers */
			BOTH(lseek, what, fd, in, SEEK_SET);
			in = random_args_fd();
			what = both_describe("(%d, NULL, %ld, NULL, %ld)", fd, in, bytes);
			BOTH(copy_file_range, what, fd, 0, in, 0, bytes, random_args_one_in(40));
			break;
		}
		int to_fd = random_args_fd();
		for (int side = 0; side < 2; side++) {
			memcpy(both_out[side], &in, sizeof(in));
			memcpy(both_out[side] + sizeof(in), &offset, sizeof(offset));
		}
		what = both_describe("(%d, %ld, %d, %ld, %ld)", fd, in, to_fd, offset, bytes);
		BOTH(copy_file_range, what, fd, BOTH_RESULT, to_fd, BOTH_RESULT_2, bytes, random_args_one_in(40));
		both_check_data(2 * sizeof(long));
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
	what = both_describe("(%d)", fd);
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
		what = both_describe("(%d, %d)", fd, to);
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
		     unless_fifo(both_type(fd, "") == S_IFIFO, random_args_one_in(2) ? O_APPEND : 0) |
		             (random_args_one_in(2) ? O_NONBLOCK : 0));
		break;
	case 8:
		BOTH(fchdir, what, fd);
		break;
	case 9: {
		static const int calls[] = {SYS_fsync, SYS_fdatasync};
		both("fsync", what, calls[random_args_below(2)], (const long[6]){fd});
		BOTH(fadvise64, what, fd, 0, (long)random_args_below(3) - 1, random_args_below(8));
		break;
	}
	default:
		if (BOTH(fstat, what, fd, BOTH_RESULT) == 0) {
			bool directory = LINUX_S_ISDIR(((const struct linux_stat *)both_out[0])->st_mode);
			both_check_stat();
			if (directory)
				both_check_directory(fd);
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
			struct linux_stat *st = (void *)both_out[side];
			const long args[6] = {fd, (long)st};
			const long seek[6] = {fd, 0, SEEK_CUR};
			if (linux_compare_call((enum side)side, SYS_fstat, args) < 0)
				memset(st, 0, sizeof(*st));
			if (LINUX_S_ISREG(st->st_mode))
				position[side] = linux_compare_call((enum side)side, SYS_lseek, seek);
		}
		both_check_stat();
		if (position[0] != position[1])
			both_differ(both_describe("position of %d: %ld, %ld", fd, position[0], position[1]));
	}
}

static void run(uint64_t seed, uint64_t steps)
{
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)(i * 7 + i / 256);
	with_fallocate = seed % 2 == 0;
	random_args_seed(seed);
	for (both_step = 0; both_step < steps; both_step++) {
		static char watched[RANDOM_PATH_BYTES];
		struct times before, after;
		bool watch = random_args_one_in(3), paused = watch && random_args_one_in(20);
		if (watch)
			look(random_args_path(watched), &before);
		if (paused)
			usleep(PAUSE_US);
		inode_time_step(); /* the kernel gives each change a time of its own */
		switch (random_args_below(16)) {
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
		case 8:
			steps_locks();
			break;
		case 9:
			steps_special();
			break;
		case 11:
			steps_edges();
			break;
		case 10:
			steps_more();
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
		both_over_image = tree;
		signal(SIGPIPE, SIG_IGN);
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
