/* SPDX-License-Identifier: MIT */
/* Roots: the image of a tree depends on the tree alone, the cache never shows, and changes are noticed. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "root/root.h"
#include "tests/unit/fakes/folder.h"

#define FILES 120

static char base[64];
static struct root first, second;
static struct error error;

static const char *at(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A path below base, in one of four turns. */
static const char *at(const char *format, ...)
{
	static char paths[4][300];
	static unsigned turn;
	char *path = paths[turn++ % 4];
	int length = snprintf(path, sizeof(paths[0]), "%s/", base);
	va_list args;
	va_start(args, format);
	vsnprintf(path + length, sizeof(paths[0]) - (size_t)length, format, args);
	va_end(args);
	return path;
}

/* How far ahead of the host's clock the monitor's is. */
static time_t later_s;
int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	int result = __real_clock_gettime(clock, now);
	now->tv_sec += later_s;
	return result;
}

static int set_up(void **state)
{
	(void)state;
	umask(022);
	later_s = 0;
	memset(&first, 0, sizeof(first));
	memset(&second, 0, sizeof(second));
	return folder_make(base) && !setenv("EREMITE_CACHE", at("cache"), 1) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	root_close(&first);
	root_close(&second);
	return !folder_remove(base);
}

static void put(const char *path, const void *data, size_t bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, bytes), bytes);
	close(fd);
}

/* The same tree each time; `turn` decides in which order it is made, and its times. */
static void make_tree(const char *name, unsigned turn)
{
	char data[20000], path[300];
	memset(data, 'x', sizeof(data));
	assert_int_equal(mkdir(at("%s", name), 0755), 0);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(mkdir(at("%s/d%u", name, turn ? 7 - i : i), i == 3 ? 0700 : 0755), 0);
	assert_int_equal(chmod(at("%s/d3", name), 0700), 0);
	assert_int_equal(chmod(at("%s/d4", name), 0755), 0);
	for (unsigned n = 0; n < FILES; n++) {
		unsigned i = turn ? (n * 77 + 13 * turn) % FILES : n;
		struct timespec times[2] = {{(time_t)(1000 * turn + i), turn}, {(time_t)(900000 * turn + n), 5}};
		strcpy(path, at("%s/d%u/file-%u", name, i % 8, i));
		data[0] = (char)i;
		put(path, data, i * i);
		assert_int_equal(chmod(path, i % 3 ? 0644 : 0755), 0);
		assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	}
	if (turn) { /* another of the three names comes first */
		assert_int_equal(link(at("%s/d7/file-7", name), at("%s/a-name", name)), 0);
		assert_int_equal(rename(at("%s/d7/file-7", name), at("%s/z-name", name)), 0);
		assert_int_equal(link(at("%s/z-name", name), at("%s/d7/file-7", name)), 0);
		assert_int_equal(link(at("%s/z-name", name), at("outside-%u", turn)), 0);
	} else {
		assert_int_equal(link(at("%s/d7/file-7", name), at("%s/z-name", name)), 0);
		assert_int_equal(link(at("%s/d7/file-7", name), at("%s/a-name", name)), 0);
	}
	assert_int_equal(symlink("../d3", at("%s/d5/link", name)), 0);
}

static void open_root(struct root *root, const char *path)
{
	int result = root_open(root, path, &error);
	if (result)
		fail_msg("root_open(%s): %s", path, error.text);
}

static void expect_refused(const char *path, int reason, const char *why)
{
	struct root root;
	int result = root_open(&root, path, &error);
	assert_int_equal(result, -reason);
	if (!strstr(error.text, why))
		fail_msg("\"%s\" does not say \"%s\"", error.text, why);
	root_close(&root);
}

static unsigned count_in_cache(const char *end)
{
	unsigned count = 0;
	DIR *stream = opendir(at("cache"));
	assert_non_null(stream);
	for (struct dirent *entry; (entry = readdir(stream));) {
		size_t length = strlen(entry->d_name), tail = strlen(end);
		count += length > tail && !strcmp(entry->d_name + length - tail, end);
		assert_true(strncmp(entry->d_name, ".temporary", 10) != 0);
	}
	closedir(stream);
	return count;
}

