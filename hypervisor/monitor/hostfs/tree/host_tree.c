/* SPDX-License-Identifier: MIT */
/* The host's trees. openat2(2) resolves paths beneath the tree's descriptor, so they stay inside, whatever happens to
 * the tree meanwhile. Objects that are never shown are recognised by their path and by their file system. */
#include "hostfs/tree/host_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "abi/host_file.h"
#include "abi/own_paths.h"
#include "hostfs/host_streams.h"
#include "hostfs/tree/host_tree_ops.h"

/* File systems that show the host's state, not files (statfs(2), linux/magic.h). devtmpfs calls itself a tmpfs. */
static const uint32_t never_shown[] = {
	0x00009fa0, /* proc */
	0x62656572, /* sysfs */
	0x00001cd1, /* devpts */
	0x0027e0eb, /* cgroup */
	0x63677270, /* cgroup2 */
	0x64626720, /* debugfs */
	0x74726163, /* tracefs */
	0x73636673, /* securityfs */
	0x62656570, /* configfs */
	0xcafe4a11, /* bpf */
	0xde5e81e4, /* efivarfs */
	0x6165676c, /* pstore */
	0x6e736673, /* nsfs */
	0x50494446, /* pidfs */
	0x19800202, /* mqueue */
	0x42494e4d, /* binfmt_misc */
	0x65735543, /* fusectl */
	0xf97cff8c, /* selinuxfs */
	0x43415d53, /* smackfs */
	0x07655821, /* resctrl */
	0x67596969, /* rpc_pipefs */
	0x958458f6, /* hugetlbfs */
};

static const char *const state[] = {
#define OWN_PATH(name, of_host, closed, early) OWN_PATH_IF_##of_host("/" #name, )
	OWN_PATH_LIST(OWN_PATH)
#undef OWN_PATH
};
#define STATE_COUNT (sizeof(state) / sizeof(state[0]))

