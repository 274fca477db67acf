/* SPDX-License-Identifier: MIT */
/* Contents of an image cannot change, but can be damaged: the image has the SHA-256 of each. */
#include "hostfs/tree/host_sealed_contents.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/layout.h"
#include "confine/keeper.h"
#include "guest/content_sums.h"
#include "hostfs/host_files.h"
#include "hostfs/host_stop.h"
#include "hostfs/tree/host_live_contents.h"
#include "hostfs/tree/host_sealed.h"
#include "hostfs/tree/host_supply.h"

static int check_sealed(const struct host_source *source, const struct host_stamp *was, struct host_stamp *now)
{
	(void)source;
	*now = *was;
	return 0;
}

static int64_t report_sealed(struct host_files *files, uint32_t handle, const struct host_source *source, int error)
{
	(void)source;
	return host_stop(files, -error, "the image is damaged: cannot read its %s: %s",
	                 host_stop_describe(files, handle, ""), strerror(-error));
}

static int verify_sealed(struct host_files *files, uint32_t handle, const uint8_t hash[DIGEST_BYTES])
{
	struct eri_name name;
	int result = host_sealed_look(files, handle, "", &name);
	if (!result && (!name.has_hash || memcmp(name.hash, hash, DIGEST_BYTES)))
		return (int)host_stop(files, EUCLEAN,
		                      "the image is damaged: its %s has other contents than were sealed",
		                      host_stop_describe(files, handle, ""));
	return result;
}

/* Whether the rest of the last page of contents in an image is zero, as the guest sees it behind a file. */
static bool is_padded(const struct host_source *source, uint64_t bytes)
{
	static const uint8_t zeros[PAGE_SIZE];
	static uint8_t rest[PAGE_SIZE]; /* too large for a stack */
	const uint64_t count = -bytes & (PAGE_SIZE - 1);
	return pread(source->fd, rest, count, (off_t)(source->start + bytes)) == (ssize_t)count &&
	       !memcmp(rest, zeros, count);
}

/* Whether contents are whole pages of the image. A change of the image is noticed by eri_image_check. */
static bool may_show_sealed(const struct host_source *source, uint64_t bytes, struct stat *st)
{
	return source->fd >= 0 && !(source->start & (PAGE_SIZE - 1)) && is_padded(source, bytes) &&
	       !fstat(source->fd, st);
}

/* Finds the hashes in the cache. Else has the contents checked beside the run, which goes on with the hash that the
 * image says. Returns false if nobody will do so. */
static bool find_sums_sealed(struct host_files *files, uint32_t handle, const struct host_source *source,
                             const struct content_part *part, struct content_sums *sums)
{
	if (!source->is_checked && host_source_recall(part, sums))
		return true;
	if (!source->is_checked && (!keeper_is_there() || !keeper_sums_check(part, source->hash, handle)))
		return false;
	files->checks_beside |= !source->is_checked;
	memcpy(sums->hash, source->hash, sizeof(sums->hash));
	return true;
}

static const struct host_source_ops sealed_contents = {
	.check = check_sealed,
	.report = report_sealed,
	.verify = verify_sealed,
	.may_show = may_show_sealed,
	.find_sums = find_sums_sealed,
};

/* A file of --data is one of the host, but host_supply_find has found out that it is what was packed. */
static const struct host_source_ops supplied_contents = {
	.check = check_sealed,
	.report = host_live_contents_report,
	.verify = verify_sealed,
};

/* Writes the path in the image of a file's contents. */
static bool content_path(const struct host_tree *tree, const char *below, const struct eri_name *name,
                         char path[PATH_MAX])
{
	char digits[DIGEST_TEXT_BYTES];
	if (name->kind == ERI_STORED) {
		digest_text(name->hash, digits);
		return snprintf(path, PATH_MAX, ERI_FILES "/%s", strchr(digits, ':') + 1) < PATH_MAX;
	}
	return snprintf(path, PATH_MAX, "%s%s%s", tree->guest + 1, tree->guest[1] && *below ? "/" : "", below) <
	       PATH_MAX;
}

int host_sealed_contents_open(struct host_files *files, uint32_t handle, struct host_source *source,
                              struct host_stamp *stamp)
{
	struct eri_name name;
	static char below[PATH_MAX], path[PATH_MAX]; /* too large for a stack; requests are served one at a time */
	(void)stamp;                                 /* that of the look-up: contents cannot change */
	int result = host_sealed_look(files, handle, "", &name);
	if (result || name.kind == ERI_DENIED)
		return result ? result : -EACCES;
	int64_t root = host_objects_path(&files->objects, handle, "", below);
	const struct host_tree *tree = &files->trees[root];
	if (name.kind == ERI_SEEN)
		return (int)host_stop(
			files, ENODATA,
			"not in the image: %s, of which the packed run used only the attributes, or which "
			"--exclude left out; pack it with --include, or without --exclude",
			host_stop_describe(files, handle, ""));
	if (name.kind == ERI_EXTERNAL) {
		source->ops = &supplied_contents;
		return host_supply_find(files, tree->sealed->supply, handle, &name, source);
	}
	if ((name.kind != ERI_FILE && name.kind != ERI_STORED) || !name.has_hash ||
	    !content_path(tree, below, &name, path) || eri_image_find(tree->sealed->image, path, &source->content) ||
	    source->content.node.size != name.size)
		return host_sealed_stop_at_damage(files, handle, "");
	source->ops = &sealed_contents;
	source->is_checked = tree->sealed->is_checked;
	memcpy(source->hash, name.hash, sizeof(source->hash));
	if (eri_content_part(tree->sealed->image, &source->content, &source->start))
		source->fd = fcntl(tree->sealed->image->fd, F_DUPFD_CLOEXEC, 0);
	return 0;
}
