/* SPDX-License-Identifier: MIT */
/* Walking a file tree (ftw(3), nftw(3)). */
#ifndef _FTW_H
#define _FTW_H

#include <sys/cdefs.h>
#include <sys/stat.h>

__BEGIN_DECLS

#define FTW_F 0
#define FTW_D 1
#define FTW_DNR 2
#define FTW_NS 3
#define FTW_SL 4
#define FTW_DP 5
#define FTW_SLN 6

#define FTW_PHYS 1
#define FTW_MOUNT 2
#define FTW_CHDIR 4
#define FTW_DEPTH 8

struct FTW {
	int base;
	int level;
};

int ftw(const char *__path, int (*__visit)(const char *, const struct stat *, int), int __fds);
int nftw(const char *__path, int (*__visit)(const char *, const struct stat *, int, struct FTW *), int __fds,
         int __flags);

__END_DECLS

#endif
