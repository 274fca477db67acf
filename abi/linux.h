/* SPDX-License-Identifier: MIT */
/* Structures and constants of the Linux x86-64 system call interface, from the manual pages in section 2.
 *
 * Every name has a linux_ or LINUX_ prefix: host code and newlib's headers use the bare names, partly with other
 * values, in the same translation unit. */
#ifndef ABI_LINUX_H
#define ABI_LINUX_H

#include <stddef.h>
#include <stdint.h>

/* Limits. */
#define LINUX_NAME_MAX 255
#define LINUX_PATH_MAX 4096 /* with the NUL */
#define LINUX_IOV_MAX 1024
#define LINUX_MAX_RW_COUNT 0x7ffff000UL
#define LINUX_PIPE_BUF 4096

/* File types and permissions, inode(7). */
#define LINUX_S_IFMT 0170000
#define LINUX_S_IFSOCK 0140000
#define LINUX_S_IFLNK 0120000
#define LINUX_S_IFREG 0100000
#define LINUX_S_IFBLK 0060000
#define LINUX_S_IFDIR 0040000
#define LINUX_S_IFCHR 0020000
#define LINUX_S_IFIFO 0010000
#define LINUX_S_ISUID 04000
#define LINUX_S_ISGID 02000
#define LINUX_S_ISVTX 01000
#define LINUX_S_IWOTH 0002
#define LINUX_S_IXUGO 0111
#define LINUX_S_IXGRP 0010
#define LINUX_S_ISREG(mode) (((mode)&LINUX_S_IFMT) == LINUX_S_IFREG)
#define LINUX_S_ISDIR(mode) (((mode)&LINUX_S_IFMT) == LINUX_S_IFDIR)
#define LINUX_S_ISLNK(mode) (((mode)&LINUX_S_IFMT) == LINUX_S_IFLNK)
#define LINUX_S_ISCHR(mode) (((mode)&LINUX_S_IFMT) == LINUX_S_IFCHR)
#define LINUX_S_ISFIFO(mode) (((mode)&LINUX_S_IFMT) == LINUX_S_IFIFO)

/* d_type of struct linux_dirent64: the file type shifted. */
#define LINUX_DT_UNKNOWN 0
#define LINUX_DT_FIFO 1
#define LINUX_DT_CHR 2
#define LINUX_DT_DIR 4
#define LINUX_DT_BLK 6
#define LINUX_DT_REG 8
#define LINUX_DT_LNK 10
#define LINUX_DT_SOCK 12

/* open(2). */
#define LINUX_O_ACCMODE 3
#define LINUX_O_RDONLY 0
#define LINUX_O_WRONLY 1
#define LINUX_O_RDWR 2
#define LINUX_O_CREAT 0100
#define LINUX_O_EXCL 0200
#define LINUX_O_NOCTTY 0400
#define LINUX_O_TRUNC 01000
#define LINUX_O_APPEND 02000
#define LINUX_O_NONBLOCK 04000
#define LINUX_O_DSYNC 010000
#define LINUX_O_ASYNC 020000
#define LINUX_O_DIRECT 040000
#define LINUX_O_LARGEFILE 0100000
#define LINUX_O_DIRECTORY 0200000
#define LINUX_O_NOFOLLOW 0400000
#define LINUX_O_NOATIME 01000000
#define LINUX_O_CLOEXEC 02000000
#define LINUX_O_SYNC 04010000
#define LINUX_O_PATH 010000000
#define LINUX_O_KNOWN 037777703 /* flags that open(2) looks at; it ignores the others */
#define LINUX___O_TMPFILE 020000000
#define LINUX_O_TMPFILE (LINUX___O_TMPFILE | LINUX_O_DIRECTORY)

/* The ...at() calls. */
#define LINUX_AT_FDCWD (-100)
#define LINUX_AT_SYMLINK_NOFOLLOW 0x100
#define LINUX_AT_REMOVEDIR 0x200
#define LINUX_AT_EACCESS 0x200
#define LINUX_AT_SYMLINK_FOLLOW 0x400
#define LINUX_AT_NO_AUTOMOUNT 0x800
#define LINUX_AT_EMPTY_PATH 0x1000
#define LINUX_AT_STATX_SYNC_TYPE 0x6000