static int open_beneath_tree(int dir, const char *path, int flags)
{
	struct open_how how = {
		.flags = (uint64_t)(flags | O_CLOEXEC | O_NOFOLLOW | (flags & O_PATH ? 0 : O_NONBLOCK | O_NOCTTY)),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	long fd;
	do
		fd = syscall(SYS_openat2, dir, path, &how, sizeof(how));
	while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : (int)fd;
}

/* Whether a path is `of` or below it. */
static bool is_path_below_tree(const char *path, const char *of)
{
	size_t length = strlen(of);
	return !strncmp(path, of, length) && (!path[length] || path[length] == '/');
}

static struct {
	char path[PATH_MAX];
	struct stat one;
} hidden;

void host_tree_hide(const char *path, const struct stat *one)
{
	snprintf(hidden.path, sizeof(hidden.path), "%s", path);
	hidden.one = *one;
}

static char masked[HOST_TREE_MASKED_MAX][PATH_MAX];
static unsigned masked_count;

void host_tree_mask(const char *path)
{
	if (masked_count < HOST_TREE_MASKED_MAX)
		snprintf(masked[masked_count++], PATH_MAX, "%s", path);
}

/* Whether a path of a tree is at or below a real path. */
static bool is_tree_at(const struct host_tree *tree, const char *path, const char *real)
{
	const char *top = tree->real[1] ? tree->real : "";
	const size_t length = strlen(top);
	if (is_path_below_tree(top, real))
		return true;
	return is_path_below_tree(real, top) && *path && is_path_below_tree(path, real + length + 1);
}

bool host_tree_is_own(const char *path)
{
	const char *at = path;
	while ((at = strstr(at, HOST_TREE_OWN)) && at != path && at[-1] != '/')
		at++;
	return at;
}

bool host_tree_is_masked(const struct host_tree *tree, const char *path)
{
	if ((*hidden.path && is_tree_at(tree, path, hidden.path)) || host_tree_is_own(path))
		return true;
	for (unsigned i = 0; i < masked_count; i++)
		if (is_tree_at(tree, path, masked[i]))
			return true;
	return false;
}

/* Whether a real path is below a path of a tree. */
static bool is_above(const struct host_tree *tree, const char *path, const char *real)
{
	const char *top = tree->real[1] ? tree->real : "";
	const size_t length = strlen(top);
	if (!is_path_below_tree(real, top))
		return false;
	return !*path || (real[length] && is_path_below_tree(real + length + 1, path));
}

bool host_tree_masks_below(const struct host_tree *tree, const char *path)
{
	bool is_found = *hidden.path && is_above(tree, path, hidden.path);
	for (unsigned i = 0; i < masked_count && !is_found; i++)
		is_found = is_above(tree, path, masked[i]);
	return is_found;
}

/* Whether a file system, given by its device number, is mounted at /proc, /sys or /dev. */
static bool is_state(uint64_t dev)
{
	static uint64_t numbers[STATE_COUNT];
	static bool known;
	if (!known) {
		struct stat root, st;
		known = true;
		for (unsigned i = 0; i < STATE_COUNT; i++)
			if (!stat("/", &root) && !stat(state[i], &st) && st.st_dev != root.st_dev)
				numbers[i] = st.st_dev;
	}
	for (unsigned i = 0; i < STATE_COUNT; i++)
		if (numbers[i] && numbers[i] == dev)
			return true;
	return false;
}

struct host_stamp host_stamp_of(const struct stat *st)
{
	return (struct host_stamp){
		.dev = st->st_dev,
		.ino = st->st_ino,
		.size = (uint64_t)st->st_size,
		.mtime = st->st_mtim,
		.ctime = st->st_ctim,
		.mode = st->st_mode,
	};
}

bool host_tree_shows_type(uint32_t mode)
{
	return S_ISREG(mode) || S_ISDIR(mode) || S_ISLNK(mode);
}

/* Whether the attributes of an object allow it to be shown. */
static bool is_kind_shown(const struct stat *st)
{
	bool is_hidden_one = hidden.one.st_ino && st->st_ino == hidden.one.st_ino && st->st_dev == hidden.one.st_dev;
	return host_tree_shows_type(st->st_mode) && !is_hidden_one && !is_state(st->st_dev);
}

/* Whether the file system of an open object is shown. Returns 0, -ENOENT, or another negative errno. Those that are
 * never shown are on no block device, and have numbers of the anonymous major 0: for others fstatfs(2), a fifth of the
 * calls at the start of a small program, is left out. */
static int examine_type(int fd, uint64_t dev)
{
	struct statfs fs;
	if (major(dev))
		return 0;
	if (fstatfs(fd, &fs))
		return -errno;
	for (unsigned i = 0; i < sizeof(never_shown) / sizeof(never_shown[0]); i++)
		if ((uint32_t)fs.f_type == never_shown[i])
			return -ENOENT;
	return 0;
}

/* Takes the stamp of an open object. Returns 0, -ENOENT if it may not be shown, or another negative errno. */
static int examine(int fd, struct host_stamp *stamp)
{
	struct stat st;
	if (fstat(fd, &st))
		return -errno;
	int result = is_kind_shown(&st) ? examine_type(fd, st.st_dev) : -ENOENT;
	if (result)
		return result;
	*stamp = host_stamp_of(&st);
	host_streams_restore(stamp);
	return 0;
}

/* Returns the path below a tree at which a later tree hides it: empty if it hides all of it, NULL if nothing. */
static const char *hiding_place(const struct host_tree *tree, const struct host_tree *later)
{
	const size_t length = tree->guest[1] ? strlen(tree->guest) : 0;
	if (!later->guest[1] || is_path_below_tree(tree->guest, later->guest))
		return "";
	return is_path_below_tree(later->guest, length ? tree->guest : "") ? later->guest + length + 1 : NULL;
}

/* Whether a later tree hides a path below a tree. The guest's kernel does not ask for such a path, but for those on the
 * way to each tree, when it mounts them. */
static bool is_covered(const struct host_tree *tree, const char *path)
{
	bool is_hidden_there = false;
	for (unsigned i = 0; i < tree->later_count && *path; i++) {
		const char *place = hiding_place(tree, &tree->later[i]);
		if (place && *place && is_path_below_tree(place, path))
			return false;
		is_hidden_there |= place && (!*place || is_path_below_tree(path, place));
	}
	return is_hidden_there;
}

bool host_tree_is_state(const struct host_tree *tree, const char *path)
{
	if (tree->leaf || tree->real[1]) /* only a tree of / has them */
		return false;
	for (unsigned i = 0; i < STATE_COUNT; i++)
		if (is_path_below_tree(path, state[i] + 1))
			return true;
	return false;
}

/* Whether the names in a path below a tree allow it to be shown. */
static bool is_path_shown(const struct host_tree *tree, const char *path)
{
	if (is_covered(tree, path))
		return false;
	return tree->ops->shows(tree, path) && !host_tree_is_masked(tree, path) && !host_tree_is_state(tree, path);
}

int host_tree_open_object(const struct host_tree *tree, const char *path, int flags, struct host_stamp *stamp)
{
	if (tree->leaf && *path)
		return -ENOTDIR;
	if (!is_path_shown(tree, path))
		return -ENOENT;
	bool is_tmp = tree->part && !*path;
	if (!*path)
		path = tree->leaf ? tree->leaf : ".";
	int fd = open_beneath_tree(tree->dir, path, flags);
	if (fd == -ENXIO || fd == -ENODEV) /* a socket, or a device without a driver, opened for reading */
		return -ENOENT;
	int result = fd < 0 ? fd : examine(fd, stamp);
	if (is_tmp && !result)
		stamp->mode = S_IFDIR | S_ISVTX | 0777;
	if (fd >= 0 && result)
		close(fd);
	return result ? result : fd;
}

int host_tree_stamp(const struct host_tree *tree, int dir, const char *path, const char *name, struct host_stamp *stamp)
{
	const uint64_t elsewhere = STATX_ATTR_MOUNT_ROOT | STATX_ATTR_AUTOMOUNT;
	struct statx sx;
	if (!is_path_shown(tree, path))
		return -ENOENT;
	if (statx(dir, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_BASIC_STATS, &sx))
		return errno == ENOSYS ? -EAGAIN : -errno;
	if ((sx.stx_mask & STATX_BASIC_STATS) != STATX_BASIC_STATS ||
	    !(sx.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) || (sx.stx_attributes & elsewhere))
		return -EAGAIN;
	const struct stat st = {
		.st_dev = makedev(sx.stx_dev_major, sx.stx_dev_minor),
		.st_ino = sx.stx_ino,
		.st_mode = sx.stx_mode,
		.st_size = (off_t)sx.stx_size,
		.st_mtim = {sx.stx_mtime.tv_sec, sx.stx_mtime.tv_nsec},
		.st_ctim = {sx.stx_ctime.tv_sec, sx.stx_ctime.tv_nsec},
	};
	if (!is_kind_shown(&st))
		return -ENOENT;
	*stamp = host_stamp_of(&st);
	host_streams_restore(stamp);
	return 0;
}

#define ANY_SEARCH 0111 /* a directory that all may search is not asked about: that costs a call for each directory */

uint32_t host_tree_access(int fd, const char *name, const struct host_stamp *stamp)
{
	const int flags = AT_EACCESS | (*name ? AT_SYMLINK_NOFOLLOW : AT_EMPTY_PATH);
	uint32_t result = 0;
	if (!S_ISDIR(stamp->mode))
		return 0;
	if (faccessat(fd, name, R_OK, flags) && errno == EACCES)
		result = HOST_FILE_UNLISTABLE;
	if ((stamp->mode & ANY_SEARCH) != ANY_SEARCH && faccessat(fd, name, X_OK, flags) && errno == EACCES)
		result |= HOST_FILE_UNSEARCHABLE;
	return result;
}

int host_tree_reopen(const struct host_tree *tree, int dir, const char *path, const char *name)
{
	return is_path_shown(tree, path) ? open_beneath_tree(dir, name, O_RDONLY) : -ENOENT;
}

int64_t host_stamp_mtime_ns(const struct host_stamp *stamp)
{
	int64_t result;
	bool is_none = __builtin_mul_overflow(stamp->mtime.tv_sec, 1000000000L, &result) ||
	               __builtin_add_overflow(result, stamp->mtime.tv_nsec, &result);
	return is_none ? 0 : result;
}

bool host_stamp_is_untouched(const struct host_stamp *was, const struct host_stamp *now)
{
	return was->dev == now->dev && was->ino == now->ino && was->mode == now->mode && was->size == now->size &&
	       !memcmp(&was->mtime, &now->mtime, sizeof(was->mtime)) &&
	       !memcmp(&was->ctime, &now->ctime, sizeof(was->ctime));
}

bool host_stamp_is_same(const struct host_stamp *was, const struct host_stamp *now)
{
	if (S_ISDIR(was->mode))
		return was->dev == now->dev && was->ino == now->ino && was->mode == now->mode;
	return host_stamp_is_untouched(was, now);
}

/* Opens the directory at which the tree's paths begin. */
static int open_start(struct host_tree *tree, struct error *error)
{
	struct stat st;
	if (stat(tree->real, &st))
		return error_set(error, errno, "cannot read the attributes of '%.180s': %s", tree->host,
		                 strerror(errno));
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
		return error_set(error, EINVAL, "'%.160s' is neither a directory nor a regular file", tree->host);
	char *slash = strrchr(tree->real, '/');
	if (S_ISREG(st.st_mode)) {
		tree->leaf = slash + 1;
		*slash = 0;
	}
	tree->dir = open(*tree->real ? tree->real : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int reason = errno;
	if (S_ISREG(st.st_mode))
		*slash = '/';
	if (tree->dir < 0)
		return error_set(error, reason, "cannot open '%.180s': %s", tree->host, strerror(reason));
	return 0;
}

int host_tree_open(struct host_tree *tree, struct error *error)
{
	tree->dir = -1;
	tree->leaf = NULL;
	tree->ops = tree->sealed ? &host_sealed_ops : &host_live_ops;
	return tree->ops->open(tree, error);
}

int host_tree_open_live(struct host_tree *tree, struct error *error)
{
	struct host_stamp stamp;
	tree->real = realpath(tree->host, NULL);
	if (!tree->real)
		return error_set(error, errno, "cannot show '%.180s' to the program: %s", tree->host, strerror(errno));
	for (unsigned i = 0; i < STATE_COUNT; i++)
		if (is_path_below_tree(tree->real, state[i]))
			return error_set(error, EINVAL, "'%.140s' is in the host's %s, which programs never see",
			                 tree->host, state[i]);
	int result = open_start(tree, error);
	if (result)
		return result;
	int fd = host_tree_open_object(tree, "", tree->leaf ? O_RDONLY : O_PATH | O_DIRECTORY, &stamp);
	if (fd >= 0)
		close(fd);
	if (fd == -ENOSYS || fd == -EPERM)
		return error_set(error, -fd,
		                 "the host's kernel does not allow openat2(2), which Linux has since 5.6: %s; give the "
		                 "files by --root",
		                 strerror(-fd));
	if (fd == -ENOENT)
		return error_set(
			error, EINVAL,
			"'%.120s' is in a file system that shows the host's state, and programs never see such files",
			tree->host);
	return fd < 0 ? error_set(error, -fd, "cannot open '%.180s': %s", tree->host, strerror(-fd)) : 0;
}

void host_tree_close(struct host_tree *tree)
{
	if (!tree->real)
		return;
	if (tree->dir >= 0)
		close(tree->dir);
	free(tree->real);
	tree->real = NULL;
	tree->dir = -1;
}
