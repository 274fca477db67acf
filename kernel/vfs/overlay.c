/* SPDX-License-Identifier: MIT */
/* The root file system on an EROFS image. An object's number is its slot in the image plus one, even if it is not
 * loaded or was changed. Numbers of objects that the program creates follow all of the image's. */
#include "kernel/vfs/overlay.h"

#include "abi/errno.h"
#include "kernel/end.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/vfs/dentry.h"
#include "kernel/vfs/device.h"
#include "kernel/vfs/erofs.h"
#include "kernel/vfs/pipe.h"

static struct erofs fs;

/* An unreachable directory. Its names are object numbers. A loaded object with several names is listed with its inode.
 * A loaded directory is listed without one: finding a directory twice means a loop in a damaged image. */
static struct inode *linked;

static int overlay_load(struct inode *dir, struct dentry *dentry);

static int add_image_entry(struct inode *dir, const struct erofs_entry *entry, struct dentry **dentry)
{
	*dentry = dentry_add(dir, entry->name, entry->length, entry->type, NULL);
	if (!*dentry)
		return -ENOMEM;
	(*dentry)->backing_ino = entry->nid + 1;
	return 0;
}

static int overlay_lookup(struct inode *dir, const char *name, size_t length, struct dentry **found)
{
	struct erofs_entry entry;
	int result = erofs_lookup(&fs, dir->backing, name, length, &entry);
	return result <= 0 ? result : add_image_entry(dir, &entry, found);
}

static int overlay_populate(struct inode *dir)
{
	struct erofs_entry entry;
	struct dentry *dentry;
	uint64_t cursor = 0;
	int result;
	while ((result = erofs_next(&fs, dir->backing, &cursor, &entry)) > 0) {
		/* Names that were looked up, or created since, already exist. */
		if (dentry_find(dir, entry.name, entry.length, dentry_hash(entry.name, entry.length)))
			continue;
		result = add_image_entry(dir, &entry, &dentry);
		if (result < 0)
			return result;
	}
	return result;
}

static int overlay_map(struct inode *inode, uint64_t offset, const void **data, size_t *bytes)
{
	return erofs_map(&fs, inode->backing, offset, data, bytes);
}

static struct inode_origin overlay_origin(const struct inode *inode)
{
	const struct erofs_inode *backing = inode->backing;
	return (struct inode_origin){UINT64_MAX, backing->mode, backing->uid, backing->gid};
}

static void overlay_destroy(struct inode *inode)
{
	kfree(inode->backing);
}

static const struct inode_ops overlay_ops = {
	.lookup = overlay_lookup,
	.populate = overlay_populate,
	.load = overlay_load,
	.map = overlay_map,
	.origin = overlay_origin,
	.destroy = overlay_destroy,
};

static int set_target(struct inode *inode)
{
	const void *target;
	size_t bytes = inode->size;
	if (bytes == 0 || bytes >= LINUX_PATH_MAX)
		return -EUCLEAN;
	int error = overlay_map(inode, 0, &target, &bytes);
	inode->target = target;
	return error < 0 || !target || bytes != inode->size || memchr(target, 0, bytes) ? -EUCLEAN : 0;
}

/* Makes the inode of an object of the image. dir is NULL for the root. */
static int make_image_inode(struct mount *mount, struct inode *dir, const struct erofs_inode *from, struct inode **out)
{
	struct inode *inode = inode_alloc(mount, from->mode, from->nid + 1);
	struct erofs_inode *backing = kmalloc(sizeof(*backing));
	if (!inode || !backing) {
		kfree(inode);
		kfree(backing);
		return -ENOMEM;
	}
	*backing = *from;
	inode->ops = &overlay_ops;
	inode->backing = backing;
	inode->nlink = from->nlink;
	inode->uid = from->uid;
	inode->gid = from->gid;
	inode->rdev = from->rdev;
	inode->size = from->size;
	inode->atime_ns = inode->mtime_ns = inode->ctime_ns = inode->btime_ns = from->mtime_ns;
	int error = 0;
	if (LINUX_S_ISREG(from->mode)) {
		inode->data.backing_bytes = from->size;
	} else if (LINUX_S_ISDIR(from->mode)) {
		inode->dir.parent = dir ? inode_get(dir) : inode;
	} else if (LINUX_S_ISLNK(from->mode)) {
		error = set_target(inode);
	} else if (LINUX_S_ISCHR(from->mode)) {
		inode->ops = &device_inode_ops;
		inode->backing = NULL;
		kfree(backing);
	} else if (LINUX_S_ISFIFO(from->mode)) {
		inode->ops = &pipe_fifo_ops;
		inode->backing = NULL;
		kfree(backing);
	}
	*out = inode;
	if (error < 0)
		inode_put(inode);
	return error;
}

