/* SPDX-License-Identifier: MIT */
/* /out from a guest that behaves and from one that does not. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/layout.h"
#include "hostfs/out.h"
#include "tests/unit/fakes/folder.h"

#define ENTRY 0x300000UL
#define DATA 0x400000UL
#define PIECES 0x500000UL

static struct guest_memory memory;
static struct out out;
static struct out_limits limits;
static char base[64], dir[80]; /* dir is base/out; nothing else may appear in base */

static int set_up(void **state)
{
	(void)state;
	if (guest_memory_init(&memory, LAYOUT_RAM_MIN) || !folder_make(base))
		return -1;
	snprintf(dir, sizeof(dir), "%s/out", base);
	limits = (struct out_limits){.objects = 1000, .bytes = 1UL << 40};
	return out_init(&out, dir, &limits);
}

static int tear_down(void **state)
{
	uint8_t digest[DIGEST_BYTES];
	(void)state;
	out_fini(&out, digest);
	guest_memory_fini(&memory);
	return !folder_remove(base);
}

static int announce(const char *path, uint32_t kind, uint32_t mode, uint64_t bytes)
{
	struct out_entry entry = {.kind = kind, .mode = mode, .bytes = bytes};
	size_t length = strlen(path);
	memcpy(entry.path, path, length < sizeof(entry.path) ? length : sizeof(entry.path));
	assert_int_equal(guest_memory_write(&memory, gpa(ENTRY), &entry, sizeof(entry)), 0);
	return out_entry(&out, &memory, gpa(ENTRY));
}

static int give_pieces(const struct out_piece *pieces, uint64_t count)
{
	assert_int_equal(guest_memory_write(&memory, gpa(PIECES), pieces, count * sizeof(*pieces)), 0);
	return out_data(&out, &memory, gpa(PIECES), count);
}

static int give_at(uint64_t address, uint64_t bytes)
{
	return give_pieces(&(struct out_piece){address, bytes}, 1);
}

static int give(const char *data)
{
	assert_int_equal(guest_memory_write(&memory, gpa(DATA), data, strlen(data)), 0);
	return give_at(DATA, strlen(data));
}

static int put(const char *path, uint32_t kind, uint32_t mode, const char *data)
{
	int result = announce(path, kind, mode, strlen(data));
	return result || !*data ? result : give(data);
}

static const char *host(const char *path)
{
	static char full[5000];
	snprintf(full, sizeof(full), "%s/%s", dir, path);
	return full;
}

