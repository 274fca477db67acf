/* SPDX-License-Identifier: MIT */
/* Over newlib's <unistd.h>: what Linux and POSIX programs expect beyond it. */
#if !defined(EREMITE_UNISTD_H) && !defined(__EREMITE_NO_UNISTD)
#define EREMITE_UNISTD_H

#include_next <unistd.h>

#define _CS_PATH 0
#define _CS_GNU_LIBC_VERSION 2
#define _CS_GNU_LIBPTHREAD_VERSION 3

#define SEEK_DATA 3
#define SEEK_HOLE 4

__BEGIN_DECLS

#ifndef _INTPTR_T_DECLARED
typedef __intptr_t intptr_t;
#define _INTPTR_T_DECLARED
#endif

#if __MISC_VISIBLE
int getpagesize(void);
int getdtablesize(void);
void *sbrk(ptrdiff_t __increment);
int brk(void *__end);
long syscall(long __number, ...);
int sethostname(const char *__name, size_t __size);
int acct(const char *__path);
int initgroups(const char *__user, gid_t __group);
pid_t gettid(void);
int syncfs(int __fd);
int fdatasync(int __fd);
char *get_current_dir_name(void);
int getresuid(uid_t *__ruid, uid_t *__euid, uid_t *__suid);
int getresgid(gid_t *__rgid, gid_t *__egid, gid_t *__sgid);
int setresuid(uid_t __ruid, uid_t __euid, uid_t __suid);
int setresgid(gid_t __rgid, gid_t __egid, gid_t __sgid);
void closefrom(int __first);
#endif
#if __GNU_VISIBLE
#define CLOSE_RANGE_UNSHARE 2U
#define CLOSE_RANGE_CLOEXEC 4U
int close_range(unsigned __first, unsigned __last, int __flags);
int execveat(int __dirfd, const char *__path, char *const __argv[], char *const __envp[], int __flags);
ssize_t copy_file_range(int __in, off_t *__in_offset, int __out, off_t *__out_offset, size_t __size, unsigned __flags);
#endif
int getlogin_r(char *__name, size_t __size);
char *ctermid(char *__buf);
void swab(const void *__restrict __from, void *__restrict __to, ssize_t __bytes);

__END_DECLS

#endif