/* lseek(2), access(2), rename(2), fallocate(2). */
#define LINUX_SEEK_SET 0
#define LINUX_SEEK_CUR 1
#define LINUX_SEEK_END 2
#define LINUX_SEEK_DATA 3
#define LINUX_SEEK_HOLE 4
#define LINUX_R_OK 4
#define LINUX_W_OK 2
#define LINUX_X_OK 1
#define LINUX_F_OK 0
#define LINUX_RENAME_NOREPLACE 1
#define LINUX_RENAME_EXCHANGE 2
#define LINUX_RENAME_WHITEOUT 4
#define LINUX_FALLOC_FL_KEEP_SIZE 1
#define LINUX_FALLOC_FL_PUNCH_HOLE 2

/* readv(2), close_range(2), sync_file_range(2), setxattr(2). */
#define LINUX_RWF_NOWAIT 0x08
#define LINUX_RWF_APPEND 0x10
#define LINUX_RWF_NOAPPEND 0x20
#define LINUX_RWF_ATOMIC 0x40
#define LINUX_RWF_DONTCACHE 0x80
#define LINUX_RWF_NOSIGNAL 0x100
#define LINUX_RWF_ALL 0x1ff
#define LINUX_CLOSE_RANGE_UNSHARE 2U
#define LINUX_CLOSE_RANGE_CLOEXEC 4U
#define LINUX_SYNC_FILE_RANGE_ALL 7U
#define LINUX_XATTR_NAME_MAX 255
#define LINUX_XATTR_SIZE_MAX 65536
#define LINUX_XATTR_CREATE 1
#define LINUX_XATTR_REPLACE 2

/* fcntl(2) and flock(2). */
#define LINUX_F_DUPFD 0
#define LINUX_F_GETFD 1
#define LINUX_F_SETFD 2
#define LINUX_F_GETFL 3
#define LINUX_F_SETFL 4
#define LINUX_F_GETLK 5
#define LINUX_F_SETLK 6
#define LINUX_F_SETLKW 7
#define LINUX_F_SETOWN 8
#define LINUX_F_GETOWN 9
#define LINUX_F_SETSIG 10
#define LINUX_F_GETSIG 11
#define LINUX_F_SETOWN_EX 15
#define LINUX_F_GETOWN_EX 16
#define LINUX_F_OFD_GETLK 36
#define LINUX_F_OFD_SETLK 37
#define LINUX_F_OFD_SETLKW 38
#define LINUX_F_GETLEASE 1025
#define LINUX_F_DUPFD_CLOEXEC 1030
#define LINUX_F_SETPIPE_SZ 1031
#define LINUX_F_GETPIPE_SZ 1032
#define LINUX_FD_CLOEXEC 1
#define LINUX_F_RDLCK 0
#define LINUX_F_WRLCK 1
#define LINUX_F_UNLCK 2
#define LINUX_LOCK_SH 1
#define LINUX_LOCK_EX 2
#define LINUX_LOCK_NB 4
#define LINUX_LOCK_UN 8
#define LINUX_LOCK_MAND 32

/* utimensat(2), statx(2), statfs(2). */
#define LINUX_UTIME_NOW 0x3fffffff
#define LINUX_UTIME_OMIT 0x3ffffffe
#define LINUX_STATX_BASIC_STATS 0x7ffU
#define LINUX_STATX_BTIME 0x800U
#define LINUX_STATX__RESERVED 0x80000000U
#define LINUX_TMPFS_MAGIC 0x01021994
#define LINUX_PIPEFS_MAGIC 0x50495045

/* poll(2). */
#define LINUX_POLLIN 0x001
#define LINUX_POLLPRI 0x002
#define LINUX_POLLOUT 0x004
#define LINUX_POLLERR 0x008
#define LINUX_POLLHUP 0x010
#define LINUX_POLLNVAL 0x020
#define LINUX_POLLRDNORM 0x040
#define LINUX_POLLWRNORM 0x100
#define LINUX_POLLRDBAND 0x80
#define LINUX_POLLWRBAND 0x200