static void expect_file(const char *path, const char *content, uint32_t mode)
{
	char text[100] = "";
	struct stat st;
	int fd = open(host(path), O_RDONLY | O_NOFOLLOW);
	assert_true(fd >= 0);
	assert_true(read(fd, text, sizeof(text) - 1) >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	assert_string_equal(text, content);
	assert_int_equal(st.st_mode, S_IFREG | mode);
}

static unsigned count_objects(const char *path)
{
	unsigned count = 0;
	DIR *stream = opendir(path);
	assert_non_null(stream);
	for (struct dirent *entry; (entry = readdir(stream));)
		count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	closedir(stream);
	return count;
}

/* While a file comes there is nothing of it in the directory, or, where files need names, one temporary name. Neither
 * is left, whatever had the file's name before. */
static void check_incomplete(bool nameless)
{
	out.can_link = nameless;
	assert_int_equal(announce("file", S_IFREG, 0600, 3), 0);
	nameless = !out.file.temporary[0]; /* the file system may have none */
	assert_int_equal(count_objects(dir), nameless ? 0 : 1);
	assert_int_equal(give("new"), 0);
	expect_file("file", "new", 0600);
	assert_int_equal(put("file", S_IFREG, 0644, "newer"), 0);
	assert_int_equal(put("link", S_IFLNK, 0777, "file"), 0);
	assert_int_equal(put("link", S_IFLNK, 0777, "another"), 0);
	expect_file("file", "newer", 0644);
	assert_int_equal(count_objects(dir), 2);
	assert_int_equal(unlink(host("link")), 0);
	assert_int_equal(unlink(host("file")), 0);
}

static void test_incomplete(void **state)
{
	(void)state;
	check_incomplete(true);
	check_incomplete(false);
	assert_int_equal(announce("file", S_IFREG, 0600, 3), 0);
	assert_int_equal(out.file.temporary[0] != 0, 1);
	assert_int_equal(count_objects(dir), 1);
	assert_true(announce("next", S_IFREG, 0600, 3) < 0);
	assert_int_equal(count_objects(dir), 0);
}

static void test_tree(void **state)
{
	uint8_t digest[DIGEST_BYTES];
	char target[20] = "";
	struct stat st;
	(void)state;
	umask(077);
	assert_int_equal(announce("d", S_IFDIR, 0755, 0), 0);
	assert_int_equal(announce("d/file", S_IFREG, 06755, 6), 0);
	assert_int_not_equal(access(host("d/file"), F_OK), 0); /* no name before it is complete */
	assert_int_equal(give("abc"), 0);
	assert_int_equal(give("def"), 0);
	assert_int_equal(put("empty", S_IFREG, 0, ""), 0);
	assert_int_equal(put("d/link", S_IFLNK, 0777, "../empty"), 0);
	assert_int_equal(put("made/on/the/way", S_IFREG, 0600, "x"), 0);
	assert_int_equal(out_fini(&out, digest), 0);
	umask(022);
	expect_file("d/file", "abcdef", 0755);
	assert_int_equal(stat(host("d"), &st), 0);
	assert_int_equal(st.st_mode, S_IFDIR | 0755);
	assert_true(readlink(host("d/link"), target, sizeof(target) - 1) > 0);
	assert_string_equal(target, "../empty");
	expect_file("made/on/the/way", "x", 0600);
	assert_int_equal(count_objects(dir), 3);
	assert_int_equal(count_objects(base), 1);
}

static void test_paths_refused(void **state)
{
	static char longest[OUT_PATH_BYTES + 1];
	char name[300];
	(void)state;
	memset(longest, 'a', sizeof(longest) - 1); /* no NUL inside out_entry */
	memset(name, 'n', 256);
	name[256] = 0;
	const char *const bad[] = {"",   "/",    "/etc/passwd", "a//b",      "a/",    ".",  "./a",  "a/.",
	                           "..", "../x", "a/..",        "a/../../x", "a/./b", name, longest};
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		uint8_t digest[DIGEST_BYTES];
		assert_int_equal(announce(bad[i], S_IFREG, 0644, 0), -EPROTO);
		assert_non_null(strstr(out.error.text, "path"));
		out_fini(&out, digest);
		assert_int_equal(out_init(&out, dir, &limits), 0);
	}
	assert_int_equal(put("..a/...", S_IFREG, 0644, ""), 0); /* unusual, and proper */
	assert_int_equal(count_objects(base), 1);
}

static void test_links_not_followed(void **state)
{
	char outside[80];
	(void)state;
	snprintf(outside, sizeof(outside), "%s/outside", base);
	assert_int_equal(mkdir(outside, 0755), 0);
	/* A host's link where a file is to be is replaced, not written through. */
	assert_int_equal(symlink("../outside/file", host("file")), 0);
	assert_int_equal(put("file", S_IFREG, 0644, "text"), 0);
	expect_file("file", "text", 0644);
	/* So is one where a directory is to be. */
	assert_int_equal(symlink("../outside", host("d")), 0);
	assert_int_equal(announce("d", S_IFDIR, 0700, 0), 0);
	assert_int_equal(put("d/x", S_IFREG, 0644, "x"), 0);
	/* A link in the path of an object stops the run. */
	assert_int_equal(put("l", S_IFLNK, 0777, "../outside"), 0);
	assert_int_equal(put("l/x", S_IFREG, 0644, "x"), -ENOTDIR);
	assert_non_null(strstr(out.error.text, "l/x"));
	assert_int_equal(count_objects(outside), 0);
}

