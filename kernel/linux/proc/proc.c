/* SPDX-License-Identifier: MIT */
/* Trees of names that the kernel makes up. Directories are always complete. Where processes, threads or descriptors
 * come and go, names are updated before each lookup, and remaining names keep their inodes. */
#include "kernel/linux/proc/proc.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/vfs/dentry.h"
#include "kernel/vfs/file.h"
#include "kernel/vfs/namei.h"

#define WRITTEN_MAX 64 /* maximum number of bytes used of one write */

/* --- files --- */

/* The contents of an open file: as of the last read from its start, as with Linux's seq_file(9). */
struct snapshot {
	struct text text;
	bool was_read;
};

/* Makes the present contents of an entry. */
static int make_text(const struct proc_object *object, struct text *text)
{
	int error = 0;
	if (object->entry->fixed)
		text_add(text, object->entry->fixed, strlen(object->entry->fixed));
	else
		error = object->entry->text(object, text);
	return error ? error : text->error;
}

/* Replaces the snapshot of an open file by the present contents. */
static int look_again(const struct file *file)
{
	struct snapshot *snapshot = file->object;
	struct text text = {0};
	int error = make_text(proc_object_of(file->inode), &text);
	if (error) {
		kfree(text.at);
		return error;
	}
	kfree(snapshot->text.at);
	snapshot->text = text;
	return 0;
}

static long snapshot_read(struct file *file, void *to, size_t bytes, int64_t *pos)
{
	struct snapshot *snapshot = file->object;
	int error = !*pos && snapshot->was_read ? look_again(file) : 0;
	const struct text *text = &snapshot->text;
	if (error)
		return error;
	snapshot->was_read = true;
	if ((uint64_t)*pos >= text->bytes)
		return 0;
	if (bytes > text->bytes - (uint64_t)*pos)
		bytes = text->bytes - (uint64_t)*pos;
	if (copy_to_user(to, text->at + *pos, bytes) < 0)
		return -EFAULT;
	*pos += (int64_t)bytes;
	return (long)bytes;
}

static long snapshot_write(struct file *file, const void *from, size_t bytes, int64_t *pos)
{
	const struct proc_object *object = proc_object_of(file->inode);
	char text[WRITTEN_MAX + 1];
	size_t taken = bytes < WRITTEN_MAX ? bytes : WRITTEN_MAX;
	if (!object->entry->write)
		return -EIO;
	if (copy_from_user(text, from, taken))
		return -EFAULT;
	text[taken] = 0;
	int error = object->entry->write(object, text);
	if (error)
		return error;
	((struct snapshot *)file->object)->was_read = true; /* earlier contents are outdated */
	*pos += (int64_t)bytes;
	return (long)bytes;
}

static int64_t snapshot_seek(struct file *file, int64_t offset, int whence)
{
	return whence == LINUX_SEEK_END ? -EINVAL : file_seek(file, offset, whence, 0);
}

static void snapshot_release(struct file *file)
{
	struct snapshot *snapshot = file->object;
	kfree(snapshot->text.at);
	kfree(snapshot);
}

static const struct file_ops snapshot_ops = {
	.read = snapshot_read,
	.write = snapshot_write,
	.seek = snapshot_seek,
	.release = snapshot_release,
};

static int file_object_open(struct inode *inode, struct file *file)
{
	const struct proc_object *object = proc_object_of(inode);
	if (object->entry->open)
		return object->entry->open(inode, file);
	struct snapshot *snapshot = kzalloc(sizeof(*snapshot));
	int error = snapshot ? make_text(object, &snapshot->text) : -ENOMEM;
	file->ops = &snapshot_ops;
	file->object = snapshot;
	if (error && snapshot)
		snapshot_release(file);
	return error;
}

/* --- links and directories --- */

int proc_retarget(struct inode *link)
{
	struct text text = {0};
	int error = make_text(proc_object_of(link), &text);
	if (error)
		kfree(text.at);
	if (error &&
	    error != -ENAMETOOLONG) /* -ENAMETOOLONG becomes the error of readlink(2); the link can still be followed */
		return error;
	kfree((void *)link->target);
	link->target = error ? NULL : text.at;
	link->size = error ? 0 : text.bytes;
	return 0;
}

static int follow_magic_link(struct inode *link, struct inode **to)
{
	const struct proc_object *object = proc_object_of(link);
	return object->entry->follow(object, to);
}

