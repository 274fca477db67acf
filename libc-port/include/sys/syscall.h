/* SPDX-License-Identifier: MIT */
/* Numbers for syscall(2): Linux x86-64's. A call whose number is not of this kernel's fails with ENOSYS. */
#ifndef _SYS_SYSCALL_H
#define _SYS_SYSCALL_H

#define SYS_read 0
#define SYS_write 1
#define SYS_open 2
#define SYS_close 3
#define SYS_mmap 9
#define SYS_mprotect 10
#define SYS_munmap 11
#define SYS_ioctl 16
#define SYS_sched_yield 24
#define SYS_mremap 25
#define SYS_madvise 28
#define SYS_getpid 39
#define SYS_exit 60
#define SYS_fcntl 72
#define SYS_sched_setparam 142
#define SYS_sched_getparam 143
#define SYS_sched_setscheduler 144
#define SYS_sched_getscheduler 145
#define SYS_sched_get_priority_max 146
#define SYS_sched_get_priority_min 147
#define SYS_sched_rr_get_interval 148
#define SYS_gettid 186
#define SYS_tkill 200
#define SYS_futex 202
#define SYS_sched_setaffinity 203
#define SYS_sched_getaffinity 204
#define SYS_getdents64 217
#define SYS_set_tid_address 218
#define SYS_clock_gettime 228
#define SYS_exit_group 231
#define SYS_tgkill 234
#define SYS_openat 257
#define SYS_set_robust_list 273
#define SYS_get_robust_list 274
#define SYS_prlimit64 302
#define SYS_getcpu 309
#define SYS_renameat2 316
#define SYS_getrandom 318
#define SYS_memfd_create 319
#define SYS_copy_file_range 326
#define SYS_statx 332

#define __NR_read SYS_read
#define __NR_write SYS_write
#define __NR_close SYS_close
#define __NR_getpid SYS_getpid
#define __NR_gettid SYS_gettid
#define __NR_futex SYS_futex
#define __NR_getdents64 SYS_getdents64
#define __NR_clock_gettime SYS_clock_gettime
#define __NR_getrandom SYS_getrandom
#define __NR_memfd_create SYS_memfd_create
#define __NR_copy_file_range SYS_copy_file_range
#define __NR_statx SYS_statx

#endif
