/* SPDX-License-Identifier: MIT */
/* The list of mounts of proc(5): those that every program has, and the trees given to this run. */
#include "kernel/linux/proc/proc_mounts.h"

#include "abi/boot.h"
#include "abi/own_paths.h"
#include "kernel/lib/string.h"
#include "kernel/linux/files/mounts.h"
#include "kernel/vfs/vfs.h"

#define FIRST_ROOT_DEV 21 /* device of the file system that exists before a tree is mounted over it (vfs.c) */
#define TERMINALS_DEV 24

struct mounted {
	const char *source, *root, *at, *type;
	uint64_t dev;
	bool read_only;
};

/* What is mounted at each directory of the guest's own; in /dev, two more. */
#define MOUNTED_proc(at) {"proc", "/", at, "proc", 28, true},
#define MOUNTED_sys(at) {"sysfs", "/", at, "sysfs", 29, true},
#define MOUNTED_dev(at) \
	{"devtmpfs", "/", at, "tmpfs", 22, false}, {"tmpfs", "/", at "/shm", "tmpfs", 27, false}, \
		{"devpts", "/", at "/pts", "devpts", TERMINALS_DEV, false},
#define MOUNTED_out(at) {"tmpfs", "/", at, "tmpfs", 23, false},
#define MOUNTED_tmp(at) {"tmpfs", at, at, "tmpfs", FIRST_ROOT_DEV, false},

static const struct mounted own[] = {
#define OWN_PATH(name, of_host, closed, early) MOUNTED_##name("/" #name)
	OWN_PATH_LIST(OWN_PATH)
#undef OWN_PATH
};

#define OWN_COUNT (sizeof(own) / sizeof(own[0]))

/* All mounts; a mount inside another comes after it. */
#define MOUNTED_MAX (2 + OWN_COUNT + BOOT_HOST_ROOTS_MAX)

static struct mounted all[MOUNTED_MAX];

/* Fills in `all`. Returns the number of mounts. */
static size_t list(void)
{
	const struct mount *root = process_current->files->root->mount;
	size_t count = 0;
	all[count++] = (struct mounted){"eremite", "/", "/", "tmpfs", root->dev, root->read_only};
	for (size_t i = 0; i < OWN_COUNT; i++)
		if (own[i].dev != root->dev)
			all[count++] = own[i];
	if (mounts_home())
		all[count++] = (struct mounted){"tmpfs", mounts_home(), mounts_home(), "tmpfs", FIRST_ROOT_DEV, false};
	for (unsigned i = 0; i < mounts_count(); i++) {
		const struct host_mount mount = mounts_get(i);
		if (mount.path[1])
			all[count++] = (struct mounted){
				"eremite", "/", mount.path, "tmpfs", mount.mount->dev, mount.mount->read_only};
	}
	return count;
}

static bool is_below(const char *path, const char *of)
{
	size_t length = strlen(of);
	return length == 1 || (strlen(path) >= length && !memcmp(path, of, length) && strchr("/", path[length]));
}

/* The mount on which another is mounted: the deepest one, and of several the last. The first mount is its own
 * parent. */
static size_t mount_above(size_t number)
{
	size_t found = 0;
	for (size_t i = 1; i < number; i++)
		if (is_below(all[number].at, all[i].at) && strlen(all[i].at) >= strlen(all[found].at))
			found = i;
	return found;
}

/* Adds a path, with the characters escaped that end a field. */
static void add_escaped_path(const char *path, struct text *text)
{
	for (; *path; path++) {
		if (!strchr(" \t\n\\", *path)) {
			text_add(text, path, 1);
			continue;
		}
		text_add(text, "\\", 1);
		text_octal(text, (unsigned char)*path, 3);
	}
}

int proc_mounts(const struct proc_object *object, struct text *text)
{
	size_t count = list();
	(void)object;
	for (size_t i = 0; i < count; i++) {
		text_print(text, "%s ", all[i].source);
		add_escaped_path(all[i].at, text);
		text_print(text, " %s %s,relatime 0 0\n", all[i].type, all[i].read_only ? "ro" : "rw");
	}
	return 0;
}

int proc_mountinfo(const struct proc_object *object, struct text *text)
{
	size_t count = list();
	(void)object;
	for (size_t i = 0; i < count; i++) {
		const char *rights = all[i].read_only ? "ro" : "rw";
		text_print(text, "%lu %lu 0:%lu %s ", i + 1, mount_above(i) + 1, all[i].dev, all[i].root);
		add_escaped_path(all[i].at, text);
		text_print(text, " %s,relatime - %s %s %s\n", rights, all[i].type, all[i].source, rights);
	}
	return 0;
}
