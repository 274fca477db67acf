/* SPDX-License-Identifier: MIT */
/* Calls on both sides. The kernel's functions are called with six longs, which the x86-64 calling convention allows. */
#define _GNU_SOURCE
#include "tests/unit/fakes/linux_compare.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#undef BLOCK_SIZE /* of <sys/mount.h>; ours is another */

#include "abi/boot.h"
#include "kernel/mm/frame.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/path.h"
#include "kernel/vfs/vfs.h"
#include "tests/unit/fakes/erofs_image.h"

/* clang-format off */
#define COMPARED(X) \
	X(read) X(write) X(open) X(close) X(stat) X(fstat) X(lstat) X(poll) X(lseek) X(ioctl) X(pread64) X(pwrite64) \
	X(readv) X(writev) X(access) X(pipe) X(select) X(dup) X(dup2) X(fcntl) X(flock) X(fsync) X(fdatasync) \
	X(truncate) X(ftruncate) X(getcwd) X(chdir) X(fchdir) X(rename) X(mkdir) X(rmdir) X(creat) X(link) X(unlink) \
	X(symlink) X(readlink) X(chmod) X(fchmod) X(chown) X(fchown) X(lchown) X(umask) X(statfs) X(fstatfs) \
	X(getdents64) X(fadvise64) X(openat) X(mkdirat) X(fchownat) X(newfstatat) X(unlinkat) X(renameat) X(linkat) \
	X(symlinkat) X(readlinkat) X(fchmodat) X(faccessat) X(utimensat) X(fallocate) X(dup3) X(pipe2) X(preadv) \
	X(pwritev) X(mknod) X(mknodat) X(sendfile) X(readahead) X(sync_file_range) X(syncfs) X(preadv2) X(pwritev2) X(close_range) X(fchmodat2) \
	X(utime) X(utimes) X(futimesat) X(renameat2) X(copy_file_range) X(statx) X(faccessat2)
/* clang-format on */

#define NUMBER(number, name, ...) NUMBER_##name = number,
enum { SYSCALL_LIST(NUMBER) };

typedef long (*six)(long, long, long, long, long, long);

static six function_of(long number)
{
	switch (number) {
#define CASE(name) \
	case NUMBER_##name: \
		return (six)(void *)sys_##name;
		COMPARED(CASE)
	default:
		return NULL;
	}
}

long linux_compare_call(enum side side, long number, const long args[6])
{
	if (side == SIDE_KERNEL)
		return function_of(number)(args[0], args[1], args[2], args[3], args[4], args[5]);
	long result = syscall(number, args[0], args[1], args[2], args[3], args[4], args[5]);
	return result < 0 ? -errno : result;
}

const char *linux_compare_errno(long result)
{
	return result < 0 ? strerrorname_np((int)-result) : "";
}

static bool enter_linux_root(const char *tree)
{
	char command[200];
	/* In a mount namespace of our own, over a directory that every Linux has: nothing is left behind. */
	static const char path[] = "/dev/shm";
	/* Other users may do the same in a user namespace, where they may chroot too. */
	if (geteuid() != 0 && unshare(CLONE_NEWUSER) < 0)
		return false;
	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return false;
	int failed = mount("none", path, "tmpfs", 0, "mode=755");
	snprintf(command, sizeof(command), "cp -a %s/. %s", tree ? tree : "", path);
	if (!failed && tree)
		failed = system(command);
	if (!failed)
		failed = chroot(path) || chdir("/");
	return !failed;
}

/* A directory in place of the root, as by chroot(2). */
static bool enter_kernel_root(const uint8_t *image, size_t bytes, const char *directory)
{
	static struct boot_info boot;
	struct inode *inode;
	if (image) {
		boot.root = virt_to_phys(image);
		boot.root_bytes = bytes;
	}
	if (vfs_init(&boot) < 0 || (!image && sys_mkdir(directory, 0755) < 0))
		return false;
	if (path_find(AT_FDCWD, directory, 0, &inode) < 0)
		return false;
	inode->dir.parent = inode; /* getdents64 tells the number of ".." */
	process_current->files->root = inode_get(inode);
	process_current->files->cwd = inode_get(inode);
	return true;
}

bool linux_compare_init(const char *tree)
{
	const uint8_t *image = NULL;
	const char *directory = "/root";
	size_t bytes = 0;
	if (tree) {
		char parent[100];
		directory = strrchr(tree, '/');
		snprintf(parent, sizeof(parent), "%.*s", (int)(directory - tree), tree);
		image = erofs_image_make(parent, "-E force-inode-extended", &bytes);
		if (!image)
			return false;
	}
	if (!enter_linux_root(tree))
		return false;
	closefrom(3);
	umask(022);
	return enter_kernel_root(image, bytes, directory);
}
