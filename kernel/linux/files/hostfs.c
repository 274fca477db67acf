/* SPDX-License-Identifier: MIT */
/* Files of the host. Each thing is requested once, because an exit is expensive: an object when it, or a path through
 * it, is first walked; a missing name; all names of a directory, after a few lookups in vain; contents when a file is
 * opened and read (host_contents.h). Object numbers follow the order in which names were first seen. */
#include "kernel/linux/files/hostfs.h"

#include "abi/errno.h"
#include "abi/host_file.h"
#include "kernel/arch/direct_map.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/list.h"
#include "kernel/lib/string.h"
#include "kernel/linux/files/host_ahead.h"
#include "kernel/linux/files/host_contents.h"
#include "kernel/linux/files/host_guess.h"
#include "kernel/linux/files/host_request.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/vfs/dentry.h"
#include "kernel/vfs/file.h"

/* Missing names looked up in a directory before all names are listed: a list, of perhaps thousands, then costs less
 * than more lookups. */
#define MISSES_MAX 8
/* After LOADS_MAX objects of a listed directory, the next lookup includes the LOADS_AHEAD names that follow, and each
 * later one twice as many. */
#define LOADS_MAX 3
#define LOADS_AHEAD 8
#define NAMES_BYTES (HOST_FILE_LOOKS_MAX * 32) /* that one request may hold */
#define DIRECTORY_BYTES 4096                   /* st_size of a directory */
#define ANY_READ 0444

/* A name that a directory does not have. */
struct absent {
	struct absent *next;
	uint8_t length;
	char name[];
};

/* The host's side of an inode. */
struct backing {
	struct host_contents contents; /* of a file; the first member (host_contents.h) */
	struct inode *inode;
	uint32_t handle;
	uint32_t mode;         /* at the start */
	uint32_t misses;       /* of a directory: number of lookups of missing names */
	struct absent *absent; /* of a directory: these missing names, up to MISSES_MAX */
	uint32_t loads;        /* of a directory: number of listed names looked up later */
	bool unlistable;       /* of a directory: the host does not permit reading it */
	struct list unused;    /* link in the list of the objects that the program did not ask for */
};

_Static_assert(offsetof(struct backing, contents) == 0, "host_contents.h");

static struct host_file_request *request; /* host_request */
static uint8_t *buffer;                   /* HOST_FILE_LIST_BYTES */

static struct host_file_looked entry_read; /* the entry of a list that is read now; no stack may keep a copy */

/* Objects that were looked up ahead and not used since. They may be different in another run of the same program. */
static struct list unused = {&unused, &unused};

static bool has_times; /* the host's files have the host's times */

static const struct inode_ops hostfs_ops;

static int64_t ask_monitor(enum host_file_op op, const struct backing *backing, uint64_t to, uint64_t bytes)
{
	return host_request_send(op, backing->handle, to, bytes);
}

/* Lets the monitor note that it may not read a directory which the program opens. Returns -EACCES. */
static int report_unlistable(const struct backing *backing)
{
	request->offset = 0;
	ask_monitor(HOST_FILE_LIST, backing, virt_to_phys(buffer), HOST_FILE_LIST_BYTES);
	return -EACCES;
}

/* Denied contents, or names, are an error here and not later. Names are only requested when they are read. */
static int hostfs_open(struct inode *inode, struct file *file)
{
	struct backing *backing = inode->backing;
	bool directory = LINUX_S_ISDIR(inode->mode);
	file->ops = directory ? &file_directory_ops : &file_regular_ops;
	if (directory)
		return backing->unlistable ? report_unlistable(backing) : 0;
	return inode->data.backing_bytes == backing->contents.bytes ? host_contents_open(inode) : 0;
}

/* Lets the monitor note that it may not search a directory which the program enters. Returns -EACCES. */
static int report_unsearchable(const struct backing *backing)
{
	request->offset = 0;
	ask_monitor(HOST_FILE_SEARCH, backing, virt_to_phys(buffer), 0);
	return -EACCES;
}

