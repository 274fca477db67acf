/* SPDX-License-Identifier: MIT */
/* The monitor's reader of EROFS images: images of mkfs.erofs in each layout against the tree that they were made from,
 * and damaged ones, which must be refused or read without harm. */
#include "tests/unit/fakes/tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/error.h"
#include "library/lz4.h"
#include "eri/erofs_file.h"
#include "tests/unit/fakes/folder.h"

#define NAMES_MANY 2000

static char base[64];

static void shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void shell(const char *format, ...)
{
	char command[3000];
	va_list args;
	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	if (system(command))
		fail_msg("failed: %s", command);
}

static int set_up(void **state)
{
	struct error error;
	(void)state;
	if (lz4_load(&error) || !folder_make(base))
		return -1;
	shell("set -e; mkdir %s/tree; cd %s/tree; umask 022; mkdir -p sizes empty many deep; "
	      "awk 'BEGIN { for (i = 0; i < 800000; i++) print i * 7919 %% 65537 }' >text; "
	      "head -c 200000 text >head; openssl enc -aes-128-ctr -nosalt -K 00 -iv 00 -in head -out noise "
	      "2>/dev/null; "
	      "for n in 0 1 100 4000 4095 4096 4097 8192 12345; do head -c $n noise >sizes/n$n; done; "
	      "for n in 4097 20000 300000; do head -c $n text >sizes/t$n; done; printf %%06000d 5 >sizes/digits; "
	      "cat text text | head -c 5242880 >sizes/large; head -c 1100001 /dev/zero >sizes/zeros; "
	      "(head -c 700000 text; head -c 70000 noise; head -c 7000 text) >sizes/mixed; "
	      "for i in $(seq %d); do echo $i >many/a-rather-long-name-to-fill-blocks-$i; done; "
	      "mkdir -p deep/$(printf 'd%%.0s/' $(seq 200))end; echo bottom >deep/$(printf 'd%%.0s/' $(seq "
	      "200))end/file; "
	      "ln -s ../sizes/n4097 deep/link; ln -s nowhere dangling; ln -s $(printf 'x%%.0s' $(seq 250))/y "
	      "long-link; "
	      "ln sizes/n1 sizes/second; : >$(printf 'l%%.0s' $(seq 254)); : >-; : >!; : >z; "
	      "mkfifo pipe; chmod 4755 sizes/n100; chmod 1777 empty; touch -d @1234567890.5 sizes/n1; "
	      "touch -d @-5.25 sizes/n4096; mknod device c 5 300 2>/dev/null || true",
	      base, base, NAMES_MANY);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	return !folder_remove(base);
}

static uint8_t *slurp(const char *path, size_t *bytes)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_NOFOLLOW);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	*bytes = (size_t)st.st_size;
	uint8_t *data = malloc(*bytes ? *bytes : 1); /* of this size, so that what is read behind it is noticed */
	for (size_t at = 0; at < *bytes;) {
		ssize_t got = read(fd, data + at, *bytes - at);
		assert_true(got > 0);
		at += (size_t)got;
	}
	close(fd);
	return data;
}

/* Makes an image of a directory below base. */
static uint8_t *make_image(const char *tree, const char *options, size_t *bytes)
{
	char path[100];
	shell("mkfs.erofs --quiet %s %s/image %s/%s >/dev/null 2>&1", options, base, base, tree);
	snprintf(path, sizeof(path), "%s/image", base);
	uint8_t *image = slurp(path, bytes);
	unlink(path);
	return image;
}

/* The contents as a whole, in pieces, and in place are those of the file. */
static void compare_contents(const struct erofs_file *file, const struct erofs_node *node, const uint8_t *wanted)
{
	static const uint64_t steps[] = {1 << 20, 4096, 33333, 1};
	uint8_t *data = malloc(node->size + 1);
	assert_int_equal(erofs_file_read(file, node, data, node->size, 0), 0);
	assert_memory_equal(data, wanted, node->size);
	for (unsigned i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		memset(data, 0xee, node->size);
		/* All of small files, and 30 pieces of large ones, because each takes what is before it in its extent.
		 */
		for (uint64_t at = 0; at<node->size; at += steps[i]> node->size / 30 ? steps[i] : node->size / 30) {
			uint64_t part = node->size - at < steps[i] ? node->size - at : steps[i];
			assert_int_equal(erofs_file_read(file, node, data, part, at), 0);
			assert_memory_equal(data, wanted + at, part);
		}
	}
	data[0] = 0xee;
	assert_int_equal(erofs_file_read(file, node, data, 1, node->size), -EINVAL);
	assert_int_equal(erofs_file_read(file, node, data, node->size + 1, 0), -EINVAL);
	assert_int_equal(erofs_file_read(file, node, data, UINT64_MAX, 1), -EINVAL);
	assert_int_equal(erofs_file_read(file, node, data, 0, node->size + 1), -EINVAL);
	assert_int_equal(erofs_file_read(file, node, data, 0, node->size), 0);
	assert_int_equal(data[0], 0xee);
	const uint8_t *at = erofs_file_at(file, node);
	assert_int_equal(at != NULL, node->layout == EROFS_FILE_PLAIN || !node->size);
	if (at)
		assert_memory_equal(at, wanted, node->size);
	free(data);
}

