/* SPDX-License-Identifier: MIT */
/* The cache stays within its limits, and nothing is taken from who uses it. */
#include "tests/unit/fakes/tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cache/cache.h"
#include "tests/unit/fakes/folder.h"

#define MIB (1UL << 20)
#define DAY 86400L

static char base[64];
static int cache;
static const struct cache_limits limits = {.bytes = 3 * MIB, .age_s = 30 * DAY};

static int set_up(void **state)
{
	(void)state;
	if (!folder_make(base) || setenv("EREMITE_CACHE", base, 1))
		return -1;
	cache = cache_open();
	return cache < 0;
}

static int tear_down(void **state)
{
	(void)state;
	close(cache);
	return !folder_remove(base);
}

/* A file of so many bytes that was used so long ago. */
static void put(const char *name, size_t bytes, long age_s)
{
	const struct timespec times[2] = {{time(NULL) - age_s, 0}, {time(NULL) - age_s, 0}};
	int fd = openat(cache, name, O_RDWR | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	assert_int_equal(bytes ? posix_fallocate(fd, 0, (off_t)bytes) : 0, 0);
	assert_int_equal(futimens(fd, times), 0);
	close(fd);
}

static bool is_there(const char *name)
{
	return faccessat(cache, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void least_recently_used_goes_first(void **state)
{
	(void)state;
	put("a1-2.erofs", MIB, 9 * DAY); /* old, but its seal says that it was used */
	put("a1-2.seal", 72, 0);
	put("b2-2.erofs", MIB, 5 * DAY);
	put("b2-2.seal", 72, 5 * DAY);
	put("c3.sites", MIB, 4 * DAY);
	put("d4-5.index", MIB, 3 * DAY);
	cache_prune(cache, &limits, true);
	assert_false(is_there("b2-2.erofs"));
	assert_false(is_there("b2-2.seal"));
	assert_true(is_there("a1-2.erofs") && is_there("a1-2.seal") && is_there("c3.sites") && is_there("d4-5.index"));
}

static void what_is_not_used_goes(void **state)
{
	(void)state;
	put("a1-1.erofs", 100, 31 * DAY);
	put("b2.sites", 100, 29 * DAY);
	put("c3-2.seal", 100, 0); /* of no image */
	cache_prune(cache, &limits, true);
	assert_false(is_there("a1-1.erofs"));
	assert_true(is_there("b2.sites"));
	assert_false(is_there("c3-2.seal"));
}

/* An image that is larger than the limit is used once, and then goes for the next. */
static void newest_stays(void **state)
{
	(void)state;
	put("a1-2.erofs", 5 * MIB, 10);
	cache_prune(cache, &limits, true);
	assert_true(is_there("a1-2.erofs"));
	put("b2-2.erofs", 5 * MIB, 0);
	cache_prune(cache, &limits, true);
	assert_false(is_there("a1-2.erofs"));
	assert_true(is_there("b2-2.erofs"));
}

static void foreign_files_stay(void **state)
{
	static const char *const names[] = {"thesis.erofs", "notes.index", "x", ".erofs", "a1.erofs.bak"};
	(void)state;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		put(names[i], 2 * MIB, 400 * DAY);
	assert_int_equal(mkdirat(cache, "dd.sites", 0700), 0);
	assert_int_equal(symlinkat("/etc/passwd", cache, "ee.sites"), 0);
	cache_prune(cache, &limits, true);
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_true(is_there(names[i]));
	assert_true(is_there("dd.sites") && is_there("ee.sites"));
}

static unsigned temporaries(void)
{
	unsigned count = 0;
	DIR *dir = opendir(base);
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		count += !strncmp(entry->d_name, CACHE_TEMPORARY, strlen(CACHE_TEMPORARY));
	closedir(dir);
	return count;
}

/* A file on its way has no name, where the file system can do that; one that has the name already is replaced. */
static void files_appear_complete(void **state)
{
	char name[CACHE_TEMPORARY_BYTES];
	(void)state;
	for (unsigned turn = 0; turn < 2; turn++) {
		int fd = cache_temporary(cache, name);
		assert_true(fd >= 0 && name[0]);
		assert_int_equal(temporaries(), strcmp(name, ".") != 0);
		assert_int_equal(write(fd, "text", turn + 1), turn + 1);
		assert_int_equal(cache_rename(cache, name, fd, "ab12.sites"), 0);
		close(fd);
		struct stat st;
		assert_int_equal(fstatat(cache, "ab12.sites", &st, 0), 0);
		assert_int_equal(st.st_size, turn + 1);
		assert_int_equal(temporaries(), 0);
	}
}

static void temporaries_of_the_dead_go(void **state)
{
	static const char mine[] = CACHE_TEMPORARY "1-0", theirs[] = CACHE_TEMPORARY "2-0";
	int ready[2], status;
	(void)state;
	int fd = openat(cache, mine, O_RDWR | O_CREAT | O_EXCL, 0600);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(pipe(ready), 0);
	pid_t child = fork();
	if (!child) { /* killed in the middle of its work */
		flock(openat(cache, theirs, O_RDWR | O_CREAT | O_EXCL, 0600), LOCK_EX);
		if (write(ready[1], theirs, sizeof(theirs)) == sizeof(theirs))
			pause();
		_exit(1);
	}
	char told[sizeof(theirs)];
	assert_int_equal(read(ready[0], told, sizeof(told)), sizeof(told));
	cache_prune(cache, &limits, true);
	assert_true(is_there(mine) && is_there(theirs));
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	cache_prune(cache, &limits, true);
	assert_true(is_there(mine));
	assert_false(is_there(theirs));
	close(fd);
	close(ready[0]);
	close(ready[1]);
}

static void once_an_hour(void **state)
{
	(void)state;
	cache_prune(cache, &limits, false);
	put("a1.sites", 100, 40 * DAY);
	cache_prune(cache, &limits, false);
	assert_true(is_there("a1.sites"));
	const struct timespec times[2] = {{time(NULL) - 3700, 0}, {time(NULL) - 3700, 0}};
	assert_int_equal(utimensat(cache, ".pruned", times, 0), 0);
	cache_prune(cache, &limits, false);
	assert_false(is_there("a1.sites"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
	TEST(least_recently_used_goes_first),
	TEST(what_is_not_used_goes),
	TEST(newest_stays),
	TEST(foreign_files_stay),
	TEST(files_appear_complete),
	TEST(temporaries_of_the_dead_go),
	TEST(once_an_hour),
};

TAP_MAIN(tests)
