/* SPDX-License-Identifier: MIT */
/* Directories and files are created first, in directories that openat2(2) finds beneath the given one without following
 * links; symbolic links come when nothing is created in a directory any more; permissions and times of directories are
 * last, from the leaves up. */
#include "eri/extract.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/hold_stops.h"
#include "base/mapped_file.h"
#include "base/write_all.h"

#define PIECE (1UL << 20) /* bytes of contents in memory at once */

struct work {
	struct extract_plan *plan;
	int dir;
	const char *name; /* of dir */
	int open;         /* the directory that was opened last, or -1 */
	size_t open_index;
	uint8_t *piece; /* PIECE bytes */
};

/* Returns the directory of item `index`, which stays open until another is opened, or a negative errno. */
static int open_extracted_directory(struct work *work, size_t index)
{
	const struct open_how how = {
		.flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
	};
	char path[PATH_MAX];
	if (work->open >= 0 && work->open_index == index)
		return work->open;
	if (work->open >= 0)
		close(work->open);
	extract_plan_path(work->plan, index, path);
	work->open_index = index;
	work->open = (int)syscall(SYS_openat2, work->dir, index ? path : ".", &how, sizeof(how));
	return work->open < 0 ? -errno : work->open;
}

static void copy_name(const struct extract_plan *plan, const struct extract_item *item, char name[NAME_MAX + 1])
{
	memcpy(name, plan->names + item->name, item->length);
	name[item->length] = 0;
}

static void get_times(const struct erofs_node *node, struct timespec times[2])
{
	times[0] = times[1] = (struct timespec){(time_t)node->mtime_s, (long)node->mtime_ns};
}

static int extract_contents(const struct work *work, const struct erofs_node *node, int fd)
{
	const struct erofs_file *file = work->plan->file;
	const uint8_t *in_place = erofs_file_at(file, node);
	int result = 0;
	for (uint64_t at = 0; !result && at < node->size; at += PIECE) {
		if (hold_stops_came())
			return -EINTR;
		uint64_t part = node->size - at < PIECE ? node->size - at : PIECE;
		if (!in_place)
			result = erofs_file_read(file, node, work->piece, part, at);
		if (!result)
			result = write_all(fd, in_place ? in_place + at : work->piece, part, (off_t)at);
	}
	return result;
}

static int extract_file(const struct work *work, int parent, const char *name, struct extract_item *item)
{
	struct timespec times[2];
	int fd = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	item->made = true;
	get_times(&item->node, times);
	int result = extract_contents(work, &item->node, fd);
	if (!result && (fchmod(fd, item->node.mode & 0777) || futimens(fd, times)))
		result = -errno;
	if (close(fd) && !result)
		result = -errno;
	return result;
}

/* Makes a further name of a file that exists, or another copy on file systems without hard links. */
static int extract_link(struct work *work, int parent, const char *name, struct extract_item *item)
{
	const struct extract_item *first = &work->plan->items[item->first];
	char first_name[NAME_MAX + 1];
	copy_name(work->plan, first, first_name);
	int own = fcntl(parent, F_DUPFD_CLOEXEC, 0); /* open_directory closes it */
	int from = own < 0 ? -errno : open_extracted_directory(work, first->parent), result = from < 0 ? from : 0;
	if (!result && linkat(from, first_name, own, name, 0))
		result = -errno;
	item->made = !result;
	if (result == -EPERM || result == -EOPNOTSUPP || result == -EMLINK)
		result = extract_file(work, own, name, item);
	if (own >= 0)
		close(own);
	return result;
}

static int extract_symlink(const struct work *work, int parent, const char *name, struct extract_item *item)
{
	struct timespec times[2];
	char target[PATH_MAX] = "";
	int result = erofs_file_read(work->plan->file, &item->node, target, item->node.size, 0);
	if (result || memchr(target, 0, item->node.size))
		return result ? result : -EUCLEAN;
	if (symlinkat(target, parent, name))
		return -errno;
	item->made = true;
	get_times(&item->node, times);
	return utimensat(parent, name, times, AT_SYMLINK_NOFOLLOW) ? -errno : 0;
}