static uint32_t number_hash(uint64_t number)
{
	return dentry_hash((const char *)&number, sizeof(number));
}

/* Remembers a directory, or reports that the image has it twice. */
static int note_directory(uint64_t number, uint32_t hash)
{
	if (dentry_find(linked, (const char *)&number, sizeof(number), hash))
		return -EUCLEAN;
	return dentry_add(linked, (const char *)&number, sizeof(number), LINUX_DT_DIR, NULL) ? 0 : -ENOMEM;
}

/* Finds an object with several names among the loaded ones, or loads it. */
static int load_linked(struct inode *dir, const struct erofs_inode *from, uint32_t hash, struct inode **inode)
{
	uint64_t number = from->nid + 1;
	struct dentry *known = dentry_find(linked, (const char *)&number, sizeof(number), hash);
	if (known) {
		*inode = inode_get(known->inode);
		return 0;
	}
	int error = make_image_inode(dir->mount, dir, from, inode);
	if (error == 0 && !dentry_add(linked, (const char *)&number, sizeof(number), LINUX_DT_UNKNOWN, *inode)) {
		inode_put(*inode);
		error = -ENOMEM;
	}
	return error;
}

/* No program can handle this error or avoid it. */
static _Noreturn void refuse_compressed(const char *name)
{
	char message[160], part[80];
	format(part, sizeof(part), "%s", name); /* a longer one is cut */
	format(message, sizeof(message),
	       "the root image has its file %s compressed; make the image without compression", part);
	end_with_report(END_REFUSED, 0, message);
}

static int overlay_load(struct inode *dir, struct dentry *dentry)
{
	struct erofs_inode from;
	struct inode *inode;
	uint64_t number = dentry->backing_ino;
	uint32_t hash = number_hash(number);
	int error = erofs_read_inode(&fs, number - 1, &from);
	if (error == -EOPNOTSUPP)
		refuse_compressed(dentry->name);
	if (error < 0)
		return error;
	if (LINUX_S_ISDIR(from.mode)) {
		error = note_directory(number, hash);
		if (error == 0)
			error = make_image_inode(dir->mount, dir, &from, &inode);
	} else if (from.nlink > 1) {
		error = load_linked(dir, &from, hash, &inode);
	} else {
		error = make_image_inode(dir->mount, dir, &from, &inode);
	}
	if (error == 0) {
		dentry_replace(dentry, inode);
		inode_put(inode);
	}
	return error;
}

int overlay_mount(struct mount *mount, const void *image, uint64_t bytes, const char **why)
{
	struct erofs_inode root;
	int error = erofs_mount(&fs, image, bytes, why);
	if (error < 0)
		return error;
	error = erofs_read_inode(&fs, fs.root_nid, &root);
	if (error < 0)
		return error;
	mount->next_ino = bytes / EROFS_NID_BYTES + 2;
	*why = "out of memory";
	linked = inode_create(mount, LINUX_S_IFDIR);
	if (!linked)
		return -ENOMEM;
	linked->dir.parent = linked;
	error = note_directory(root.nid + 1, number_hash(root.nid + 1));
	return error < 0 ? error : make_image_inode(mount, NULL, &root, &mount->root);
}