struct walk {
	const struct erofs_file *file;
	char path[5000];              /* in the image */
	unsigned objects, layouts[8]; /* of files */
	bool with_times;
};

static void compare_node(struct walk *walk, const struct erofs_node *node);

static int compare_name(void *context, const char *name, size_t length, uint64_t nid, unsigned type)
{
	struct walk *walk = context;
	struct erofs_node node, found;
	size_t end = strlen(walk->path);
	snprintf(walk->path + end, sizeof(walk->path) - end, "%s%.*s", end ? "/" : "", (int)length, name);
	assert_int_equal(erofs_file_node(walk->file, nid, &node), 0);
	assert_int_equal(erofs_file_find(walk->file, walk->path, &found), 0);
	assert_memory_equal(&node, &found, sizeof(node));
	assert_int_equal(type, IFTODT(node.mode));
	compare_node(walk, &node);
	strcat(walk->path, "!");
	assert_int_equal(erofs_file_find(walk->file, walk->path, &found), -ENOENT);
	walk->path[end] = 0;
	return 0;
}

static unsigned count_names(const char *path)
{
	unsigned count = 0;
	DIR *dir = opendir(path);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count - 2;
}

static void compare_node(struct walk *walk, const struct erofs_node *node)
{
	char path[5100];
	struct stat st;
	snprintf(path, sizeof(path), "%s/tree/%s", base, walk->path);
	assert_int_equal(lstat(path, &st), 0);
	assert_int_equal(node->mode, st.st_mode);
	assert_int_equal(node->nlink, st.st_nlink);
	assert_int_equal(node->uid, st.st_uid);
	assert_int_equal(node->gid, st.st_gid);
	if (walk->with_times) {
		assert_int_equal(node->mtime_s, st.st_mtim.tv_sec);
		assert_int_equal(node->mtime_ns, st.st_mtim.tv_nsec);
	}
	walk->objects++;
	walk->layouts[node->layout] += S_ISREG(node->mode);
	if (S_ISREG(st.st_mode)) {
		size_t bytes;
		uint8_t *wanted = slurp(path, &bytes);
		assert_int_equal(node->size, bytes);
		compare_contents(walk->file, node, wanted);
		free(wanted);
	} else if (S_ISLNK(st.st_mode)) {
		char target[4096];
		assert_int_equal(readlink(path, target, sizeof(target)), node->size);
		compare_contents(walk->file, node, (uint8_t *)target);
	} else if (S_ISDIR(st.st_mode)) {
		unsigned before = walk->objects;
		assert_int_equal(erofs_file_list(walk->file, node, compare_name, walk), 0);
		if (!strcmp(walk->path, "many"))
			assert_int_equal(walk->objects - before, NAMES_MANY);
		else if (strstr(walk->path, "sizes"))
			assert_int_equal(walk->objects - before, count_names(path));
	} else {
		assert_int_equal(node->size, 0);
		assert_null(erofs_file_at(walk->file, node));
		if (S_ISCHR(st.st_mode))
			assert_int_equal(node->device, 5 << 8 | (300 & 0xff) | (300 & ~0xff) << 12);
	}
}

static int no_name(void *context, const char *name, size_t length, uint64_t nid, unsigned type)
{
	(void)context, (void)name, (void)length, (void)nid, (void)type;
	return 77;
}

static void check_errors(const struct erofs_file *file)
{
	struct erofs_node node;
	static const char *const missing[] = {"none",      "sizes/n", "sizes/",   ".",         "..",        "sizes/..",
	                                      "sizes//n1", "/sizes",  "many/zzz", "many/\xff", "deep/d/d/x"};
	for (unsigned i = 0; i < sizeof(missing) / sizeof(*missing); i++)
		assert_int_equal(erofs_file_find(file, missing[i], &node), -ENOENT);
	assert_int_equal(erofs_file_find(file, "z/x", &node), -ENOTDIR);
	assert_int_equal(erofs_file_find(file, "deep/link/x", &node), -ENOTDIR);
	char path[400];
	memset(path, 'l', sizeof(path));
	path[256] = 0;
	assert_int_equal(erofs_file_find(file, path, &node), -ENOENT);
	path[254] = 0; /* mkfs.erofs 1.5 fails at a name of 255 bytes */
	assert_int_equal(erofs_file_find(file, path, &node), 0);
	assert_int_equal(erofs_file_list(file, &node, no_name, NULL), -ENOTDIR);
	assert_int_equal(erofs_file_find(file, "", &node), 0);
	assert_int_equal(node.nid, file->root);
	assert_int_equal(erofs_file_list(file, &node, no_name, NULL), 77);
	assert_int_equal(erofs_file_node(file, file->bytes, &node), -EUCLEAN);
	assert_int_equal(erofs_file_node(file, UINT64_MAX, &node), -EUCLEAN);
}

