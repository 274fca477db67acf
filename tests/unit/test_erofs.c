/* SPDX-License-Identifier: MIT */
/* The EROFS reader: images of mkfs.erofs in every layout against the tree that they were made from, and damaged ones,
 * which must be refused or read without harm. */
#define _GNU_SOURCE
#include "abi/errno.h"
#include "abi/linux.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/vfs/erofs.h"
#include "tests/unit/fakes/erofs_image.h"
#include "tests/unit/fakes/tap.h"

static char tree[64];

static int set_up(void **state)
{
	(void)state;
	erofs_image_make_tree(tree);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	erofs_image_remove_tree(tree);
	return 0;
}

/* The whole contents of an object, or NULL. */
static uint8_t *read_all(const struct erofs *fs, const struct erofs_inode *inode)
{
	uint8_t *contents = calloc(1, inode->size + 1);
	for (uint64_t at = 0; at < inode->size;) {
		const void *data;
		size_t bytes = inode->size - at;
		if (erofs_map(fs, inode, at, &data, &bytes) < 0) {
			free(contents);
			return NULL;
		}
		assert_true(bytes > 0);
		if (data)
			memcpy(contents + at, data, bytes);
		at += bytes;
	}
	return contents;
}

static void compare_file(const struct erofs *fs, const struct erofs_inode *inode, const char *path)
{
	uint8_t *mine = read_all(fs, inode);
	assert_non_null(mine);
	uint8_t *theirs = calloc(1, inode->size + 1);
	FILE *file = fopen(path, "r");
	assert_int_equal(fread(theirs, 1, inode->size + 1, file), inode->size);
	fclose(file);
	assert_memory_equal(mine, theirs, inode->size);
	free(mine);
	free(theirs);
}

static void compare(const struct erofs *fs, uint64_t nid, const char *path, bool with_times)
{
	struct erofs_inode inode;
	struct stat st;
	char target[4096];
	assert_int_equal(erofs_read_inode(fs, nid, &inode), 0);
	assert_int_equal(lstat(path, &st), 0);
	assert_int_equal(inode.mode, st.st_mode);
	assert_int_equal(inode.nlink, st.st_nlink);
	assert_int_equal(inode.uid, st.st_uid);
	if (with_times)
		assert_int_equal(inode.mtime_ns, st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec);
	if (S_ISREG(st.st_mode)) {
		assert_int_equal(inode.size, st.st_size);
		compare_file(fs, &inode, path);
	} else if (S_ISLNK(st.st_mode)) {
		uint8_t *mine = read_all(fs, &inode);
		assert_int_equal(readlink(path, target, sizeof(target)), inode.size);
		assert_memory_equal(mine, target, inode.size);
		free(mine);
	} else if (S_ISDIR(st.st_mode)) {
		uint64_t cursor = 0;
		struct erofs_entry entry, found;
		int count = 0, wanted = 0;
		char last[256] = "";
		while (erofs_next(fs, &inode, &cursor, &entry) > 0) {
			char name[300], child[8192];
			snprintf(name, sizeof(name), "%.*s", (int)entry.length, entry.name);
			assert_true(strcmp(last, name) < 0);
			assert_int_equal(erofs_lookup(fs, &inode, name, entry.length, &found), 1);
			assert_int_equal(found.nid, entry.nid);
			size_t length = strlen(strcpy(last, name));
			name[length] = '!';
			assert_int_equal(erofs_lookup(fs, &inode, name, length + 1, &found), 0);
			name[length] = 0;
			snprintf(child, sizeof(child), "%s/%s", path, name);
			compare(fs, entry.nid, child, with_times);
			count++;
		}
		DIR *dir = opendir(path);
		while (readdir(dir))
			wanted++;
		closedir(dir);
		assert_int_equal(count, wanted - 2);
		assert_int_equal(erofs_lookup(fs, &inode, "zzz", 3, &found), 0);
		assert_int_equal(erofs_lookup(fs, &inode, "!", 1, &found), 0);
	}
}

static void check_layout(const char *options, bool with_times)
{
	struct erofs fs;
	const char *error = "";
	size_t bytes;
	uint8_t *image = erofs_image_make(tree, options, &bytes);
	if (!image)
		skip();
	if (erofs_mount(&fs, image, bytes, &error) < 0)
		fail_msg("%s", error);
	compare(&fs, fs.root_nid, tree, with_times);
	free(image);
}

static void test_default(void **state)
{
	(void)state;
	check_layout("", false);
}

static void test_extended(void **state)
{
	(void)state;
	check_layout("-E force-inode-extended", true);
}

static void test_compact(void **state)
{
	(void)state;
	check_layout("-T0 -E force-inode-compact", false);
}

static void test_plain(void **state)
{
	(void)state;
	check_layout("-E noinline_data", false);
}

