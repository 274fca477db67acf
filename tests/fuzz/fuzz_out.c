/* SPDX-License-Identifier: MIT */
/* Objects of /out: any paths, kinds, sizes and pieces. With a directory on the host, nothing comes to be beside it. */
#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostfs/out.h"
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

/* Empties the folder: by no shell, which would take longer than all else. */
static void empty_base(void)
{
	nftw(base, open_up, 16, FTW_PHYS);
	nftw(base, remove_one, 16, FTW_PHYS | FTW_DEPTH);
}

static void remove_base(void)
{
	folder_remove(base);
}

static void make_base(void)
{
	if (!folder_make(base))
		abort();
	snprintf(dir, sizeof(dir), "%s/out", base);
	atexit(remove_base);
}

/* What is beside the directory. */
static unsigned count_others(void)
{
	unsigned count = 0;
	DIR *list = opendir(base);
	for (struct dirent *entry; list && (entry = readdir(list));)
		count += entry->d_name[0] != '.' && strcmp(entry->d_name, "out");
	closedir(list);
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"a", "b", "a/b", "a/b/c", "b/../a", "../x", "/x", "a//b"};
	static const uint32_t kinds[] = {S_IFREG, S_IFDIR, S_IFLNK, S_IFIFO};
	static struct out out;
	static struct out_entry entry;
	struct fuzz_input input = fuzz_begin(data, size);
	const struct out_limits limits = {.objects = 8, .bytes = 0x40000};
	uint8_t flags = (uint8_t)fuzz_number(&input, 1), digest[DIGEST_BYTES];
	if (!base[0])
		make_base();
	out_init(&out, flags & 1 ? dir : NULL, &limits);
	for (unsigned turn = 0; turn < 24 && input.left; turn++) {
		uint64_t kind = fuzz_number(&input, 1), address = fuzz_address(&input);
		struct out_piece pieces[4] = {{0}};
		if (kind & 1) {
			for (unsigned i = 0; i < 4; i++) {
				uint64_t bytes = fuzz_number(&input, 1);
				pieces[i].bytes = kind & 2 ? bytes << 8 : bytes;
				pieces[i].address = kind & 4 && i & 1 ? OUT_HOLE : fuzz_address(&input);
			}
			guest_memory_write(&memory, gpa(address), pieces, sizeof(pieces));
			out_data(&out, &memory, gpa(address), kind & 8 ? fuzz_number(&input, 2) : kind >> 4 & 7);
			continue;
		}
		memset(&entry, 0, sizeof(entry));
		entry.kind = kind & 2 ? (uint32_t)fuzz_number(&input, 4) : kinds[kind >> 2 & 3];
		entry.mode = (uint32_t)fuzz_number(&input, 2);
		entry.bytes = fuzz_number(&input, kind & 16 ? 8 : 2);
		if (kind & 32)
			fuzz_take(&input, entry.path, 32);
		else
			strcpy(entry.path, names[fuzz_number(&input, 1) % 8]);
		if (kind & 64)
			memset(entry.path + strlen(entry.path), 'x', sizeof(entry.path) - strlen(entry.path));
		guest_memory_write(&memory, gpa(address), &entry, sizeof(entry));
		out_entry(&out, &memory, gpa(address));
	}
	out_fini(&out, digest);
	if (flags & 1) {
		if (count_others())
			abort();
		empty_base();
	}
	return 0;
}