static void test_replace(void **state)
{
	(void)state;
	assert_int_equal(put("a", S_IFREG, 0644, "old text"), 0);
	assert_int_equal(put("a", S_IFREG, 0400, "new"), 0);
	expect_file("a", "new", 0400);
	assert_int_equal(announce("a", S_IFDIR, 0755, 0), 0);
	assert_int_equal(put("a/b", S_IFREG, 0644, "b"), 0);
	assert_int_equal(announce("a", S_IFDIR, 0755, 0), 0);
	expect_file("a/b", "b", 0644);
	assert_int_equal(put("a", S_IFREG, 0644, "x"), -EISDIR);
	assert_non_null(strstr(out.error.text, "cannot replace a of /out"));
	assert_int_equal(count_objects(dir), 1);
}

static void test_closed_directories(void **state)
{
	uint8_t digest[DIGEST_BYTES];
	struct stat st;
	(void)state;
	for (unsigned round = 0; round < 2; round++) { /* the second finds what the first left */
		assert_int_equal(announce("c", S_IFDIR, 0500, 0), 0);
		assert_int_equal(announce("c/d", S_IFDIR, 0, 0), 0);
		assert_int_equal(put("c/d/x", S_IFREG, 0, "x"), 0);
		assert_int_equal(put("c/y", S_IFREG, 0644, "y"), 0);
		assert_int_equal(put("cc", S_IFREG, 0644, "z"), 0);
		assert_int_equal(stat(host("c"), &st), 0);
		assert_int_equal(st.st_mode, S_IFDIR | 0500);
		assert_int_equal(out_fini(&out, digest), 0);
		assert_int_equal(stat(host("c/d"), &st), 0);
		assert_int_equal(st.st_mode, S_IFDIR | 0);
		assert_int_equal(out_init(&out, dir, &limits), 0);
	}
}

/* Every directory to be closed, and as deep as a path allows. */
static void test_deepest(void **state)
{
	static char path[OUT_PATH_BYTES];
	uint8_t digest[DIGEST_BYTES];
	struct stat st;
	(void)state;
	limits.objects = OUT_DEPTH_MAX;
	assert_int_equal(out_init(&out, dir, &limits), 0);
	for (unsigned i = 0; i < OUT_DEPTH_MAX - 1; i++) {
		strcpy(path + 2 * i, "d");
		assert_int_equal(announce(path, S_IFDIR, 0500, 0), 0);
		strcpy(path + 2 * i, "d/");
	}
	strcat(path, "f");
	assert_int_equal(strlen(path), OUT_PATH_BYTES - 1);
	assert_int_equal(put(path, S_IFREG, 0644, "x"), 0);
	assert_int_equal(out.closing_count, OUT_DEPTH_MAX - 1);
	assert_int_equal(out_fini(&out, digest), 0);
	assert_int_equal(out.closing_count, 0);
	assert_int_equal(stat(host("d/d/d"), &st), 0);
	assert_int_equal(st.st_mode, S_IFDIR | 0500);
}

/* What has no place in a directory for others to read is summed and told of, in text. */
static void test_special(void **state)
{
	uint8_t digest[3][DIGEST_BYTES];
	const uint32_t kinds[] = {0, S_IFIFO, S_IFSOCK};
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(out_init(&out, dir, &limits), 0);
		assert_int_equal(put("a", S_IFREG, 0644, "text"), 0);
		if (kinds[i])
			assert_int_equal(announce("p\n", kinds[i], 0644, 0), 0);
		if (kinds[i] == S_IFSOCK)
			assert_int_equal(announce("q", S_IFBLK, 0644, 0), 0);
		assert_int_equal(put("z", S_IFREG, 0644, "text"), 0);
		assert_int_equal(out_fini(&out, digest[i]), 0);
		assert_int_equal(count_objects(dir), 2);
		if (kinds[i] == 0)
			assert_string_equal(out.warning, "");
		if (kinds[i] == S_IFIFO)
			assert_non_null(strstr(out.warning, "p? of /out is a FIFO and is left out: "));
	}
	assert_non_null(strstr(out.warning, "p? of /out is a socket and is left out, as are 1 more: "));
	assert_memory_not_equal(digest[0], digest[1], DIGEST_BYTES);
	assert_memory_not_equal(digest[1], digest[2], DIGEST_BYTES);
	assert_int_equal(out_init(&out, NULL, &limits), 0); /* nobody waits for it */
	assert_int_equal(announce("p", S_IFIFO, 0644, 0), 0);
	assert_int_equal(give_at(DATA, 1), -EPROTO);
	out_fini(&out, digest[0]);
	assert_int_equal(out_init(&out, NULL, &limits), 0);
	assert_int_equal(announce("p", S_IFIFO, 0644, 0), 0);
	assert_int_equal(out_fini(&out, digest[0]), 0);
	assert_string_equal(out.warning, "");
}