/* A file that everybody may read is not requested, unless its contents are about to change without having been read. */
static int hostfs_permission(struct inode *inode, int want)
{
	struct backing *backing = inode->backing;
	if (LINUX_S_ISDIR(inode->mode)) {
		if (want & LINUX_R_OK && backing->unlistable)
			return report_unlistable(backing);
		return want & (LINUX_W_OK | LINUX_X_OK) && inode->dir.unsearchable ? report_unsearchable(backing) : 0;
	}
	const bool is_public = (backing->mode & ANY_READ) == ANY_READ && !(want & INODE_RESIZE);
	if (!LINUX_S_ISREG(inode->mode) || is_public || inode->data.backing_bytes != backing->contents.bytes)
		return 0;
	return host_contents_open(inode);
}

/* --- names and objects --- */

/* Makes the inode of an object that the monitor has just answered about, with a reference. `text` is the target of a
 * link. */
static int make_host_inode(struct mount *mount, struct inode *dir, const struct host_file_looked *looked,
                           const void *text, uint64_t ino, struct inode **out)
{
	const struct host_file_attributes *attributes = &looked->attributes;
	struct inode *inode = inode_alloc(mount, attributes->mode, ino);
	struct backing *backing = kzalloc(sizeof(*backing));
	char *target = LINUX_S_ISLNK(attributes->mode) ? kmalloc(attributes->size) : NULL;
	if (!inode || !backing || (LINUX_S_ISLNK(attributes->mode) && !target)) {
		kfree(inode);
		kfree(backing);
		kfree(target);
		return -ENOMEM;
	}
	*backing = (struct backing){
		.inode = inode,
		.handle = (uint32_t)looked->handle,
		.mode = attributes->mode,
		.contents = {.inode = inode, .handle = (uint32_t)looked->handle, .bytes = attributes->size},
		.unlistable = attributes->flags & HOST_FILE_UNLISTABLE,
	};
	inode->ops = &hostfs_ops;
	inode->backing = backing;
	inode->nlink = 1; /* of a directory: subdirectories are not counted */
	inode->size = attributes->size;
	inode->atime_ns = inode->mtime_ns = inode->ctime_ns = inode->btime_ns = attributes->mtime_ns;
	if (LINUX_S_ISREG(inode->mode)) {
		inode->data.backing_bytes = inode->size;
	} else if (LINUX_S_ISDIR(inode->mode)) {
		inode->size = DIRECTORY_BYTES;
		inode->dir.unsearchable = attributes->flags & HOST_FILE_UNSEARCHABLE;
		inode->dir.parent = dir ? inode_get(dir) : inode;
	} else {
		memcpy(target, text, inode->size);
		inode->target = target;
	}
	*out = inode;
	return 0;
}

/* Looks up request->name, whose first name may be listed by its directory. Returns the number of objects in the buffer,
 * or a negative errno. */
static int64_t look_up_names(const struct backing *backing, bool listed)
{
	request->offset = listed;
	return ask_monitor(HOST_FILE_LOOK, backing, virt_to_phys(buffer), HOST_FILE_LIST_BYTES);
}

/* Notes that the program did not ask for the object of a name that is now loaded. */
static void note_ahead(struct dentry *dentry)
{
	struct backing *backing = dentry->inode->backing;
	host_guess_made(dentry);
	list_add_last(&unused, &backing->unused);
	host_ahead_unused(backing->handle);
}

/* Notes that the program knows an object now. */
static void note_used(const struct inode *inode)
{
	if (has_times && LINUX_S_ISREG(inode->mode))
		inode_time_after(inode->mtime_ns);
}

