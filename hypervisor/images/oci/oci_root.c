/* SPDX-License-Identifier: MIT */
/* mkfs.erofs makes an image of the directory, whose files belong to the caller, and whose modes let the caller read
 * them. Then the image's inodes get what the container's image says: no other way needs no root's rights with
 * erofs-utils 1.5 as well as 1.8. */
#include "oci/oci_root.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "eri/erofs_walk.h"
#include "root/mkfs.h"

#define INODE_BYTES 32           /* the unit of nids */
#define SUPERBLOCK_CHECKSUM 1028 /* offset of the superblock's checksum, and of the flag that says there is one */
#define SUPERBLOCK_FLAGS 1032
#define FLAG_CHECKSUM 1U

/* An extended inode (Linux, Documentation/filesystems/erofs.rst). */
struct extended_inode {
	uint16_t format, xattr_count, mode, reserved;
	uint64_t size;
	uint32_t where, number, user, group;
	uint64_t seconds;
	uint32_t nanoseconds, links;
	uint8_t reserved_end[16];
};

_Static_assert(sizeof(struct extended_inode) == 64, "extended_inode");

struct change {
	const struct erofs_file *file;
	const struct oci_attributes *attributes;
	uint8_t *data;
	int64_t newest;
};

static int change_inode(void *context, const char *path, const struct erofs_node *node)
{
	struct change *change = context;
	static const struct oci_attribute unknown = {.mode = 0755, .seconds = OCI_NO_TIME};
	const struct oci_attribute *to = oci_attributes_get(change->attributes, path);
	const uint64_t at = change->file->meta + node->nid * INODE_BYTES;
	struct extended_inode *inode = (struct extended_inode *)(change->data + at);
	if (!erofs_file_bytes(change->file, at, sizeof(*inode)) || !(inode->format & 1))
		return -EUCLEAN;
	if (!to) /* the root of an image that says nothing of it */
		to = &unknown;
	const unsigned links = S_ISLNK(inode->mode) ? 0777 : to->mode;
	inode->mode = (uint16_t)((inode->mode & S_IFMT) | (links & 07777));
	inode->user = to->user;
	inode->group = to->group;
	inode->seconds = (uint64_t)to->seconds;
	inode->nanoseconds = to->nanoseconds;
	if (to->seconds > change->newest)
		change->newest = to->seconds;
	return 0;
}

static int change_inodes(const struct oci_config *config, int file, int64_t *newest, struct error *error)
{
	struct erofs_file erofs;
	struct stat stat;
	uint32_t flags;
	if (fstat(file, &stat))
		return error_set(error, errno, "the image of the container cannot be read: %s", strerror(errno));
	uint8_t *data = mmap(NULL, (size_t)stat.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (data == MAP_FAILED)
		return error_set(error, errno, "the image of the container cannot be mapped: %s", strerror(errno));
	int result = erofs_file_open(&erofs, data, (uint64_t)stat.st_size, error);
	struct change change = {.file = &erofs, .attributes = &config->attributes, .data = data, .newest = INT64_MIN};
	struct erofs_node root;
	if (!result) {
		result = erofs_file_node(&erofs, erofs.root, &root);
		if (!result)
			result = change_inode(&change, "", &root);
		if (!result)
			result = erofs_walk(&erofs, "", change_inode, &change);
		if (result)
			error_set(error, -result, "mkfs.erofs has made an image that eremite cannot read");
		memcpy(&flags, data + SUPERBLOCK_FLAGS,
		       sizeof(flags)); /* its checksum is no longer right, and optional */
		flags &= ~FLAG_CHECKSUM;
		memcpy(data + SUPERBLOCK_FLAGS, &flags, sizeof(flags));
		memset(data + SUPERBLOCK_CHECKSUM, 0, sizeof(uint32_t));
	}
	munmap(data, (size_t)stat.st_size);
	*newest = change.newest;
	return result;
}

int oci_root_make(int dir, const struct oci_config *config, int file, int64_t *newest, int *sig, struct error *error)
{
	static char *const arguments[] = {"mkfs.erofs",
	                                  "-x-1",
	                                  "-T946684800",
	                                  "-U00000000-0000-0000-0000-000000000000",
	                                  "-Eforce-inode-extended",
	                                  "--all-root",
	                                  "--quiet",
	                                  "/proc/self/fd/3",
	                                  ".",
	                                  NULL};
	struct mkfs_stops stops;
	*sig = 0;
	mkfs_hold_stops(&stops);
	int result = mkfs_run(dir, file, arguments, "the container", &stops, error);
	if (mkfs_release_stops(&stops)) {
		*sig = stops.signal;
		return error_set(error, EINTR, "stopped by signal %d (%s)", stops.signal, strsignal(stops.signal));
	}
	return result ? result : change_inodes(config, file, newest, error);
}
