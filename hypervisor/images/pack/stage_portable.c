/* SPDX-License-Identifier: MIT */
#include "pack/stage_portable.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clean_text.h"
#include "base/error.h"
#include "pack/portable.h"

/* Work on one file. */
struct work {
	FILE *to;
	char path[PATH_MAX]; /* as it is printed */
	struct portable_counts counts;
};

static void print_site(void *context, const struct portable_site *site)
{
	struct work *work = context;
	portable_print(work->to, work->path, site);
	work->counts.reasons[site->reason]++;
}

/* Lists one file. Returns the number of places, or a negative errno with one line in *error. */
static int64_t list_sites(struct work *work, const char *path, uint64_t bytes, struct error *error)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	void *data = fd < 0 || !bytes ? MAP_FAILED : mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	int64_t count = 0;
	if (fd < 0 || (bytes && data == MAP_FAILED))
		count = error_set(error, errno, "cannot read %.160s: %s", work->path, strerror(errno));
	else if (bytes && portable_is_code(data, bytes))
		count = portable_list(data, bytes, print_site, work, error);
	if (data != MAP_FAILED)
		munmap(data, bytes);
	if (fd >= 0)
		close(fd);
	return count;
}

static int by_fts_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Lists all files below a directory of the stage, except those of eremite. */
static int64_t list_all(struct work *work, const char *top, struct error *error)
{
	char *const roots[] = {(char *)top, NULL};
	FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_fts_name);
	int64_t all = walk ? 0 : error_set(error, errno, "cannot read %.160s: %s", top, strerror(errno));
	for (FTSENT *entry; all >= 0 && (entry = fts_read(walk));) {
		if (entry->fts_level == 1 && !strcmp(entry->fts_name, ERI_DIR))
			fts_set(walk, entry, FTS_SKIP);
		if (entry->fts_info != FTS_F)
			continue;
		snprintf(work->path, sizeof(work->path), "%s", entry->fts_path + strlen(top));
		clean_text(work->path, strlen(work->path));
		int64_t count = list_sites(work, entry->fts_accpath, (uint64_t)entry->fts_statp->st_size, error);
		all = count < 0 ? count : all + count;
	}
	if (walk)
		fts_close(walk);
	return all;
}

int64_t stage_portable(const struct stage *stage, FILE *to, struct error *error)
{
	static struct work work; /* too large for a stack */
	char path[PATH_MAX];
	work = (struct work){.to = to};
	snprintf(path, sizeof(path), "%.4080s/tree", stage->path);
	int64_t all = list_all(&work, path, error), more = 0;
	snprintf(path, sizeof(path), "%.4080s/container", stage->path);
	if (all >= 0 && !access(path, F_OK))
		more = list_all(&work, path, error);
	if (all < 0 || more < 0)
		return all < 0 ? all : more;
	portable_print_counts(to, stage->output, &work.counts);
	return all + more;
}