void hostfs_forget(void)
{
	if (!buffer) /* no files of the host are mounted */
		return;
	memset(buffer, 0, HOST_FILE_LIST_BYTES);
	memset(&entry_read, 0, sizeof(entry_read));
	list_each (link, &unused) {
		struct backing *backing = list_entry(link, struct backing, unused);
		struct inode *inode = backing->inode;
		if (LINUX_S_ISLNK(inode->mode))
			memset((void *)inode->target, 0, inode->size);
		inode->mode &= LINUX_S_IFMT;
		inode->atime_ns = inode->mtime_ns = inode->ctime_ns = inode->btime_ns = 0;
		inode->size = inode->data.backing_bytes = 0;
		backing->mode = inode->mode;
		backing->contents.bytes = 0;
		backing->unlistable = false;
		if (LINUX_S_ISDIR(inode->mode))
			inode->dir.unsearchable = false;
	}
}

/* Whether a name is looked up with a listed one before it. A program that uses directories, and no other objects, gets
 * directories only. */
static bool is_wanted(const struct dentry *dentry, const struct dentry *first)
{
	return !dentry->inode &&
	       (first->type != LINUX_DT_DIR || dentry->type == LINUX_DT_DIR || host_guess_is_right(false));
}

/* Looks up a listed name and the following ones, up to `most`, that were not looked up yet. Objects with an error are
 * not loaded. */
static void look_ahead(struct inode *dir, struct dentry *first, uint64_t most)
{
	const struct host_file_looked *looked = (void *)buffer;
	uint8_t *at = buffer;
	uint64_t count = 0;
	struct dentry *dentry = first;
	for (; dentry && count < most; dentry = dentry->next) {
		struct host_file_name head = {.type = dentry->type, .length = dentry->length};
		if (!is_wanted(dentry, first))
			continue;
		if (at + sizeof(head) + dentry->length > buffer + NAMES_BYTES)
			break;
		memcpy(at, &head, sizeof(head));
		memcpy(at + sizeof(head), dentry->name, dentry->length);
		at += sizeof(head) + dentry->length;
		count++;
	}
	struct dentry *end = dentry;
	request->offset = count;
	if (ask_monitor(HOST_FILE_LOOK_MANY, dir->backing, virt_to_phys(buffer), (uint64_t)(at - buffer)) < 0)
		return;
	const char *target = (const char *)(looked + count);
	for (dentry = first; dentry != end; dentry = dentry->next) {
		struct inode *inode;
		if (!is_wanted(dentry, first))
			continue;
		if (looked->handle >= 0 &&
		    make_host_inode(dir->mount, dir, looked, target, dentry->backing_ino, &inode) == 0) {
			dentry_replace(dentry, inode);
			if (dentry == first)
				note_used(inode);
			else
				note_ahead(dentry);
			inode_put(inode);
		}
		if (looked->handle >= 0 && LINUX_S_ISLNK(looked->attributes.mode))
			target += looked->attributes.size;
		looked++;
	}
}

/* How many names the next lookup in a listed directory includes. */
static uint64_t names_ahead(struct backing *dir, const struct dentry *first)
{
	const uint32_t loads = ++dir->loads;
	if (host_guess_is_right(first->type == LINUX_DT_DIR))
		return HOST_FILE_LOOKS_MAX;
	if (loads <= LOADS_MAX)
		return 1;
	return loads - LOADS_MAX <= 4 ? LOADS_AHEAD << (loads - LOADS_MAX - 1) : HOST_FILE_LOOKS_MAX;
}

static int hostfs_load(struct inode *dir, struct dentry *dentry)
{
	struct backing *backing = dir->backing;
	struct inode *inode;
	if (dentry->ahead) {
		struct backing *loaded = dentry->inode->backing;
		host_guess_used(dentry);
		list_remove(&loaded->unused);
		host_ahead_used(loaded->handle);
		note_used(dentry->inode);
		return 0;
	}
	uint64_t most = dir->dir.complete ? names_ahead(backing, dentry) : 1;
	if (most > 1)
		look_ahead(dir, dentry, most);
	if (dentry->inode)
		return 0;
	memcpy(request->name, dentry->name, dentry->length + 1UL);
	int64_t count = look_up_names(backing, true);
	if (count < 0)
		return (int)count;
	const struct host_file_looked *looked = (void *)buffer;
	int error = make_host_inode(dir->mount, dir, looked, looked + 1, dentry->backing_ino, &inode);
	if (error < 0)
		return error;
	dentry_replace(dentry, inode);
	note_used(inode);
	inode_put(inode);
	return 0;
}