/* Compares an image with the tree; returns how many files have that layout. */
static unsigned check_image(const char *options, bool with_times, unsigned layout)
{
	struct erofs_file file;
	struct erofs_node root;
	struct error error = {0};
	size_t bytes;
	uint8_t *image = make_image("tree", options, &bytes);
	if (erofs_file_open(&file, image, bytes, &error))
		fail_msg("%s: %s", options, error.text);
	struct walk walk = {.file = &file, .with_times = with_times};
	assert_int_equal(erofs_file_find(&file, "", &root), 0);
	compare_node(&walk, &root);
	assert_true(walk.objects > NAMES_MANY + 200);
	check_errors(&file);
	free(image);
	return walk.layouts[layout];
}

static void test_inline(void **state)
{
	(void)state;
	assert_true(check_image("", true, EROFS_FILE_INLINE) > NAMES_MANY);
}

static void test_plain(void **state)
{
	(void)state;
	assert_int_equal(check_image("-E noinline_data", true, EROFS_FILE_INLINE), 0);
}

static void test_compact(void **state)
{
	(void)state;
	assert_true(check_image("-T0 -E force-inode-compact", false, EROFS_FILE_INLINE) > NAMES_MANY);
}

static void test_extended(void **state)
{
	(void)state;
	assert_true(check_image("-E force-inode-extended", true, EROFS_FILE_PLAIN) > 0);
}

/* Data compressed by either form of LZ4 of mkfs.erofs, which keeps what does not become smaller. */
static void test_compressed(void **state)
{
	(void)state;
	assert_true(check_image("-zlz4hc -E legacy-compress", true, EROFS_FILE_COMPRESSED) >= 4);
	assert_true(check_image("-zlz4 -E legacy-compress,noinline_data", true, EROFS_FILE_COMPRESSED) >= 4);
	assert_true(check_image("-zlz4hc,12 -T0 -E legacy-compress,force-inode-compact", false,
	                        EROFS_FILE_COMPRESSED) >= 4);
}

/* Images of older tools have zeros behind compressed data, not before. */
static void test_unpadded(void **state)
{
	(void)state;
	struct erofs_file file;
	struct erofs_node node;
	struct error error;
	char path[200];
	size_t bytes, wanted_bytes;
	unsigned moved = 0;
	uint8_t *image = make_image("tree/sizes", "-zlz4hc -E legacy-compress", &bytes);
	assert_int_equal(erofs_file_open(&file, image, bytes, &error), 0);
	assert_true(file.padded);
	assert_int_equal(erofs_file_find(&file, "t300000", &node), 0);
	assert_int_equal(node.layout, EROFS_FILE_COMPRESSED);
	snprintf(path, sizeof(path), "%s/tree/sizes/t300000", base);
	uint8_t *wanted = slurp(path, &wanted_bytes), *data = malloc(node.size);
	/* Zeros are part of the data if they are said to be behind it. */
	file.padded = false;
	assert_true(erofs_file_read(&file, &node, data, node.size, 0) || memcmp(data, wanted, node.size));
	for (uint64_t i = 0; i < (node.size + 4095) / 4096; i++) {
		uint32_t entry[2];
		memcpy(entry, image + node.tail + 8 * i, 8);
		uint8_t *block = image + 4096UL * entry[1];
		size_t zeros = 0;
		if ((entry[0] & 0xffff) != 1)
			continue;
		while (!block[zeros])
			zeros++;
		memmove(block, block + zeros, 4096 - zeros);
		memset(block + 4096 - zeros, 0, zeros);
		moved += zeros != 0;
	}
	assert_true(moved >= 1); /* the last */
	image[1104] = 0;
	assert_int_equal(erofs_file_open(&file, image, bytes, &error), 0);
	assert_false(file.padded);
	compare_contents(&file, &node, wanted);
	free(data);
	free(wanted);
	free(image);
}

static void expect_refused(const uint8_t *image, size_t bytes, int reason, const char *why)
{
	struct erofs_file file;
	struct error error = {0};
	assert_int_equal(erofs_file_open(&file, image, bytes, &error), -reason);
	if (!strstr(error.text, why))
		fail_msg("'%s' instead of '%s'", error.text, why);
}

