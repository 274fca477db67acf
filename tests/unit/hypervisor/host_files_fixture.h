/* SPDX-License-Identifier: MIT */
/* A tree of the host's, and a guest that asks for what is in it. For test_host_files.c. */
#ifndef TESTS_UNIT_HYPERVISOR_HOST_FILES_FIXTURE_H
#define TESTS_UNIT_HYPERVISOR_HOST_FILES_FIXTURE_H

#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#undef BLOCK_SIZE /* not that one */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "abi/host_file.h"
#include "abi/layout.h"
#include "base/error.h"
#include "hostfs/host_files.h"
#include "tests/unit/fakes/folder.h"

#define REQUEST 0x300000UL
#define BUFFER 0x310000UL
#define DATA 0x400000UL
#define BUFFER_BYTES 0x10000UL
#define MANY 10000

static struct guest_memory memory;
static struct host_files files;
static struct host_tree trees[2];
static struct host_file_request request;
static struct error error;
static char base[64], tree[80];

static const char *at(const char *name)
{
	static char paths[4][400];
	static unsigned turn;
	char *path = paths[turn++ % 4];
	snprintf(path, sizeof(paths[0]), "%s/%s", tree, name);
	return path;
}

static void put(const char *name, const char *contents)
{
	FILE *to = fopen(at(name), "w");
	assert_non_null(to);
	fputs(contents, to);
	assert_int_equal(fclose(to), 0);
}

static inline int set_up(void **state)
{
	(void)state;
	umask(022);
	if (guest_memory_init(&memory, LAYOUT_RAM_MIN) || !folder_make(base) || chmod(base, 0755))
		return -1;
	snprintf(tree, sizeof(tree), "%s/tree", base);
	if (mkdir(tree, 0755) || mkdir(at("dir"), 0750) || symlink("../dir/x", at("link")))
		return -1;
	put("file", "contents");
	put("dir/inner", "");
	put("../outside", "secret");
	chmod(at("file"), 0640);
	trees[0] = (struct host_tree){.host = tree, .guest = "/data"};
	trees[1] = (struct host_tree){.host = strdup(at("file")), .guest = "/one", .read_only = true};
	if (host_files_open(&files, trees, 2, &error))
		return -1;
	files.hash = true;
	return host_files_begin(&files);
}

static inline int tear_down(void **state)
{
	(void)state;
	host_files_close(&files);
	free((char *)trees[1].host);
	guest_memory_fini(&memory);
	return !folder_remove(base);
}

static int64_t ask(uint32_t op, uint32_t handle, const char *name, uint64_t buffer, uint64_t bytes, uint64_t offset)
{
	request = (struct host_file_request){
		.op = op, .handle = handle, .buffer = buffer, .buffer_bytes = bytes, .offset = offset};
	memcpy(request.name, name, strnlen(name, sizeof(request.name))); /* a long name has no end */
	assert_int_equal(guest_memory_write(&memory, gpa(REQUEST), &request, sizeof(request)), 0);
	int64_t answer = host_files_serve(&files, &memory, gpa(REQUEST));
	assert_int_equal(guest_memory_read(&memory, gpa(REQUEST), &request, sizeof(request)), 0);
	return answer;
}

/* What a path leads to: how many objects, which are then in looked[]. */
static struct host_file_looked looked[HOST_FILE_LOOKS_MAX];

static int64_t look_along(uint32_t handle, const char *path)
{
	int64_t count = ask(HOST_FILE_LOOK, handle, path, BUFFER, BUFFER_BYTES, 0);
	guest_memory_read(&memory, gpa(BUFFER), looked, sizeof(looked));
	return count;
}

/* What one name leads to: its handle, and the attributes in looked[0]. */
static inline int64_t look(uint32_t handle, const char *name)
{
	int64_t count = look_along(handle, name);
	assert_true(count < 0 || count == 1);
	return count < 0 ? count : looked[0].handle;
}

static int64_t load_at(uint32_t handle, const struct host_file_piece *pieces, unsigned count, uint64_t offset)
{
	assert_int_equal(guest_memory_write(&memory, gpa(BUFFER), pieces, count * sizeof(*pieces)), 0);
	return ask(HOST_FILE_LOAD, handle, "", BUFFER, count * sizeof(*pieces), offset);
}

static inline int64_t load_pieces(uint32_t handle, const struct host_file_piece *pieces, unsigned count)
{
	return load_at(handle, pieces, count, 0);
}

static inline int64_t load(uint32_t handle, uint64_t bytes)
{
	return load_pieces(handle, &(struct host_file_piece){DATA, bytes}, 1);
}

/* The run goes on. */
static void expect_no_error(void)
{
	assert_string_equal(files.error.text, "");
}

/* The run ends with that line, which is then forgotten. */
static inline void expect_error(const char *line)
{
	assert_non_null(strstr(files.error.text, line));
	files.error.text[0] = 0;
}

#endif