/* ioctl(2), ioctl_tty(2). */
#define LINUX_TCGETS 0x5401
#define LINUX_TCSETS 0x5402
#define LINUX_TCSETSW 0x5403
#define LINUX_TCSETSF 0x5404
#define LINUX_TCGETA 0x5405
#define LINUX_TCSETA 0x5406
#define LINUX_TCSETAW 0x5407
#define LINUX_TCSETAF 0x5408
#define LINUX_TCSBRK 0x5409
#define LINUX_TCXONC 0x540a
#define LINUX_TCFLSH 0x540b
#define LINUX_TIOCEXCL 0x540c
#define LINUX_TIOCNXCL 0x540d
#define LINUX_TIOCSCTTY 0x540e
#define LINUX_TIOCGPGRP 0x540f
#define LINUX_TIOCSPGRP 0x5410
#define LINUX_TIOCOUTQ 0x5411
#define LINUX_TIOCSTI 0x5412
#define LINUX_TIOCGWINSZ 0x5413
#define LINUX_TIOCSWINSZ 0x5414
#define LINUX_TIOCGSOFTCAR 0x5419
#define LINUX_TIOCSSOFTCAR 0x541a
#define LINUX_FIONREAD 0x541b
#define LINUX_TIOCCONS 0x541d
#define LINUX_TIOCPKT 0x5420
#define LINUX_FIONBIO 0x5421
#define LINUX_TIOCNOTTY 0x5422
#define LINUX_TIOCSETD 0x5423
#define LINUX_TIOCGETD 0x5424
#define LINUX_TCSBRKP 0x5425
#define LINUX_TIOCSBRK 0x5427
#define LINUX_TIOCCBRK 0x5428
#define LINUX_TIOCGSID 0x5429
#define LINUX_TCGETS2 0x802c542a
#define LINUX_TCSETS2 0x402c542b
#define LINUX_TCSETSW2 0x402c542c
#define LINUX_TCSETSF2 0x402c542d
#define LINUX_TIOCGPTN 0x80045430
#define LINUX_TIOCSPTLCK 0x40045431
#define LINUX_TIOCGDEV 0x80045432
#define LINUX_TIOCSIG 0x40045436
#define LINUX_TIOCVHANGUP 0x5437
#define LINUX_TIOCGPKT 0x80045438
#define LINUX_TIOCGPTLCK 0x80045439
#define LINUX_TIOCGEXCL 0x80045440
#define LINUX_TIOCGPTPEER 0x5441
#define LINUX_FIONCLEX 0x5450
#define LINUX_FIOCLEX 0x5451
#define LINUX_FIOASYNC 0x5452
#define LINUX_TIOCGLCKTRMIOS 0x5456
#define LINUX_TIOCSLCKTRMIOS 0x5457

struct linux_timespec {
	int64_t tv_sec;
	int64_t tv_nsec;
};

struct linux_timeval {
	int64_t tv_sec;
	int64_t tv_usec;
};

struct linux_utimbuf {
	int64_t actime;
	int64_t modtime;
};

struct linux_itimerval {
	struct linux_timeval it_interval;
	struct linux_timeval it_value;
};

struct linux_itimerspec {
	struct linux_timespec it_interval;
	struct linux_timespec it_value;
};

struct linux_stat {
	uint64_t st_dev;
	uint64_t st_ino;
	uint64_t st_nlink;
	uint32_t st_mode;
	uint32_t st_uid;
	uint32_t st_gid;
	uint32_t pad0;
	uint64_t st_rdev;
	int64_t st_size;
	int64_t st_blksize;
	int64_t st_blocks; /* of 512 bytes */
	struct linux_timespec st_atim;
	struct linux_timespec st_mtim;
	struct linux_timespec st_ctim;
	int64_t unused[3];
};

_Static_assert(sizeof(struct linux_stat) == 144, "struct stat");
_Static_assert(offsetof(struct linux_stat, st_rdev) == 40, "struct stat");
_Static_assert(offsetof(struct linux_stat, st_mtim) == 88, "struct stat");

