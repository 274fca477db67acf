/* SPDX-License-Identifier: MIT */
/* statfs(2), as the kernel fills it in. */
#ifndef _SYS_STATFS_H
#define _SYS_STATFS_H

#include <sys/cdefs.h>
#include <sys/types.h>

__BEGIN_DECLS

typedef struct {
	int __val[2];
} fsid_t;

struct statfs {
	long f_type;
	long f_bsize;
	fsblkcnt_t f_blocks;
	fsblkcnt_t f_bfree;
	fsblkcnt_t f_bavail;
	fsfilcnt_t f_files;
	fsfilcnt_t f_ffree;
	fsid_t f_fsid;
	long f_namelen;
	long f_frsize;
	long f_flags;
	long f_spare[4];
};

int statfs(const char *__path, struct statfs *__buf);
int fstatfs(int __fd, struct statfs *__buf);

__END_DECLS

#endif
