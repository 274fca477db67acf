/* SPDX-License-Identifier: MIT */
/* <sys/stat.h> with struct stat as the kernel fills it in: Linux x86-64 (stat(2)). */
#ifndef _SYS_STAT_H
#define _SYS_STAT_H

#include <sys/cdefs.h>
#include <sys/types.h>
#include <time.h>

__BEGIN_DECLS

struct stat {
	dev_t st_dev;
	ino_t st_ino;
	nlink_t st_nlink;
	mode_t st_mode;
	uid_t st_uid;
	gid_t st_gid;
	unsigned int __pad0;
	dev_t st_rdev;
	off_t st_size;
	blksize_t st_blksize;
	blkcnt_t st_blocks;
	struct timespec st_atim;
	struct timespec st_mtim;
	struct timespec st_ctim;
	long __reserved[3];
};

#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec

#define _IFMT 0170000
#define _IFDIR 0040000
#define _IFCHR 0020000
#define _IFBLK 0060000
#define _IFREG 0100000
#define _IFLNK 0120000
#define _IFSOCK 0140000
#define _IFIFO 0010000

#define S_IFMT _IFMT
#define S_IFDIR _IFDIR
#define S_IFCHR _IFCHR
#define S_IFBLK _IFBLK
#define S_IFREG _IFREG
#define S_IFLNK _IFLNK
#define S_IFSOCK _IFSOCK
#define S_IFIFO _IFIFO

#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXU 0700
#define S_IRGRP 0040
#define S_IWGRP 0020
#define S_IXGRP 0010
#define S_IRWXG 0070
#define S_IROTH 0004
#define S_IWOTH 0002
#define S_IXOTH 0001
#define S_IRWXO 0007
#if __BSD_VISIBLE
#define S_IREAD S_IRUSR
#define S_IWRITE S_IWUSR
#define S_IEXEC S_IXUSR
#define S_BLKSIZE 512
#define ACCESSPERMS 0777
#define ALLPERMS 07777
#define DEFFILEMODE 0666
#endif

#define S_ISDIR(m) (((m)&S_IFMT) == S_IFDIR)
#define S_ISCHR(m) (((m)&S_IFMT) == S_IFCHR)
#define S_ISBLK(m) (((m)&S_IFMT) == S_IFBLK)
#define S_ISREG(m) (((m)&S_IFMT) == S_IFREG)
#define S_ISFIFO(m) (((m)&S_IFMT) == S_IFIFO)
#define S_ISLNK(m) (((m)&S_IFMT) == S_IFLNK)
#define S_ISSOCK(m) (((m)&S_IFMT) == S_IFSOCK)

/* Special tv_nsec values of utimensat and futimens. */
#define UTIME_NOW 0x3fffffffL
#define UTIME_OMIT 0x3ffffffeL

int stat(const char *__restrict __path, struct stat *__restrict __buf);
int fstat(int __fd, struct stat *__buf);
int lstat(const char *__restrict __path, struct stat *__restrict __buf);
int fstatat(int __fd, const char *__restrict __path, struct stat *__restrict __buf, int __flags);
int chmod(const char *__path, mode_t __mode);
int fchmod(int __fd, mode_t __mode);
int lchmod(const char *__path, mode_t __mode);
int fchmodat(int __fd, const char *__path, mode_t __mode, int __flags);
mode_t umask(mode_t __mask);
int mkdir(const char *__path, mode_t __mode);
int mkdirat(int __fd, const char *__path, mode_t __mode);
int mkfifo(const char *__path, mode_t __mode);
int mkfifoat(int __fd, const char *__path, mode_t __mode);
int mknod(const char *__path, mode_t __mode, dev_t __dev);
int mknodat(int __fd, const char *__path, mode_t __mode, dev_t __dev);
int futimens(int __fd, const struct timespec __times[2]);
int utimensat(int __fd, const char *__path, const struct timespec __times[2], int __flags);

#ifdef _COMPILING_NEWLIB
int _fstat(int __fd, struct stat *__buf);
int _stat(const char *__restrict __path, struct stat *__restrict __buf);
int _mkdir(const char *__path, mode_t __mode);
#endif

__END_DECLS

#endif
