/* SPDX-License-Identifier: MIT */
/* The names of the guest's own network are not those of the host's: no byte of these files is. */
#include "kernel/linux/files/own_files.h"

#include "abi/errno.h"
#include "kernel/lib/string.h"
#include "kernel/linux/files/mounts.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/namei.h"

#define DEV 30

static struct mount own_mount = {.dev = DEV, .next_ino = 1, .magic = LINUX_TMPFS_MAGIC};

/* 10.0.2.15 is eth0 (net_interface.c), and uname(2) has the name. With a route, 10.0.2.2 is the host's loopback. */
#define HOSTS "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost\n10.0.2.15\teremite\n"
static const char hosts[] = HOSTS, hosts_with_route[] = HOSTS "10.0.2.2\thost.internal\n";
static const char resolver[] = "nameserver 10.0.2.3\n";

static int put_own_file(struct inode *dir, const char *name, const char *text)
{
	struct inode *file = inode_create(&own_mount, LINUX_S_IFREG | 0644);
	if (!file)
		return -ENOMEM;
	file->nlink = 1;
	long written = data_write_unlimited(file, text, strlen(text), 0);
	int error = written < 0 ? (int)written : mounts_over(dir, name, file);
	inode_put(file);
	return error;
}

int own_files_init(bool has_route)
{
	struct inode *dir;
	if (path_find(LINUX_AT_FDCWD, "/etc", PATH_FOLLOW, &dir) < 0 || !LINUX_S_ISDIR(dir->mode))
		return 0;
	int error = put_own_file(dir, "hosts", has_route ? hosts_with_route : hosts);
	return error ? error : put_own_file(dir, "resolv.conf", resolver);
}