/* Adds a name and gives it the next number. */
static struct dentry *add_name(struct inode *dir, const char *name, size_t length, uint8_t type, struct inode *inode)
{
	struct dentry *dentry = dentry_add(dir, name, length, type, inode);
	if (dentry)
		dentry->backing_ino = dir->mount->next_ino++;
	return dentry;
}

/* Puts a name into the request, and the rest of its path up to the first component that is not a plain name. */
static void request_path(const char *name, size_t length)
{
	char *to = request->name;
	const char *end = to + sizeof(request->name);
	do {
		memcpy(to, name, length);
		to += length;
		*to++ = '/';
		for (name += length; *name == '/';)
			name++;
		for (length = 0; name[length] && name[length] != '/';)
			length++;
		bool dots = name[0] == '.' && (length == 1 || (length == 2 && name[1] == '.'));
		if (dots)
			length = 0;
	} while (length && length < (size_t)(end - to));
	to[-1] = 0;
}

static bool is_absent(const struct backing *backing, const char *name, size_t length)
{
	const struct absent *absent = backing->absent;
	while (absent && (absent->length != length || memcmp(absent->name, name, length)))
		absent = absent->next;
	return absent;
}

/* Remembers a missing name, if there is memory. */
static void note_absent(struct backing *backing, const char *name, size_t length)
{
	struct absent *absent = backing->misses < MISSES_MAX ? kmalloc(sizeof(*absent) + length) : NULL;
	backing->misses++;
	if (!absent)
		return;
	absent->next = backing->absent;
	absent->length = (uint8_t)length;
	memcpy(absent->name, name, length);
	backing->absent = absent;
}

/* Looks up a name that is not in memory, and the rest of its path. All objects found on the way are then in memory. */
static int look_along(struct inode *dir, const char *name, size_t length, struct dentry **found)
{
	const struct host_file_looked *looked = (void *)buffer;
	request_path(name, length);
	int64_t count = look_up_names(dir->backing, false);
	if (count == -ENOENT)
		note_absent(dir->backing, name, length);
	if (count < 0)
		return (int)count;
	const char *at = request->name;
	for (int64_t i = 0; i < count; i++, looked++) {
		const char *slash = strchr(at, '/');
		size_t bytes = slash ? (size_t)(slash - at) : strnlen(at, sizeof(request->name));
		struct inode *inode;
		if (looked->handle == -ENOENT)
			note_absent(dir->backing, at, bytes);
		if (looked->handle < 0) /* requested again when the walk gets there */
			break;
		int error = make_host_inode(dir->mount, dir, looked, looked + 1, dir->mount->next_ino, &inode);
		struct dentry *dentry = error ? NULL : add_name(dir, at, bytes, dentry_type(inode->mode), inode);
		if (!error) {
			note_used(inode);
			inode_put(inode);
		}
		if (!dentry)
			return *found ? 0 : -ENOMEM;
		if (!*found)
			*found = dentry;
		dir = dentry->inode;
		at += bytes + 1;
	}
	return 0;
}

/* Adds a name of a list. Names that were looked up, or created since, already exist. */
static int add_listed(struct inode *dir, const struct host_file_name *name, const struct host_file_looked *looked)
{
	struct inode *inode;
	if (dentry_find(dir, name->name, name->length, dentry_hash(name->name, name->length)))
		return 0;
	struct dentry *dentry = add_name(dir, name->name, name->length, name->type, NULL);
	if (!dentry)
		return -ENOMEM;
	if (!looked || looked->handle < 0)
		return 0;
	int error = make_host_inode(dir->mount, dir, looked, name->name + name->length, dentry->backing_ino, &inode);
	if (error < 0)
		return error;
	dentry_replace(dentry, inode);
	inode_put(inode);
	note_ahead(dentry);
	return 0;
}