struct linux_statx_timestamp {
	int64_t tv_sec;
	uint32_t tv_nsec;
	int32_t reserved;
};

struct linux_statx {
	uint32_t stx_mask;
	uint32_t stx_blksize;
	uint64_t stx_attributes;
	uint32_t stx_nlink;
	uint32_t stx_uid;
	uint32_t stx_gid;
	uint16_t stx_mode;
	uint16_t pad0;
	uint64_t stx_ino;
	uint64_t stx_size;
	uint64_t stx_blocks;
	uint64_t stx_attributes_mask;
	struct linux_statx_timestamp stx_atime;
	struct linux_statx_timestamp stx_btime;
	struct linux_statx_timestamp stx_ctime;
	struct linux_statx_timestamp stx_mtime;
	uint32_t stx_rdev_major;
	uint32_t stx_rdev_minor;
	uint32_t stx_dev_major;
	uint32_t stx_dev_minor;
	uint64_t stx_mnt_id;
	uint32_t stx_dio_mem_align;
	uint32_t stx_dio_offset_align;
	uint64_t unused[12];
};

_Static_assert(sizeof(struct linux_statx) == 256, "struct statx");
_Static_assert(offsetof(struct linux_statx, stx_atime) == 64, "struct statx");
_Static_assert(offsetof(struct linux_statx, stx_rdev_major) == 128, "struct statx");

struct linux_statfs {
	int64_t f_type;
	int64_t f_bsize;
	uint64_t f_blocks;
	uint64_t f_bfree;
	uint64_t f_bavail;
	uint64_t f_files;
	uint64_t f_ffree;
	int32_t f_fsid[2];
	int64_t f_namelen;
	int64_t f_frsize;
	int64_t f_flags;
	int64_t f_spare[4];
};

_Static_assert(sizeof(struct linux_statfs) == 120, "struct statfs");

/** One record of getdents64(2); d_name ends with a NUL and the record is padded to 8 bytes. */
struct linux_dirent64 {
	uint64_t d_ino;
	int64_t d_off;
	uint16_t d_reclen;
	uint8_t d_type;
	char d_name[];
};

_Static_assert(offsetof(struct linux_dirent64, d_name) == 19, "struct dirent64");

struct linux_iovec {
	void *iov_base;
	uint64_t iov_len;
};

struct linux_pollfd {
	int32_t fd;
	int16_t events;
	int16_t revents;
};

_Static_assert(sizeof(struct linux_pollfd) == 8, "struct pollfd");

#define LINUX_FD_SETSIZE 1024

struct linux_fd_set {
	uint64_t fds_bits[LINUX_FD_SETSIZE / 64];
};

struct linux_flock {
	int16_t l_type;
	int16_t l_whence;
	int64_t l_start;
	int64_t l_len;
	int32_t l_pid;
};

_Static_assert(sizeof(struct linux_flock) == 32, "struct flock");

struct linux_winsize {
	uint16_t ws_row;
	uint16_t ws_col;
	uint16_t ws_xpixel;
	uint16_t ws_ypixel;
};

/** The structure of TCGETS: the kernel's structure, smaller than the C library's. */
struct linux_termios {
	uint32_t c_iflag;
	uint32_t c_oflag;
	uint32_t c_cflag;
	uint32_t c_lflag;
	uint8_t c_line;
	uint8_t c_cc[19];
};

_Static_assert(sizeof(struct linux_termios) == 36, "struct termios");

/** The structure of TCGETS2. */
struct linux_termios2 {
	struct linux_termios common;
	uint32_t c_ispeed;
	uint32_t c_ospeed;
};

_Static_assert(sizeof(struct linux_termios2) == 44, "struct termios2");

/** The structure of TCGETA: the lower halves of the flags and the first characters. */
struct linux_termio {
	uint16_t c_iflag;
	uint16_t c_oflag;
	uint16_t c_cflag;
	uint16_t c_lflag;
	uint8_t c_line;
	uint8_t c_cc[8];
	uint8_t padding; /* 0 when shown */
};

_Static_assert(sizeof(struct linux_termio) == 18, "struct termio");

struct linux_rlimit {
	uint64_t rlim_cur;
	uint64_t rlim_max;
};