static int refresh(struct inode *dir, const char *name, size_t length)
{
	const struct proc_object *object = proc_object_of(dir);
	if (dir->dir.removed)
		return 0;
	if (object->entry->refresh)
		return object->entry->refresh(dir, name, length);
	/* Updates links, whose targets may change. */
	for (struct dentry *dentry = dir->dir.first; dentry; dentry = dentry->next) {
		if (!LINUX_S_ISLNK(dentry->inode->mode) ||
		    (name && (dentry->length != length || memcmp(dentry->name, name, length))))
			continue;
		int error = proc_retarget(dentry->inode);
		if (error == -ENOMEM)
			return error;
	}
	return 0;
}

static void destroy_entry(struct inode *inode)
{
	if (LINUX_S_ISLNK(inode->mode))
		kfree((void *)inode->target);
	kfree(inode->backing);
}

static const struct inode_ops file_object_ops = {
	.open = file_object_open, .stat = proc_attributes, .destroy = destroy_entry};
static const struct inode_ops link_ops = {.stat = proc_attributes, .destroy = destroy_entry};
static const struct inode_ops magic_link_ops = {
	.follow = follow_magic_link, .stat = proc_attributes, .destroy = destroy_entry};
static const struct inode_ops directory_ops = {.refresh = refresh, .stat = proc_attributes, .destroy = destroy_entry};

static const struct inode_ops *ops_of(const struct proc_entry *entry)
{
	if (LINUX_S_ISDIR(entry->mode))
		return &directory_ops;
	if (LINUX_S_ISLNK(entry->mode))
		return entry->follow ? &magic_link_ops : &link_ops;
	return &file_object_ops;
}

/* --- trees --- */

/* The mount of writable files, which only /proc has: a copy of its own mount that is not read-only (EROFS). */
static struct mount *written_mount(const struct mount *mount)
{
	static struct mount written;
	written = *mount;
	written.read_only = false;
	return &written;
}

static struct inode *make(struct mount *mount, const struct proc_object *about)
{
	struct proc_object *object = kmalloc(sizeof(*object));
	struct inode *inode = object ? inode_create(mount, about->entry->mode) : NULL;
	if (!inode) {
		kfree(object);
		return NULL;
	}
	*object = *about;
	inode->ops = ops_of(about->entry);
	inode->backing = object;
	inode->size = 0;
	if (about->entry->write || about->entry->open)
		inode->mount = written_mount(mount);
	return inode;
}

struct inode *proc_add(struct inode *dir, const char *name, const struct proc_object *about)
{
	struct inode *inode = make(dir->mount, about);
	if (!inode)
		return NULL;
	int error = namei_attach(dir, name, strlen(name), inode);
	inode_put(inode);
	dir->size = 0;
	return error ? NULL : inode;
}

/* The directory of a path's last component, which exists, and that component. */
static struct inode *walk_to_last(struct inode *dir, const char **path)
{
	for (const char *slash; (slash = strchr(*path, '/')); *path = slash + 1) {
		size_t length = (size_t)(slash - *path);
		struct dentry *dentry = dentry_find(dir, *path, length, dentry_hash(*path, length));
		assert(dentry != NULL);
		dir = dentry->inode;
	}
	return dir;
}

int proc_add_all(struct inode *dir, const struct proc_entry *table, uint32_t process, uint32_t number)
{
	for (const struct proc_entry *entry = table; entry->path; entry++) {
		const struct proc_object about = {entry, process, number};
		const char *name = entry->path;
		struct inode *above = walk_to_last(dir, &name);
		if (!proc_add(above, name, &about))
			return -ENOMEM;
	}
	return 0;
}

/* Also removes the entries below the name. The inodes live until their last reference is dropped. */
void proc_remove(struct dentry *dentry)
{
	struct inode *dir = dentry->dir, *inode = inode_get(dentry->inode);
	dentry_remove(dentry);
	inode->nlink = 0;
	if (LINUX_S_ISDIR(inode->mode)) {
		while (inode->dir.first)
			proc_remove(inode->dir.first);
		inode->dir.removed = true;
		dir->nlink--;
	}
	inode_put(inode);
}

struct inode *proc_root(struct mount *mount, const struct proc_entry *root, const struct proc_entry *table)
{
	const struct proc_object about = {.entry = root};
	struct inode *inode = make(mount, &about);
	if (!inode)
		return NULL;
	inode->nlink = 2;
	inode->dir.parent = inode;
	mount->root = inode;
	return proc_add_all(inode, table, 0, 0) ? NULL : inode;
}

int64_t proc_number(const char *name, size_t length)
{
	int64_t number = 0;
	if (length == 0 || length > 9 || (name[0] == '0' && length > 1))
		return -1;
	for (size_t i = 0; i < length; i++) {
		if (name[i] < '0' || name[i] > '9')
			return -1;
		number = number * 10 + (name[i] - '0');
	}
	return number;
}