static void test_protocol(void **state)
{
	uint8_t digest[DIGEST_BYTES];
	(void)state;
	assert_int_equal(announce("short", S_IFREG, 0644, 5), 0);
	assert_int_equal(give("abc"), 0);
	assert_int_equal(out_fini(&out, digest), -EPROTO);
	assert_non_null(strstr(out.error.text, "short"));
	assert_int_equal(count_objects(dir), 0);

	assert_int_equal(out_init(&out, dir, &limits), 0);
	assert_int_equal(announce("long", S_IFREG, 0644, 2), 0);
	assert_int_equal(give("abc"), -EPROTO);
	assert_int_equal(give("a"), -EPROTO);
	assert_int_equal(announce("later", S_IFREG, 0644, 0), -EPROTO);
	assert_int_equal(out_fini(&out, digest), -EPROTO);
	assert_int_equal(count_objects(dir), 0);

	const struct {
		uint32_t kind;
		uint64_t bytes;
	} bad[] = {{0, 0},
	           {S_IFCHR, 1},
	           {S_IFIFO, 1},
	           {S_IFMT, 0},
	           {S_IFDIR, 1},
	           {S_IFLNK, 0},
	           {S_IFLNK, OUT_TARGET_BYTES},
	           {S_IFLNK, UINT64_MAX}};
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(out_init(&out, dir, &limits), 0);
		assert_int_equal(announce("x", bad[i].kind, 0644, bad[i].bytes), -EPROTO);
		out_fini(&out, digest);
	}
	assert_int_equal(out_init(&out, dir, &limits), 0);
	assert_int_equal(out_entry(&out, &memory, gpa(LAYOUT_RAM_MIN - 8)), -EFAULT);
	out_fini(&out, digest);
	assert_int_equal(out_init(&out, dir, &limits), 0);
	assert_int_equal(announce("x", S_IFREG, 0644, 1UL << 40), 0);
	assert_int_equal(give_at(UINT64_MAX - 1, 16), -EFAULT);
	assert_int_equal(count_objects(dir), 0);
}

static void test_link_target_is_a_path(void **state)
{
	(void)state;
	assert_int_equal(announce("l", S_IFLNK, 0777, 3), 0);
	assert_int_equal(guest_memory_write(&memory, gpa(DATA), "a\0b", 3), 0);
	assert_int_equal(give_at(DATA, 3), -EPROTO);
	assert_int_equal(count_objects(dir), 0);
}

static void test_disk_full(void **state)
{
	struct rlimit was, small = {8, RLIM_INFINITY};
	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	assert_int_equal(announce("big\x1b[31m", S_IFREG, 0644, 20), 0);
	small.rlim_max = was.rlim_max;
	setrlimit(RLIMIT_FSIZE, &small);
	int result = give("0123456789abcdefghij");
	setrlimit(RLIMIT_FSIZE, &was);
	assert_int_equal(result, -EFBIG);
	assert_string_equal(out.error.text, "cannot write big?[31m of /out: File too large");
	assert_int_equal(count_objects(dir), 0);
}

/* The sum of one file after another, without a directory. */
static void sum(uint8_t digest[DIGEST_BYTES], const char *path, uint32_t kind, uint32_t mode, const char *data,
                const char *more)
{
	uint8_t ignored[DIGEST_BYTES];
	out_fini(&out, ignored);
	assert_int_equal(out_init(&out, NULL, &limits), 0);
	assert_int_equal(put(path, kind, mode, data), 0);
	if (more)
		assert_int_equal(put(more, S_IFREG, 0644, ""), 0);
	assert_int_equal(out_fini(&out, digest), 0);
}

