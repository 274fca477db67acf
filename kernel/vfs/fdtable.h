/* SPDX-License-Identifier: MIT */
/* File descriptors: small numbers for open files. The lowest free number is always used next, as POSIX requires. A
 * table begins inside its structure, grows to powers of two, and never shrinks, as on Linux. */
#ifndef KERNEL_VFS_FDTABLE_H
#define KERNEL_VFS_FDTABLE_H

#include "kernel/sched/process.h"
#include "kernel/vfs/file.h"

#define FDTABLE_MAX (1 << 20) /* also the hard RLIMIT_NOFILE, and fs.nr_open (Linux, fs/file.c) */
#define FDTABLE_LIMIT 1024    /* the initial soft RLIMIT_NOFILE */
#define FDTABLE_ROOM_MIN 64   /* descriptors in the structure itself (Linux, NR_OPEN_DEFAULT) */

struct fdtable {
	struct file **files; /**< with a reference each */
	uint64_t *used;      /**< one bit for each number with a file, or reserved for one */
	uint64_t *cloexec;
	uint32_t
		room; /**< numbers that the table has room for: FDSize in /proc/PID/status, and the end for select(2) */
	uint32_t next; /**< no number below it is free */
	uint64_t first_used, first_cloexec;
	struct file *first_files[FDTABLE_ROOM_MIN];
};

/** RLIMIT_NOFILE of the running process: new numbers are below it. Processes that share a table each have their own. */
static inline uint32_t fdtable_limit(void)
{
	return (uint32_t)process_current->limits[LINUX_RLIMIT_NOFILE].rlim_cur;
}

/** Makes the table empty. */
void fdtable_init(struct fdtable *table);

/** Makes `table` a copy with a reference to each file, as small as the open descriptors allow. Numbers that another
 * thread has reserved are free. Returns 0 or -ENOMEM. */
int fdtable_copy(struct fdtable *table, const struct fdtable *from);

/** Closes all files and frees the table's memory. */
void fdtable_fini(struct fdtable *table);

/** The open file, or NULL; without a reference. */
static inline struct file *fdtable_get(const struct fdtable *table, int fd)
{
	return (unsigned int)fd < table->room ? table->files[fd] : NULL;
}

/** The lowest free number from min on, -EMFILE or -ENOMEM. The table has room for it, but the number stays free until
 * fdtable_install. */
int fdtable_find(struct fdtable *table, unsigned int min);

/** Gives the table room for a number below its limit. Returns 0 or -ENOMEM. */
int fdtable_reach(struct fdtable *table, unsigned int fd);

/** Reserves a free number while its file is being opened; fdtable_install or fdtable_release follows. */
void fdtable_reserve(struct fdtable *table, int fd);
void fdtable_release(struct fdtable *table, int fd);

/** Whether a number is reserved: it has no file and is not free. */
bool fdtable_reserved(const struct fdtable *table, int fd);

/** Installs a file, with the caller's reference, at a free or reserved number that the table has room for. */
void fdtable_install(struct fdtable *table, int fd, struct file *file, bool cloexec);

/** Frees a number in use. Returns 0 or -EBADF. */
int fdtable_close(struct fdtable *table, int fd);

/** The first number with a file in [fd, end). Without one, the smaller of `end` and the size of the table. */
unsigned int fdtable_first(const struct fdtable *table, unsigned int fd, unsigned int end);

/** Gets and sets close-on-exec of a number that the table has room for. */
bool fdtable_cloexec(const struct fdtable *table, int fd);
void fdtable_set_cloexec(struct fdtable *table, int fd, bool on);

/** Closes the descriptors marked close-on-exec, for execve(2). */
void fdtable_exec(struct fdtable *table);

#endif