/* Adds the names of one answer. Returns 0 or a negative errno. */
static int add_answered(struct inode *dir, int64_t count, bool looks)
{
	const uint8_t *at = buffer;
	int error = 0;
	for (int64_t i = 0; i < count && !error; i++) {
		if (looks) {
			memcpy(&entry_read, at, sizeof(entry_read));
			at += sizeof(entry_read);
		}
		const struct host_file_name *name = (const void *)at;
		at += sizeof(*name) + name->length;
		error = add_listed(dir, name, looks ? &entry_read : NULL);
		if (looks && entry_read.handle >= 0 && LINUX_S_ISLNK(entry_read.attributes.mode))
			at += entry_read.attributes.size;
	}
	return error;
}

static int hostfs_populate(struct inode *dir)
{
	host_guess_listed(dir);
	const enum host_file_op op = host_guess_is_right(false)  ? HOST_FILE_LIST_LOOK
	                             : host_guess_is_right(true) ? HOST_FILE_LIST_DIRECTORIES
	                                                         : HOST_FILE_LIST;
	uint64_t total = 0;
	int64_t count;
	do {
		request->offset = total;
		count = ask_monitor(op, dir->backing, virt_to_phys(buffer), HOST_FILE_LIST_BYTES);
		int error = count < 0 ? (int)count : add_answered(dir, count, op != HOST_FILE_LIST);
		if (error)
			return error;
		total += (uint64_t)count;
	} while (count > 0 && total < request->attributes.size);
	return 0;
}

static int hostfs_lookup(struct inode *dir, const char *name, size_t length, struct dentry **found)
{
	struct backing *backing = dir->backing;
	*found = NULL;
	if (is_absent(backing, name, length))
		return 0;
	if (backing->misses >= MISSES_MAX && !backing->unlistable) {
		int error = dentry_complete(dir);
		backing->unlistable = error == -EACCES;
		if (error == 0)
			*found = dentry_find(dir, name, length, dentry_hash(name, length));
		if (!backing->unlistable)
			return error;
	}
	int error = look_along(dir, name, length, found);
	return error == -ENOENT ? 0 : error;
}

static struct inode_origin hostfs_origin(const struct inode *inode)
{
	const struct backing *backing = inode->backing;
	return (struct inode_origin){.handle = backing->handle, .mode = backing->mode};
}

static void hostfs_destroy(struct inode *inode)
{
	struct backing *backing = inode->backing;
	host_guess_forget(inode);
	if (LINUX_S_ISLNK(inode->mode))
		kfree((void *)inode->target);
	host_contents_free(&backing->contents);
	list_remove(&backing->unused);
	for (struct absent *at = backing->absent, *next; at; at = next) {
		next = at->next;
		kfree(at);
	}
	kfree(backing);
}

static const struct inode_ops hostfs_ops = {
	.lookup = hostfs_lookup,
	.populate = hostfs_populate,
	.load = hostfs_load,
	.map = host_contents_map,
	.resident = host_contents_resident,
	.open = hostfs_open,
	.permission = hostfs_permission,
	.origin = hostfs_origin,
	.destroy = hostfs_destroy,
};

int hostfs_mount(struct mount *mount, uint32_t handle, bool times)
{
	has_times = times;
	struct backing root = {.handle = handle};
	if (!buffer) {
		request = host_request_init();
		buffer = kmalloc(HOST_FILE_LIST_BYTES);
	}
	if (!request || !buffer)
		return -ENOMEM;
	request->name[0] = 0;
	int64_t count = look_up_names(&root, false);
	int error = count < 0 ? (int)count
	                      : make_host_inode(mount, NULL, (void *)buffer, NULL, mount->next_ino++, &mount->root);
	if (!error)
		note_used(mount->root);
	return error;
}
