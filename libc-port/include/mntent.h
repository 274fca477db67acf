/* SPDX-License-Identifier: MIT */
/* Files that list mounts (getmntent(3)). */
#ifndef _MNTENT_H
#define _MNTENT_H

#include <stdio.h>

__BEGIN_DECLS

#define MNTTAB "/etc/fstab"
#define MOUNTED "/etc/mtab"
#define MNTTYPE_IGNORE "ignore"
#define MNTTYPE_NFS "nfs"
#define MNTTYPE_SWAP "swap"
#define MNTOPT_DEFAULTS "defaults"
#define MNTOPT_RO "ro"
#define MNTOPT_RW "rw"

struct mntent {
	char *mnt_fsname;
	char *mnt_dir;
	char *mnt_type;
	char *mnt_opts;
	int mnt_freq;
	int mnt_passno;
};

FILE *setmntent(const char *__path, const char *__mode);
struct mntent *getmntent(FILE *__stream);
struct mntent *getmntent_r(FILE *__restrict __stream, struct mntent *__restrict __entry, char *__restrict __buf,
                           int __size);
int endmntent(FILE *__stream);
char *hasmntopt(const struct mntent *__entry, const char *__option);

__END_DECLS

#endif