/* An image that is not one, is of an unknown kind, or is cut. */
static void test_refused(void **state)
{
	(void)state;
	size_t bytes;
	uint8_t *image = make_image("tree/sizes", "", &bytes);
	const struct {
		size_t at;
		uint8_t value;
		int reason;
		const char *why;
	} cases[] = {
		{1024, 0, EUCLEAN, "not an EROFS image"}, {1036, 9, EOPNOTSUPP, "block size"},
		{1104, 2, EOPNOTSUPP, "without -C"},      {1104, 4, EOPNOTSUPP, "without --chunksize"},
		{1104, 8, EOPNOTSUPP, "extra devices"},   {1104, 16, EOPNOTSUPP, "ztailpacking"},
		{1104, 32, EOPNOTSUPP, "fragments"},      {1104, 64, EOPNOTSUPP, "does not know"},
		{1110, 1, EOPNOTSUPP, "extra devices"},   {1039, 0x7f, EUCLEAN, "root directory"},
		{1067, 0xff, EUCLEAN, "root directory"},  {1063, 1, EUCLEAN, "truncated"},
		{1059, 0xff, EUCLEAN, "superblock"},
	};
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint8_t was = image[cases[i].at];
		image[cases[i].at] = cases[i].value;
		expect_refused(image, bytes, cases[i].reason, cases[i].why);
		image[cases[i].at] = was;
	}
	expect_refused(image, 0, EUCLEAN, "too short");
	expect_refused(image, 1151, EUCLEAN, "too short");
	expect_refused(image, bytes - 1, EUCLEAN, "truncated");
	free(image);
}

/* Reads all that can be read of a damaged image; what is wrong with it is told, or not noticed. */
static int read_name(void *context, const char *name, size_t length, uint64_t nid, unsigned type)
{
	const struct erofs_file *file = context;
	static uint8_t data[1 << 16];
	struct erofs_node node;
	(void)type;
	assert_true(length >= 1 && length <= 255);
	assert_null(memchr(name, '/', length));
	if (erofs_file_node(file, nid, &node))
		return 0;
	for (uint64_t at = 0; at < node.size && at < 10 * sizeof(data); at += sizeof(data)) {
		uint64_t part = node.size - at < sizeof(data) ? node.size - at : sizeof(data);
		int result = erofs_file_read(file, &node, data, part, at);
		assert_true(!result || result == -EUCLEAN);
	}
	const uint8_t *in_place = erofs_file_at(file, &node);
	if (in_place && node.size)
		assert_true(in_place[0] + in_place[node.size - 1] >= 0);
	return 0;
}

/* A small tree, so that most of what is changed matters. */
static void damage(const char *options)
{
	size_t bytes;
	uint64_t random = 1;
	shell("set -e; rm -rf %s/small; mkdir %s/small; cd %s/small; for i in $(seq 150); do : >some-name-$i; done; ln "
	      "-s a b; "
	      "cp ../tree/sizes/n4097 ../tree/sizes/t20000 ../tree/sizes/n100 .; head -c 30000 /dev/zero >zeros",
	      base, base, base);
	uint8_t *image = make_image("small", options, &bytes), *copy = malloc(bytes);
	for (unsigned round = 0; round < 10000; round++) {
		struct erofs_file file;
		struct erofs_node root;
		struct error error;
		memcpy(copy, image, bytes);
		for (unsigned i = 0; i < 1 + round % 3; i++) {
			random = random * 6364136223846793005UL + 1442695040888963407UL;
			copy[1024 + (random >> 33) % (bytes - 1024)] ^= (uint8_t)(random >> 24) | 1;
		}
		if (erofs_file_open(&file, copy, bytes, &error))
			continue;
		assert_int_equal(erofs_file_find(&file, "", &root), 0);
		int result = erofs_file_list(&file, &root, read_name, &file);
		assert_true(!result || result == -EUCLEAN);
		result = erofs_file_find(&file, "some-name-77", &root);
		assert_true(!result || result == -EUCLEAN || result == -ENOENT || result == -EOPNOTSUPP);
	}
	free(copy);
	free(image);
}

static void test_damaged(void **state)
{
	(void)state;
	damage("");
	damage("-E noinline_data");
	damage("-zlz4hc -E legacy-compress");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inline),   cmocka_unit_test(test_plain),      cmocka_unit_test(test_compact),
		cmocka_unit_test(test_extended), cmocka_unit_test(test_compressed), cmocka_unit_test(test_unpadded),
		cmocka_unit_test(test_refused),  cmocka_unit_test(test_damaged),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
