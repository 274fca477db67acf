/* SPDX-License-Identifier: MIT */
/* File descriptors: small numbers for open files. The lowest free number is always used next, as POSIX requires. */
#ifndef KERNEL_VFS_FDTABLE_H
#define KERNEL_VFS_FDTABLE_H

#include "kernel/vfs/file.h"

#define FDTABLE_MAX 4096   /* also the hard RLIMIT_NOFILE, the value of Linux (INR_OPEN_MAX) */
#define FDTABLE_LIMIT 1024 /* the initial soft RLIMIT_NOFILE */

struct fdtable {
	struct file *files[FDTABLE_MAX]; /**< with a reference each */
	uint64_t used[FDTABLE_MAX / 64]; /**< one bit for each number with a file, or reserved for one */
	uint64_t cloexec[FDTABLE_MAX / 64];
	uint32_t limit; /**< RLIMIT_NOFILE: new numbers are below it */
	uint32_t slots; /**< Linux programs: size of the table (kernel/linux/files/fd_slots.h) */
};

/** Makes the table empty, with the initial limit of a process. */
void fdtable_init(struct fdtable *table);

/** The open file, or NULL; without a reference. */
static inline struct file *fdtable_get(const struct fdtable *table, int fd)
{
	return (unsigned int)fd < FDTABLE_MAX ? table->files[fd] : NULL;
}

/** The lowest free number from min on, or -EMFILE. The number stays free until fdtable_install. */
int fdtable_find(const struct fdtable *table, unsigned int min);

/** Reserves a free number while its file is being opened; fdtable_install or fdtable_release follows. */
void fdtable_reserve(struct fdtable *table, int fd);
void fdtable_release(struct fdtable *table, int fd);

/** Whether a number is reserved: it has no file and is not free. */
bool fdtable_reserved(const struct fdtable *table, int fd);

/** Installs a file, with the caller's reference, at a free or reserved number. */
void fdtable_install(struct fdtable *table, int fd, struct file *file, bool cloexec);

/** fdtable_install without the personality's additions (kernel/personality.h). */
void fdtable_install_plain(struct fdtable *table, int fd, struct file *file, bool cloexec);

/** Frees a number in use. Returns 0 or -EBADF. */
int fdtable_close(struct fdtable *table, int fd);

/** Gets and sets close-on-exec. */
bool fdtable_cloexec(const struct fdtable *table, int fd);
void fdtable_set_cloexec(struct fdtable *table, int fd, bool on);

/** Closes the descriptors marked close-on-exec, for execve(2). */
void fdtable_exec(struct fdtable *table);

#endif