static void test_chunked(void **state)
{
	(void)state;
	check_layout("--chunksize=4096", false);
	check_layout("--chunksize=65536", false);
}

/* What cannot be read is refused with the reason. */
static void test_refusal(void **state)
{
	struct erofs fs;
	const char *error;
	size_t bytes;
	uint8_t *image = erofs_image_make(tree, "", &bytes);
	(void)state;
	if (!image)
		skip();
	assert_int_equal(erofs_mount(&fs, image, 1000, &error), -EUCLEAN);
	assert_string_equal(error, "too short for an EROFS image");
	assert_int_equal(erofs_mount(&fs, image, bytes - 4096, &error), -EUCLEAN);
	assert_string_equal(error, "it is truncated");
	image[1024 + 80] |= 0x20;
	assert_int_equal(erofs_mount(&fs, image, bytes, &error), -EOPNOTSUPP);
	assert_non_null(strstr(error, "0x20"));
	image[1024] ^= 1;
	assert_int_equal(erofs_mount(&fs, image, bytes, &error), -EUCLEAN);
	assert_string_equal(error, "not an EROFS image");
	free(image);
}

/* Reads everything that can be reached in an image, once; what is read does not matter. */
static void read_everything(const struct erofs *fs, uint64_t nid, int depth, uint64_t *budget)
{
	struct erofs_inode inode;
	if (*budget == 0 || depth == 0 || erofs_read_inode(fs, nid, &inode) < 0)
		return;
	--*budget;
	if (LINUX_S_ISDIR(inode.mode)) {
		uint64_t cursor = 0;
		struct erofs_entry entry, found;
		while (*budget > 0 && erofs_next(fs, &inode, &cursor, &entry) > 0) {
			char name[256];
			memcpy(name, entry.name, entry.length);
			erofs_lookup(fs, &inode, name, entry.length, &found);
			read_everything(fs, entry.nid, depth - 1, budget);
		}
		return;
	}
	volatile uint8_t sink = 0;
	uint64_t steps = 1000;
	for (uint64_t at = 0; at < inode.size && steps > 0; steps--) {
		const void *data;
		size_t bytes = inode.size - at;
		if (erofs_map(fs, &inode, at, &data, &bytes) < 0)
			return;
		assert_true(bytes > 0);
		for (size_t i = 0; data && i < bytes; i += 512)
			sink = sink + ((const uint8_t *)data)[i];
		if (data)
			sink = sink + ((const uint8_t *)data)[bytes - 1];
		at += bytes;
	}
}

static void damage(const char *options, unsigned int seed, int rounds)
{
	size_t bytes;
	uint8_t *image = erofs_image_make(tree, options, &bytes);
	if (!image)
		skip();
	srandom(seed);
	for (int round = 0; round < rounds; round++) {
		/* An allocation of the exact size, so that the sanitizer sees every byte beyond. */
		size_t length = round % 3 ? bytes : (size_t)random() % bytes;
		uint8_t *copy = aligned_alloc(4096, (bytes + 4095) & ~4095UL);
		uint8_t *end = malloc(length);
		memcpy(copy, image, length);
		for (long flips = 1 + random() % 20; flips > 0 && length > 0; flips--) {
			/* Mostly where the superblock, inodes and directories are. */
			size_t at = (size_t)random() % (random() % 4 ? (length < 40000 ? length : 40000) : length);
			if (at >= 1024 && at < 1028)
				continue;
			if (random() % 2)
				copy[at] ^= (uint8_t)(1 << random() % 8);
			else
				copy[at] = (uint8_t)random();
		}
		memcpy(end, copy, length);
		struct erofs fs;
		const char *error;
		uint64_t budget = 3000;
		int result = erofs_mount(&fs, end, length, &error);
		if (result < 0)
			assert_non_null(error);
		else
			read_everything(&fs, fs.root_nid, 20, &budget);
		/* Mount rejects most truncated images; what it rejects is not read, so read it all the same. */
		if (result < 0 && length > 2048) {
			budget = 300;
			fs = (struct erofs){.image = end, .bytes = length};
			read_everything(&fs, 36, 20, &budget);
		}
		free(end);
		free(copy);
	}
	free(image);
}

static void test_damaged(void **state)
{
	const char *rounds = getenv("EREMITE_STEPS");
	int count = rounds ? atoi(rounds) : 60;
	(void)state;
	damage("", 1, count);
	damage("--chunksize=4096", 2, count);
	damage("-E force-inode-extended,noinline_data", 3, count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_default), cmocka_unit_test(test_extended), cmocka_unit_test(test_compact),
		cmocka_unit_test(test_plain),   cmocka_unit_test(test_chunked),  cmocka_unit_test(test_refusal),
		cmocka_unit_test(test_damaged),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
