/* SPDX-License-Identifier: MIT */
/* File descriptors: small numbers for open files. The lowest free number is always the next, as POSIX wants. */
#ifndef KERNEL_VFS_FDTABLE_H
#define KERNEL_VFS_FDTABLE_H

#include "kernel/vfs/file.h"

#define FDTABLE_MAX 4096   /* and the hard RLIMIT_NOFILE, as Linux has it (INR_OPEN_MAX) */
#define FDTABLE_LIMIT 1024 /* and the soft one, at first */

struct fdtable {
	struct file *files[FDTABLE_MAX]; /**< with a reference each */
	uint64_t used[FDTABLE_MAX / 64]; /**< with a file, or reserved for one */
	uint64_t cloexec[FDTABLE_MAX / 64];
	uint32_t limit; /**< RLIMIT_NOFILE: numbers handed out are below it */
	uint32_t slots; /**< of Linux programs (kernel/linux/files/fd_slots.h) */
};

/** Makes the table empty, with the limit that processes begin with. */
void fdtable_init(struct fdtable *table);

/** The open file, or NULL; without a reference. */
static inline struct file *fdtable_get(const struct fdtable *table, int fd)
{
	return (unsigned int)fd < FDTABLE_MAX ? table->files[fd] : NULL;
}

/** The lowest free number from min on, or -EMFILE. It stays free until fdtable_install. */
int fdtable_find(const struct fdtable *table, unsigned int min);

/** Keeps a free number from being found while its file is being opened; fdtable_install or fdtable_release follows. */
void fdtable_reserve(struct fdtable *table, int fd);
void fdtable_release(struct fdtable *table, int fd);

/** Whether a number is reserved: it has no file, and is not free. */
bool fdtable_reserved(const struct fdtable *table, int fd);

/** Gives the caller's reference to a free or reserved number. */
void fdtable_install(struct fdtable *table, int fd, struct file *file, bool cloexec);

/** The same without a look at how large Linux's table would be, which fdtable_install takes for Linux programs. */
void fdtable_install_plain(struct fdtable *table, int fd, struct file *file, bool cloexec);

/** Frees a number in use. 0 or -EBADF. */
int fdtable_close(struct fdtable *table, int fd);

/** Close-on-exec. */
bool fdtable_cloexec(const struct fdtable *table, int fd);
void fdtable_set_cloexec(struct fdtable *table, int fd, bool on);

/** Sets RLIMIT_NOFILE of the current process; above FDTABLE_MAX it is FDTABLE_MAX. */
void fdtable_set_limit(unsigned int limit);

/** Closes what is marked close-on-exec, for execve(2). */
void fdtable_exec(struct fdtable *table);

#endif