/* The image of a tree must be first's; nothing comes from a cache. */
static void expect_same_image(const char *path)
{
	open_root(&second, path);
	assert_int_equal(first.bytes, second.bytes);
	assert_memory_equal(first.data, second.data, first.bytes);
	assert_memory_equal(first.identity, second.identity, DIGEST_BYTES);
	root_close(&second);
}

static void test_same_image(void **state)
{
	char command[400], shared[100];
	(void)state;
	make_tree("one", 0);
	make_tree("two", 1);
	make_tree("three", 5);
	setenv("EREMITE_CACHE", "", 1);
	open_root(&first, at("one"));
	expect_same_image(at("two"));
	expect_same_image(at("three"));
	/* Another file system, with its own order of names and inode numbers. */
	snprintf(shared, sizeof(shared), "/dev/shm/%s", base + 5);
	snprintf(command, sizeof(command), "cp -r --preserve=mode,links %s/one %s", base, shared);
	assert_int_equal(system(command), 0);
	expect_same_image(shared);
	snprintf(command, sizeof(command), "rm -rf %s", shared);
	assert_int_equal(system(command), 0);
}

static void test_cache(void **state)
{
	uint8_t before[DIGEST_BYTES], after[DIGEST_BYTES];
	(void)state;
	make_tree("one", 0);
	make_tree("two", 1);
	open_root(&first, at("one"));
	assert_int_equal(count_in_cache(".erofs"), 1);
	open_root(&second, at("two"));
	assert_int_equal(count_in_cache(".erofs"), 1);
	assert_int_equal(first.was.st_ino, second.was.st_ino);
	/* A change that stat barely shows: same size, same time of modification, at once. */
	struct stat st;
	assert_int_equal(stat(at("one/d1/file-1"), &st), 0);
	put(at("one/d1/file-1"), "y", 1);
	const struct timespec times[2] = {st.st_atim, st.st_mtim};
	assert_int_equal(utimensat(AT_FDCWD, at("one/d1/file-1"), times, 0), 0);
	memcpy(before, first.identity, DIGEST_BYTES);
	root_close(&first);
	open_root(&first, at("one"));
	memcpy(after, first.identity, DIGEST_BYTES);
	assert_memory_not_equal(before, after, DIGEST_BYTES);
	assert_int_equal(count_in_cache(".erofs"), 2);
	/* An entry that is damaged is made again; one that cannot be is no reason to fail. */
	char command[200];
	snprintf(command, sizeof(command), "for f in %s/cache/*; do echo broken >$f; done", base);
	assert_int_equal(system(command), 0);
	root_close(&first);
	open_root(&first, at("one"));
	assert_memory_equal(first.identity, after, DIGEST_BYTES);
	setenv("EREMITE_CACHE", "/proc/none", 1);
	root_close(&first);
	open_root(&first, at("one"));
	assert_memory_equal(first.identity, after, DIGEST_BYTES);
}

static void shell(const char *commands)
{
	char line[600];
	snprintf(line, sizeof(line), "cd %s && %s", base, commands);
	assert_int_equal(system(line), 0);
}

