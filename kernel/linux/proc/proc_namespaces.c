/* SPDX-License-Identifier: MIT */
/* /proc/PID/ns (namespaces(7)): every process is in the first namespace of each kind, with Linux's number. */
#include "kernel/linux/proc/proc_namespaces.h"

#include "abi/errno.h"
#include "kernel/lib/string.h"
#include "kernel/linux/proc/proc.h"
#include "kernel/vfs/file.h"
#include "kernel/vfs/vfs.h"

#define NSFS_MAGIC 0x6e736673
#define KINDS 8

static struct mount mount = {.dev = 4, .magic = NSFS_MAGIC, .read_only = true};

/* Kinds of namespaces, by name and inode number. */
static struct {
	const char *name;
	uint64_t ino;
	struct inode *inode; /* NULL: not opened yet */
} kinds[KINDS] = {
	{"cgroup", 4026531835, NULL}, {"ipc", 4026531839, NULL},  {"mnt", 4026531841, NULL},  {"net", 4026531840, NULL},
	{"pid", 4026531836, NULL},    {"time", 4026531834, NULL}, {"user", 4026531837, NULL}, {"uts", 4026531838, NULL},
};

static const struct file_ops namespace_ops = {0}; /* can be neither read nor written */

static int open_namespace(struct inode *inode, struct file *file)
{
	(void)inode;
	file->ops = &namespace_ops;
	return 0;
}

static const struct inode_ops inode_ops = {.open = open_namespace};

/* The kind that a link is about: "ns/pid_for_children" is about "pid". */
static unsigned kind_of(const struct proc_object *object)
{
	const char *name = object->entry->path + strlen("ns/");
	unsigned kind = 0;
	while (kind < KINDS - 1 && memcmp(name, kinds[kind].name, strlen(kinds[kind].name)))
		kind++;
	return kind;
}

int proc_namespace_text(const struct proc_object *object, struct text *text)
{
	unsigned kind = kind_of(object);
	if (!proc_process(object))
		return -ENOENT;
	text_print(text, "%s:[%lu]", kinds[kind].name, kinds[kind].ino);
	return 0;
}

int proc_namespace_follow(const struct proc_object *object, struct inode **to)
{
	unsigned kind = kind_of(object);
	if (!kinds[kind].inode) {
		mount.next_ino = kinds[kind].ino;
		kinds[kind].inode = inode_create(&mount, LINUX_S_IFREG | 0444);
		if (!kinds[kind].inode)
			return -ENOMEM;
		kinds[kind].inode->nlink = 1;
		kinds[kind].inode->ops = &inode_ops;
	}
	*to = kinds[kind].inode;
	return 0;
}