static void test_sum(void **state)
{
	uint8_t sums[7][DIGEST_BYTES], again[DIGEST_BYTES];
	(void)state;
	sum(sums[0], "a", S_IFREG, 0644, "text", NULL);
	sum(sums[1], "b", S_IFREG, 0644, "text", NULL);
	sum(sums[2], "a", S_IFREG, 0600, "text", NULL);
	sum(sums[3], "a", S_IFREG, 0644, "tex", NULL);
	sum(sums[4], "a", S_IFREG, 0644, "", NULL);
	sum(sums[5], "a", S_IFLNK, 0644, "text", NULL);
	sum(sums[6], "a", S_IFREG, 0644, "text", "b");
	for (unsigned i = 0; i < 7; i++)
		for (unsigned j = 0; j < i; j++)
			assert_memory_not_equal(sums[i], sums[j], DIGEST_BYTES);
	/* With a directory, and in other pieces, the same. */
	assert_int_equal(out_init(&out, dir, &limits), 0);
	assert_int_equal(announce("a", S_IFREG, 0644, 4), 0);
	assert_int_equal(give("t"), 0);
	assert_int_equal(give(""), 0);
	assert_int_equal(give("ext"), 0);
	assert_int_equal(out_fini(&out, again), 0);
	assert_memory_equal(again, sums[0], DIGEST_BYTES);
}

static void test_no_directory(void **state)
{
	uint8_t digest[DIGEST_BYTES];
	(void)state;
	out_fini(&out, digest);
	assert_int_equal(out_init(&out, "/proc/nothing/here", &limits), -ENOENT);
	assert_non_null(strstr(out.error.text, "/proc/nothing/here"));
	out_fini(&out, digest);
	assert_int_equal(out_init(&out, "/dev/null", &limits), -ENOTDIR);
	assert_non_null(strstr(out.error.text, "/dev/null"));
}

static void test_limits(void **state)
{
	uint8_t digest[DIGEST_BYTES];
	char name[16];
	(void)state;
	out_fini(&out, digest);
	limits = (struct out_limits){.objects = 3, .bytes = 10};
	assert_int_equal(out_init(&out, dir, &limits), 0);
	assert_int_equal(put("a", S_IFREG, 0644, "12345"), 0);
	assert_int_equal(put("b", S_IFREG, 0644, "12345"), 0);
	assert_int_equal(announce("c", S_IFREG, 0644, 1), -EFBIG);
	assert_non_null(strstr(out.error.text, "MiB in /out, with c"));
	out_fini(&out, digest);
	assert_int_equal(out_init(&out, dir, &limits), 0);
	assert_int_equal(announce("c", S_IFREG, 0644, UINT64_MAX), -EFBIG);
	out_fini(&out, digest);
	assert_int_equal(out_init(&out, dir, &limits), 0);
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "d%d", i);
		assert_int_equal(announce(name, S_IFDIR, 0755, 0), 0);
	}
	assert_int_equal(announce("d3", S_IFDIR, 0755, 0), -EFBIG);
	assert_non_null(strstr(out.error.text, "more than 3 objects"));
	assert_int_equal(count_objects(dir), 5);
}

static unsigned pieces;

static bool stop_after_two_pieces(void)
{
	return pieces++ == 2;
}

static void test_stopped(void **state)
{
	uint8_t digest[DIGEST_BYTES];
	(void)state;
	out_fini(&out, digest);
	pieces = 0;
	limits.stopped = stop_after_two_pieces;
	assert_int_equal(out_init(&out, dir, &limits), 0);
	assert_int_equal(announce("large", S_IFREG, 0644, 0x100000), 0);
	assert_int_equal(give_at(DATA, 0x100000), -EINTR);
	assert_int_equal(pieces, 3);
	assert_int_equal(count_objects(dir), 0);
	assert_int_equal(announce("later", S_IFREG, 0644, 0), -EPROTO);
	out_fini(&out, digest);
	pieces = 0;
	assert_int_equal(out_init(&out, dir, &limits), 0);
	assert_int_equal(announce("hole", S_IFREG, 0644, 1UL << 40), 0);
	assert_int_equal(give_at(OUT_HOLE, 1UL << 40), -EINTR);
	assert_int_equal(pieces, 3);
	assert_int_equal(count_objects(dir), 0);
}