/* An image that was touched in the cache is not used, even where it still looks like one; one that was not is. */
static void test_seal(void **state)
{
	static const char *const damages[] = {
		"f=$(echo cache/*.erofs) && chmod u+w $f && touch -r $f time && printf x |"
		" dd of=$f bs=1 seek=9000 conv=notrunc status=none && touch -r time $f && chmod 400 $f",
		"f=$(echo cache/*.erofs) && chmod u+w $f && truncate -s -4096 $f && truncate -s +4096 $f && chmod 400 "
		"$f",
		"f=$(echo cache/*.erofs) && cp -p $f copy && mv copy $f",
		"f=$(echo cache/*.erofs) && mv $f copy && ln -s ../copy $f",
		"rm cache/*.seal",
		": >$(echo cache/*.seal)",
		"f=$(echo cache/*.seal) && printf x | dd of=$f bs=1 seek=20 conv=notrunc status=none",
		"chmod g+w cache/*.erofs",
	};
	(void)state;
	make_tree("one", 0);
	open_root(&first, at("one"));
	assert_int_equal(first.was.st_mode & 07777, 0400);
	void *copy = malloc(first.bytes);
	memcpy(copy, first.data, first.bytes);
	for (unsigned i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		root_close(&first);
		open_root(&first, at("one"));
		ino_t good = first.was.st_ino;
		root_close(&first);
		open_root(&first, at("one"));
		assert_int_equal(first.was.st_ino, good);
		root_close(&first);
		shell(damages[i]);
		open_root(&first, at("one"));
		if (memcmp(first.data, copy, first.bytes))
			fail_msg("a damaged image is used: %s", damages[i]);
		assert_int_equal(count_in_cache(".erofs"), 1);
		assert_int_equal(count_in_cache(".seal"), 1);
		struct stat st;
		assert_int_equal(fstat(first.fd, &st), 0);
		assert_int_equal(st.st_nlink, 1); /* it is the one in the cache */
	}
	/* Who uses it goes on when it is removed or replaced. */
	shell("rm cache/*");
	assert_memory_equal(first.data, copy, first.bytes);
	assert_int_equal(root_check(&first, &error), 0);
	free(copy);
}

/* Files that have not changed for a while are not read again. */
static void test_index(void **state)
{
	uint8_t before[DIGEST_BYTES];
	(void)state;
	make_tree("one", 0);
	later_s = 3;
	open_root(&first, at("one"));
	assert_int_equal(count_in_cache(".index"), 1);
	memcpy(before, first.identity, sizeof(before));
	root_close(&first);
	open_root(&first, at("one"));
	assert_memory_equal(first.identity, before, DIGEST_BYTES);
	put(at("one/d2/file-2"), "abcd", 4);
	root_close(&first);
	open_root(&first, at("one"));
	assert_memory_not_equal(first.identity, before, DIGEST_BYTES);
}

/* All that a guest can see counts, and nothing else. */
static void test_key(void **state)
{
	static const char *const changes[] = {
		"chmod 600 one/d1/file-1",
		"mv one/d1/file-1 one/d1/file-x",
		"mv one/d1/file-x one/d2/file-x",
		"ln -sfn ../d2 one/d5/link",
		"cp one/a-name one/c && mv one/c one/a-name",
		"mkdir one/d1/new",
		"rm one/d2/file-x",
		"chmod 711 one",
		"chmod u+s one/d1/file-9",
		"truncate -s 5000 one/d3/file-3",
		"ln one/d4/file-4 one/other-4",
	};
	uint8_t keys[sizeof(changes) / sizeof(changes[0]) + 1][DIGEST_BYTES];
	char command[300];
	(void)state;
	make_tree("one", 0);
	for (unsigned i = 0; i <= sizeof(changes) / sizeof(changes[0]); i++) {
		open_root(&first, at("one"));
		memcpy(keys[i], first.identity, DIGEST_BYTES);
		root_close(&first);
		for (unsigned j = 0; j < i; j++)
			assert_memory_not_equal(keys[i], keys[j], DIGEST_BYTES);
		if (i == sizeof(changes) / sizeof(changes[0]))
			break;
		snprintf(command, sizeof(command), "cd %s && %s", base, changes[i]);
		assert_int_equal(system(command), 0);
	}
	snprintf(command, sizeof(command), "cd %s && find one -exec touch -h -d @5 {} +", base);
	assert_int_equal(system(command), 0);
	open_root(&first, at("one"));
	assert_memory_equal(first.identity, keys[sizeof(changes) / sizeof(changes[0])], DIGEST_BYTES);
}