static int extract_item_at(struct work *work, size_t index)
{
	struct extract_item *item = &work->plan->items[index];
	char name[NAME_MAX + 1];
	int parent = hold_stops_came() ? -EINTR : open_extracted_directory(work, item->parent);
	if (parent < 0)
		return parent;
	copy_name(work->plan, item, name);
	if (S_ISLNK(item->node.mode))
		return extract_symlink(work, parent, name, item);
	if (S_ISREG(item->node.mode))
		return item->first == index ? extract_file(work, parent, name, item)
		                            : extract_link(work, parent, name, item);
	/* Nobody else comes in before its permissions are set. */
	if (mkdirat(parent, name, 0700))
		return -errno;
	item->made = true;
	return 0;
}

static int finish_directory(struct work *work, size_t index)
{
	struct timespec times[2];
	const struct extract_item *item = &work->plan->items[index];
	int fd = open_extracted_directory(work, index);
	if (fd < 0)
		return fd;
	get_times(&item->node, times);
	return fchmod(fd, item->node.mode & (0777 | S_ISVTX)) || futimens(fd, times) ? -errno : 0;
}

/* Removes what exists, the last first. */
static void remove_all(struct work *work)
{
	/* Directories may have their permissions already, which may forbid to remove what is in them. */
	for (size_t i = 0; i < work->plan->count; i++) {
		const struct extract_item *item = &work->plan->items[i];
		int fd = item->made && S_ISDIR(item->node.mode) ? open_extracted_directory(work, i) : -1;
		if (fd >= 0 && fchmod(fd, 0700))
			break;
	}
	for (size_t i = work->plan->count; i-- > 1;) {
		struct extract_item *item = &work->plan->items[i];
		char name[NAME_MAX + 1];
		copy_name(work->plan, item, name);
		int parent = item->made ? open_extracted_directory(work, item->parent) : -1;
		if (parent >= 0 && !unlinkat(parent, name, S_ISDIR(item->node.mode) ? AT_REMOVEDIR : 0))
			item->made = false;
	}
}

/* Says why an item is not written. */
static int tell_item(const struct work *work, size_t index, int result, struct error *error)
{
	char path[PATH_MAX];
	extract_plan_path(work->plan, index, path);
	if (result == -EUCLEAN || result == -EINVAL)
		return error_set(error, EUCLEAN, "/%.130s is damaged; make or copy the image again", path);
	return error_set(error, -result, "%.60s/%.80s cannot be written: %s%s", work->name, path, strerror(-result),
	                 result == -ENOSPC || result == -EDQUOT ? "; free space there, or give another directory" : "");
}

int extract(struct extract_plan *plan, const struct mapped_source *image, int dir, const char *name, bool with_root,
            struct error *error)
{
	struct work work = {.plan = plan, .dir = dir, .name = name, .open = -1, .piece = malloc(PIECE)};
	int result = work.piece ? 0 : error_set(error, ENOMEM, "out of memory");
	int fd = result ? -1 : open_extracted_directory(&work, 0);
	if (!result && fd < 0)
		result = error_set(error, -fd,
		                   "%.60s cannot be opened by openat2(2), which Linux has since 5.6: %s; extract on "
		                   "another host",
		                   name, strerror(-fd));
	for (unsigned links = 0; links < 2 && !result; links++)
		for (size_t i = 1; !result && i < plan->count; i++)
			if (S_ISLNK(plan->items[i].node.mode) == (links == 1) && (result = extract_item_at(&work, i)))
				tell_item(&work, i, result, error);
	for (size_t i = plan->count; !result && i-- > (with_root ? 0 : 1);)
		if (S_ISDIR(plan->items[i].node.mode) && (result = finish_directory(&work, i)))
			tell_item(&work, i, result, error);
	if (result != -EINTR && !mapped_file_is_unchanged(image)) /* matters more than what came of it */
		result = error_set(error, ESTALE, "it changed meanwhile; extract it again while nothing writes to it");
	if (result)
		remove_all(&work);
	if (work.open >= 0)
		close(work.open);
	free(work.piece);
	return result;
}
