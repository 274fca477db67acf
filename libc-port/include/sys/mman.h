/* SPDX-License-Identifier: MIT */
/* Memory mapping with Linux's numbers (mmap(2)). */
#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H

#include <sys/cdefs.h>
#include <sys/types.h>

__BEGIN_DECLS

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4

#define MAP_SHARED 0x01
#define MAP_PRIVATE 0x02
#define MAP_SHARED_VALIDATE 0x03
#define MAP_TYPE 0x0f
#define MAP_FIXED 0x10
#define MAP_ANONYMOUS 0x20
#define MAP_ANON MAP_ANONYMOUS
#define MAP_32BIT 0x40
#define MAP_GROWSDOWN 0x0100
#define MAP_DENYWRITE 0x0800
#define MAP_EXECUTABLE 0x1000
#define MAP_LOCKED 0x2000
#define MAP_NORESERVE 0x4000
#define MAP_POPULATE 0x8000
#define MAP_NONBLOCK 0x10000
#define MAP_STACK 0x20000
#define MAP_HUGETLB 0x40000
#define MAP_SYNC 0x80000
#define MAP_FIXED_NOREPLACE 0x100000
#define MAP_FILE 0
#define MAP_FAILED ((void *)-1)

#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4

#define MCL_CURRENT 1
#define MCL_FUTURE 2
#define MCL_ONFAULT 4

#define MLOCK_ONFAULT 1

#define MREMAP_MAYMOVE 1
#define MREMAP_FIXED 2
#define MREMAP_DONTUNMAP 4

#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
#define MADV_FREE 8
#define MADV_REMOVE 9
#define MADV_DONTFORK 10
#define MADV_DOFORK 11
#define MADV_MERGEABLE 12
#define MADV_UNMERGEABLE 13
#define MADV_HUGEPAGE 14
#define MADV_NOHUGEPAGE 15
#define MADV_DONTDUMP 16
#define MADV_DODUMP 17
#define MADV_WIPEONFORK 18
#define MADV_KEEPONFORK 19
#define MADV_COLD 20
#define MADV_PAGEOUT 21
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#define POSIX_MADV_NORMAL 0
#define POSIX_MADV_RANDOM 1
#define POSIX_MADV_SEQUENTIAL 2
#define POSIX_MADV_WILLNEED 3
#define POSIX_MADV_DONTNEED 4

void *mmap(void *__addr, size_t __length, int __prot, int __flags, int __fd, off_t __offset);
int munmap(void *__addr, size_t __length);
int mprotect(void *__addr, size_t __length, int __prot);
int msync(void *__addr, size_t __length, int __flags);
int mlock(const void *__addr, size_t __length);
int munlock(const void *__addr, size_t __length);
int mlockall(int __flags);
int munlockall(void);
int posix_madvise(void *__addr, size_t __length, int __advice);
int shm_open(const char *__name, int __flags, mode_t __mode);
int shm_unlink(const char *__name);
#if __MISC_VISIBLE
int madvise(void *__addr, size_t __length, int __advice);
int mincore(void *__addr, size_t __length, unsigned char *__vec);
#endif
#if __GNU_VISIBLE
void *mremap(void *__addr, size_t __old, size_t __new, int __flags, ...);
int mlock2(const void *__addr, size_t __length, unsigned __flags);
int memfd_create(const char *__name, unsigned __flags);
#endif

__END_DECLS

#endif