static void test_refused(void **state)
{
	char image[8192] = "";
	(void)state;
	expect_refused(at("nothing"), ENOENT, "No such file");
	expect_refused("/dev/null", EINVAL, "is neither an EROFS image nor a directory");
	put(at("text"), "hello", 5);
	expect_refused(at("text"), EINVAL, "is neither an EROFS image nor a directory");
	memcpy(image + 1024, "\xe2\xe1\xf5\xe0", 4);
	image[1024 + 12] = 12;
	image[1024 + 36] = 3; /* blocks */
	put(at("short"), image, sizeof(image));
	expect_refused(at("short"), EINVAL, "truncated");
	image[1024 + 12] = 9;
	put(at("short"), image, sizeof(image));
	expect_refused(at("short"), EINVAL, "2^9");
	assert_int_equal(mkdir(at("tree"), 0755), 0);
	assert_int_equal(mkfifo(at("tree/pipe"), 0644), 0);
	expect_refused(at("tree"), EINVAL, "tree/pipe is a named pipe");
	assert_int_equal(unlink(at("tree/pipe")), 0);
	setenv("PATH", "/nonexistent", 1);
	if (access("/usr/sbin/mkfs.erofs", X_OK))
		expect_refused(at("tree"), ENOENT, "install erofs-utils");
	setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
	if (geteuid())
		return;
	put(at("tree/secret"), "x", 1);
	assert_int_equal(chmod(at("tree/secret"), 0), 0);
	assert_int_equal(chmod(at("."), 0755), 0);
	pid_t child = fork();
	if (!child)
		_exit(setuid(65534) || root_open(&first, at("tree"), &error) != -EACCES ||
		      !strstr(error.text, "tree/secret"));
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void test_file(void **state)
{
	uint8_t expected[DIGEST_BYTES];
	struct digest_sum sum;
	char *copy;
	(void)state;
	make_tree("one", 0);
	open_root(&first, at("one"));
	copy = malloc(first.bytes);
	memcpy(copy, first.data, first.bytes);
	put(at("image"), copy, first.bytes);
	open_root(&second, at("image"));
	assert_memory_equal(first.data, second.data, first.bytes);
	digest_begin(&sum);
	digest_add(&sum, copy, first.bytes);
	digest_end(&sum, expected);
	assert_int_equal(root_identity(&second, &error), 0);
	assert_memory_equal(second.identity, expected, DIGEST_BYTES);
	assert_int_equal(root_check(&second, &error), 0);
	/* Another name does not matter; a change does, even when its time is set back. */
	assert_int_equal(link(at("image"), at("image2")), 0);
	assert_int_equal(root_check(&second, &error), 0);
	root_close(&second);
	open_root(&second, at("image"));
	shell("touch -r image time && printf x | dd of=image bs=1 seek=9000 conv=notrunc status=none && touch -r time "
	      "image");
	assert_int_equal(root_check(&second, &error), -ESTALE);
	put(at("image"), copy, first.bytes);
	root_close(&second);
	open_root(&second, at("image"));
	/* What somebody changes under a run is noticed. The mapping itself is not touched here: it would be a SIGBUS.
	 */
	assert_int_equal(truncate(at("image"), 4096), 0);
	assert_int_equal(root_check(&second, &error), -ESTALE);
	assert_non_null(strstr(error.text, "changed during the run"));
	assert_int_equal(root_check(&first, &error), 0);
	/* A last page that the file does not fill. */
	put(at("image"), copy, first.bytes);
	assert_int_equal(truncate(at("image"), (off_t)first.bytes + 100), 0);
	root_close(&second);
	open_root(&second, at("image"));
	assert_int_equal(second.bytes, first.bytes + 4096);
	assert_int_equal(((char *)second.data)[second.bytes - 1], 0);
	free(copy);
}

static void test_many_at_once(void **state)
{
	int bad = 0;
	(void)state;
	make_tree("one", 0);
	for (unsigned i = 0; i < 8; i++)
		if (!fork())
			_exit(root_open(&first, at("one"), &error) ? 1 : 0);
	for (unsigned i = 0; i < 8; i++) {
		int status;
		assert_true(wait(&status) > 0);
		bad += status != 0;
	}
	assert_int_equal(bad, 0);
	assert_int_equal(count_in_cache(".erofs"), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
	TEST(test_same_image), TEST(test_cache),   TEST(test_seal), TEST(test_index),
	TEST(test_key),        TEST(test_refused), TEST(test_file), TEST(test_many_at_once),
};

TAP_MAIN(tests)