static void expect_refused(const char *what, uint64_t list, uint64_t count, int error)
{
	uint8_t digest[DIGEST_BYTES];
	assert_int_equal(announce("x", S_IFREG, 0644, 100), 0);
	assert_int_equal(out_data(&out, &memory, gpa(list), count), error);
	assert_non_null(strstr(out.error.text, what));
	assert_int_equal(count_objects(dir), 0);
	out_fini(&out, digest);
	assert_int_equal(out_init(&out, dir, &limits), 0);
}

static void test_pieces_refused(void **state)
{
	const struct out_piece outside[] = {{DATA, 4}, {1UL << 50, 4}}, more[] = {{OUT_HOLE, 90}, {DATA, 11}},
			       wraps[] = {{OUT_HOLE, 50}, {OUT_HOLE, UINT64_MAX - 20}};
	const struct out_piece *const lists[] = {outside, more, wraps};
	static const char *const whats[] = {"outside its memory", "more data", "more data"};
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(guest_memory_write(&memory, gpa(PIECES), lists[i], sizeof(outside)), 0);
		expect_refused(whats[i], PIECES, 2, i ? -EPROTO : -EFAULT);
	}
	expect_refused("257 pieces", PIECES, OUT_PIECES_MAX + 1, -EPROTO);
	expect_refused("pieces of", PIECES, UINT64_MAX / 16 + 2, -EPROTO);
	expect_refused("list of pieces", LAYOUT_RAM_MIN - 16, 2, -EFAULT);
	expect_refused("list of pieces", UINT64_MAX - 15, 1, -EFAULT);
	assert_int_equal(announce("l", S_IFLNK, 0777, 3), 0);
	assert_int_equal(give_at(OUT_HOLE, 3), -EPROTO);
	assert_int_equal(count_objects(dir), 0);
}

/* Holes at the start, inside and at the end: the sum of zeros, and a file that takes next to nothing on disk. */
static void test_holes(void **state)
{
	enum { HOLE = 0x300000 };
	static char zeros[HOLE], copy[2 * HOLE + 8];
	const struct out_piece sparse[] = {{OUT_HOLE, HOLE}, {DATA, 3}, {DATA, 0}, {DATA + 1, 1}, {OUT_HOLE, HOLE}};
	uint8_t written[DIGEST_BYTES], holes[DIGEST_BYTES];
	struct stat st;
	(void)state;
	assert_int_equal(guest_memory_write(&memory, gpa(DATA), "abc", 3), 0);
	assert_int_equal(announce("f", S_IFREG, 0644, 2 * HOLE + 4), 0);
	assert_int_equal(give_pieces(sparse, 5), 0);
	assert_int_equal(out_fini(&out, holes), 0);
	int fd = open(host("f"), O_RDONLY);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 2 * HOLE + 4);
	assert_true(st.st_blocks <= 64);
	assert_int_equal(read(fd, copy, sizeof(copy)), 2 * HOLE + 4);
	close(fd);
	assert_memory_equal(copy, zeros, HOLE);
	assert_memory_equal(copy + HOLE, "abcb", 4);
	assert_memory_equal(copy + HOLE + 4, zeros, HOLE);

	assert_int_equal(out_init(&out, NULL, &limits), 0);
	assert_int_equal(guest_memory_write(&memory, gpa(2 * DATA), copy, 2 * HOLE + 4), 0);
	assert_int_equal(announce("f", S_IFREG, 0644, 2 * HOLE + 4), 0);
	assert_int_equal(give_at(2 * DATA, 2 * HOLE + 4), 0);
	assert_int_equal(out_fini(&out, written), 0);
	assert_memory_equal(written, holes, DIGEST_BYTES);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
	TEST(test_tree),          TEST(test_incomplete),
	TEST(test_paths_refused), TEST(test_links_not_followed),
	TEST(test_replace),       TEST(test_closed_directories),
	TEST(test_deepest),       TEST(test_special),
	TEST(test_protocol),      TEST(test_limits),
	TEST(test_stopped),       TEST(test_pieces_refused),
	TEST(test_holes),         TEST(test_link_target_is_a_path),
	TEST(test_disk_full),     TEST(test_sum),
	TEST(test_no_directory),
};

TAP_MAIN(tests)