struct linux_rusage {
	struct linux_timeval ru_utime;
	struct linux_timeval ru_stime;
	int64_t ru_maxrss; /* KiB */
	int64_t ru_ixrss;
	int64_t ru_idrss;
	int64_t ru_isrss;
	int64_t ru_minflt;
	int64_t ru_majflt;
	int64_t ru_nswap;
	int64_t ru_inblock;
	int64_t ru_oublock;
	int64_t ru_msgsnd;
	int64_t ru_msgrcv;
	int64_t ru_nsignals;
	int64_t ru_nvcsw;
	int64_t ru_nivcsw;
};

_Static_assert(sizeof(struct linux_rusage) == 144, "struct rusage");

struct linux_sysinfo {
	int64_t uptime;
	uint64_t loads[3];
	uint64_t totalram;
	uint64_t freeram;
	uint64_t sharedram;
	uint64_t bufferram;
	uint64_t totalswap;
	uint64_t freeswap;
	uint16_t procs;
	uint16_t pad;
	uint64_t totalhigh;
	uint64_t freehigh;
	uint32_t mem_unit;
};

_Static_assert(sizeof(struct linux_sysinfo) == 112, "struct sysinfo");
_Static_assert(offsetof(struct linux_sysinfo, mem_unit) == 104, "struct sysinfo");

struct linux_tms {
	int64_t tms_utime;
	int64_t tms_stime;
	int64_t tms_cutime;
	int64_t tms_cstime;
};

struct linux_utsname {
	char sysname[65];
	char nodename[65];
	char release[65];
	char version[65];
	char machine[65];
	char domainname[65];
};

_Static_assert(sizeof(struct linux_utsname) == 390, "struct new_utsname");

/* personality(2) */
#define LINUX_PER_LINUX 0
#define LINUX_PER_LINUX32 8 /* uname(2) says i686 */
#define LINUX_PER_MASK 0xff
#define LINUX_ADDR_NO_RANDOMIZE 0x40000
#define LINUX_FDPIC_FUNCPTRS 0x80000
#define LINUX_ADDR_COMPAT_LAYOUT 0x200000
#define LINUX_READ_IMPLIES_EXEC 0x400000
#define LINUX_ADDR_LIMIT_32BIT 0x800000
#define LINUX_SHORT_INODE 0x1000000
#define LINUX_WHOLE_SECONDS 0x2000000
#define LINUX_ADDR_LIMIT_3GB 0x8000000

/** sched_setattr(2). Later versions append fields. */
struct linux_sched_attr {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period; /**< of SCHED_DEADLINE */
	uint32_t util_min, util_max;        /**< from version 1 on */
};
_Static_assert(sizeof(struct linux_sched_attr) == 56, "SCHED_ATTR_SIZE_VER1");

struct linux_cap_header {
	uint32_t version;
	int32_t pid;
};

/* Bits 0 to 31 of the sets. From version 2 on another such record follows with bits 32 to 63. */
struct linux_cap_data {
	uint32_t effective;
	uint32_t permitted;
	uint32_t inheritable;
};

/** The kernel's struct sigaction, not the C library's. */
struct linux_sigaction {
	void (*handler)(int);
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};

_Static_assert(sizeof(struct linux_sigaction) == 32, "struct sigaction");

struct linux_siginfo {
	int32_t si_signo;
	int32_t si_errno;
	int32_t si_code;
	int32_t pad0;
	union {
		struct {
			int32_t si_pid;
			uint32_t si_uid;
			union {
				int32_t si_status;
				uint64_t si_value;
			};
		};
		struct {
			void *si_addr;
		};
		uint8_t pad[112];
	};
};

_Static_assert(sizeof(struct linux_siginfo) == 128, "siginfo_t");
_Static_assert(offsetof(struct linux_siginfo, si_addr) == 16, "siginfo_t");

struct linux_stack {
	void *ss_sp;
	int32_t ss_flags;
	uint64_t ss_size;
};

_Static_assert(sizeof(struct linux_stack) == 24, "stack_t");

/** clone3(2). */
struct linux_clone_args {
	uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size,
		cgroup;
};

#endif
