/* SPDX-License-Identifier: MIT */
/* Changes of files, their contents, and how they are applied: nothing comes to be beside the directory. */
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/doorbell.h"
#include "base/error.h"
#include "save/changes.h"
#include "save/save_apply.h"
#include "save/save_plan.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/fakes/folder.h"

static char base[64], dir[80];

static int open_up(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)at;
	return type == FTW_D ? chmod(path, 0700) : 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	return at->level < 1 ? 0 : remove(path);
}

static void remove_base(void)
{
	folder_remove(base);
}

static void put(const char *name)
{
	char path[120];
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || write(fd, name, strlen(name)) < 0 || close(fd))
		abort();
}

/* The directory: a file, and one with a file in it. */
static void fill(void)
{
	char path[120];
	if (!base[0]) {
		if (!folder_make(base))
			abort();
		snprintf(dir, sizeof(dir), "%s/d", base);
		atexit(remove_base);
	}
	snprintf(path, sizeof(path), "%s/s", dir);
	if (mkdir(dir, 0755) || mkdir(path, 0755))
		abort();
	put("a");
	put("s/b");
}

static void check_base(void)
{
	DIR *list = opendir(base);
	for (struct dirent *entry; list && (entry = readdir(list));)
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "d"))
			abort();
	closedir(list);
	nftw(base, open_up, 16, FTW_PHYS);
	nftw(base, remove_one, 16, FTW_PHYS | FTW_DEPTH);
}

static void look_at(struct host_files *files, uint32_t handle, const char *name)
{
	struct host_file_request request = {
		.op = HOST_FILE_LOOK, .handle = handle, .buffer = ARENA, .buffer_bytes = HOST_FILE_LIST_BYTES};
	strcpy(request.name, name);
	guest_memory_write(&memory, gpa(ARENA), &request, sizeof(request));
	host_files_serve(files, &memory, gpa(ARENA));
}

static bool never(void)
{
	return false;
}

static void take(struct changes *changes, struct fuzz_input *input)
{
	static const char *const names[] = {"a",    "s",    "s/b", "n", "s/n",    "n/n",
	                                    "../x", "a//b", "",    "m", "s/../a", "/x"};
	static const uint32_t kinds[] = {S_IFREG, S_IFDIR, S_IFLNK, S_IFIFO};
	static const uint32_t whats[] = {CHANGE_CREATED, CHANGE_REMOVED, CHANGE_CONTENTS, CHANGE_MODE | CHANGE_TIME};
	static struct change change;
	uint64_t kind = fuzz_number(input, 1), address = fuzz_address(input);
	struct out_piece pieces[4] = {{0}};
	if (kind & 1) {
		for (unsigned i = 0; i < 4; i++) {
			pieces[i].bytes = fuzz_number(input, 1);
			pieces[i].address =
				kind & 4 && i & 1 ? (kind & 2 ? OUT_HOLE : CHANGE_OF_HOST) : fuzz_address(input);
		}
		guest_memory_write(&memory, gpa(address), pieces, sizeof(pieces));
		changes_take_data(changes, &memory, gpa(address), kind & 8 ? fuzz_number(input, 2) : kind >> 4 & 7);
		return;
	}
	memset(&change, 0, sizeof(change));
	change.what = kind & 2 ? (uint32_t)fuzz_number(input, 4) : whats[kind >> 2 & 3];
	change.kind = kinds[fuzz_number(input, 1) & 3];
	change.mode = (uint32_t)fuzz_number(input, 2);
	change.root = kind & 128 ? (uint32_t)fuzz_number(input, 1) : 0;
	change.nlink = (uint32_t)fuzz_number(input, 1);
	change.from = kind >> 6 & 1;
	change.handle = fuzz_number(input, 1);
	change.bytes = fuzz_number(input, kind & 16 ? 8 : 1);
	change.mtime_ns = (int64_t)fuzz_number(input, 8);
	change.ino = fuzz_number(input, 1);
	if (kind & 32)
		fuzz_take(input, change.path, 16);
	else
		strcpy(change.path, names[fuzz_number(input, 1) % (sizeof(names) / sizeof(names[0]))]);
	guest_memory_write(&memory, gpa(address), &change, sizeof(change));
	changes_take(changes, &memory, gpa(address));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = fuzz_begin(data, size);
	struct host_files files = {0};
	struct save_dir save = {0};
	struct changes changes = {.dir = &save};
	struct save_plan plan = {0};
	struct error error;
	fill();
	struct host_tree tree = {.host = dir, .guest = "/d"};
	if (save_dir_open(&save, dir, &error) || host_files_open(&files, &tree, 1, &error) || host_files_begin(&files))
		abort();
	changes.spool = save.spool;
	look_at(&files, 0, "a");
	look_at(&files, 0, "s/b");
	changes_begin(&changes, &files, 0x40000, never);
	for (unsigned turn = 0; turn < 24 && input.left && !changes.error.text[0]; turn++)
		take(&changes, &input);
	if (!changes_end(&changes) && !save_plan_make(&plan, &changes, &error) && !save_plan_check(&plan, &error))
		save_apply(&plan, &error);
	save_plan_fini(&plan);
	changes_fini(&changes);
	host_files_close(&files);
	save_dir_close(&save);
	check_base();
	return 0;
}
