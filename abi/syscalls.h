/* SPDX-License-Identifier: MIT */
/* The system calls: Linux x86-64 numbers, names and prototypes (syscalls(2)), in one list.
 *
 * SYSCALL_LIST(X) expands to X(number, name, cost_ns, count, type, name, ...) for each call. Each call advances the
 * virtual clock by cost_ns. The values model a warm Linux call and are part of the determinism contract: changing one
 * changes digests. Numbers from 500 belong to native images (abi/thread.h). The list generates prototypes, the
 * accounted entries kcall_NAME, the names in --summary and the dispatch table. */
#ifndef ABI_SYSCALLS_H
#define ABI_SYSCALLS_H

/* Parameter lists by count, as declarations and as arguments. */
#define SYSCALL_PARAMS_0() void
#define SYSCALL_PARAMS_1(t1, a1) t1 a1
#define SYSCALL_PARAMS_2(t1, a1, t2, a2) t1 a1, t2 a2
#define SYSCALL_PARAMS_3(t1, a1, t2, a2, t3, a3) t1 a1, t2 a2, t3 a3
#define SYSCALL_PARAMS_4(t1, a1, t2, a2, t3, a3, t4, a4) t1 a1, t2 a2, t3 a3, t4 a4
#define SYSCALL_PARAMS_5(t1, a1, t2, a2, t3, a3, t4, a4, t5, a5) t1 a1, t2 a2, t3 a3, t4 a4, t5 a5
#define SYSCALL_PARAMS_6(t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6) t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6
#define SYSCALL_ARGS_0()
#define SYSCALL_ARGS_1(t1, a1) a1
#define SYSCALL_ARGS_2(t1, a1, t2, a2) a1, a2
#define SYSCALL_ARGS_3(t1, a1, t2, a2, t3, a3) a1, a2, a3
#define SYSCALL_ARGS_4(t1, a1, t2, a2, t3, a3, t4, a4) a1, a2, a3, a4
#define SYSCALL_ARGS_5(t1, a1, t2, a2, t3, a3, t4, a4, t5, a5) a1, a2, a3, a4, a5
#define SYSCALL_ARGS_6(t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6) a1, a2, a3, a4, a5, a6

struct linux_clone_args;
struct linux_epoll_event;
struct linux_mmsghdr;
struct linux_msghdr;
struct linux_stat;
struct linux_statx;
struct linux_statfs;
struct linux_pollfd;
struct linux_iovec;
struct linux_timespec;
struct linux_timeval;
struct linux_itimerval;
struct linux_itimerspec;
struct linux_sigaction;
struct linux_sigevent;
struct linux_siginfo;
struct linux_stack;
struct linux_cap_data;
struct linux_cap_header;
struct linux_utsname;
struct linux_rlimit;
struct linux_rusage;
struct linux_sched_attr;
struct race_report;
struct linux_sysinfo;
struct linux_tms;
struct linux_fd_set;
struct linux_utimbuf;
struct thread_start;
struct thread_note;

/* clang-format off */
/* In both kinds of images. */
#define SYSCALL_LIST_COMMON(X) \
	X(0, read, 100, 3, int, fd, void *, buf, unsigned long, count) \
	X(1, write, 100, 3, int, fd, const void *, buf, unsigned long, count) \
	X(2, open, 500, 3, const char *, path, int, flags, unsigned int, mode) \
	X(3, close, 100, 1, int, fd) \
	X(4, stat, 400, 2, const char *, path, struct linux_stat *, st) \
	X(5, fstat, 100, 2, int, fd, struct linux_stat *, st) \
	X(6, lstat, 400, 2, const char *, path, struct linux_stat *, st) \
	X(7, poll, 200, 3, struct linux_pollfd *, fds, unsigned int, nfds, int, timeout_ms) \
	X(8, lseek, 50, 3, int, fd, long, offset, int, whence) \
	X(9, mmap, 500, 6, void *, addr, unsigned long, length, int, prot, int, flags, int, fd, long, offset) \
	X(10, mprotect, 500, 3, void *, addr, unsigned long, length, int, prot) \
	X(11, munmap, 500, 2, void *, addr, unsigned long, length) \
	X(12, brk, 200, 1, void *, addr) \
	X(13, rt_sigaction, 100, 4, int, sig, const struct linux_sigaction *, act, struct linux_sigaction *, old, unsigned long, set_bytes) \
	X(14, rt_sigprocmask, 100, 4, int, how, const unsigned long *, set, unsigned long *, old, unsigned long, set_bytes) \
	X(16, ioctl, 100, 3, int, fd, unsigned long, request, void *, arg) \
	X(17, pread64, 100, 4, int, fd, void *, buf, unsigned long, count, long, offset) \
	X(18, pwrite64, 100, 4, int, fd, const void *, buf, unsigned long, count, long, offset) \
	X(19, readv, 150, 3, int, fd, const struct linux_iovec *, iov, int, count) \
	X(20, writev, 150, 3, int, fd, const struct linux_iovec *, iov, int, count) \
	X(21, access, 400, 2, const char *, path, int, mode) \
	X(22, pipe, 500, 1, int *, fds) \
	X(23, select, 200, 5, int, nfds, struct linux_fd_set *, r, struct linux_fd_set *, w, struct linux_fd_set *, e, struct linux_timeval *, timeout) \
	X(24, sched_yield, 100, 0) \
	X(25, mremap, 500, 5, void *, old_addr, unsigned long, old_length, unsigned long, new_length, int, flags, void *, new_addr) \
	X(26, msync, 200, 3, void *, addr, unsigned long, length, int, flags) \
	X(27, mincore, 200, 3, void *, addr, unsigned long, length, unsigned char *, vector) \
	X(28, madvise, 200, 3, void *, addr, unsigned long, length, int, advice) \
	X(32, dup, 100, 1, int, fd) \
	X(33, dup2, 100, 2, int, fd, int, new_fd) \
	X(34, pause, 100, 0) \
	X(35, nanosleep, 200, 2, const struct linux_timespec *, request, struct linux_timespec *, remain) \
	X(36, getitimer, 100, 2, int, which, struct linux_itimerval *, value) \
	X(37, alarm, 100, 1, unsigned int, seconds) \
	X(38, setitimer, 100, 3, int, which, const struct linux_itimerval *, value, struct linux_itimerval *, old) \
	X(39, getpid, 50, 0) \
	X(40, sendfile, 300, 4, int, out_fd, int, in_fd, long *, offset, unsigned long, count) \
	X(41, socket, 1000, 3, int, family, int, type, int, protocol) \
	X(42, connect, 1000, 3, int, fd, const void *, name, int, bytes) \
	X(43, accept, 1000, 3, int, fd, void *, name, int *, bytes) \
	X(44, sendto, 400, 6, int, fd, const void *, from, unsigned long, bytes, int, flags, const void *, name, int, name_bytes) \
	X(45, recvfrom, 400, 6, int, fd, void *, to, unsigned long, bytes, int, flags, void *, name, int *, name_bytes) \
	X(46, sendmsg, 500, 3, int, fd, const struct linux_msghdr *, message, int, flags) \
	X(47, recvmsg, 500, 3, int, fd, struct linux_msghdr *, message, int, flags) \
	X(48, shutdown, 200, 2, int, fd, int, how) \
	X(49, bind, 500, 3, int, fd, const void *, name, int, bytes) \
	X(50, listen, 200, 2, int, fd, int, backlog) \
	X(51, getsockname, 100, 3, int, fd, void *, name, int *, bytes) \
	X(52, getpeername, 100, 3, int, fd, void *, name, int *, bytes) \
	X(53, socketpair, 2000, 4, int, family, int, type, int, protocol, int *, fds) \
	X(54, setsockopt, 100, 5, int, fd, int, level, int, option, const void *, value, int, bytes) \
	X(55, getsockopt, 100, 5, int, fd, int, level, int, option, void *, value, int *, bytes) \
	X(57, fork, 100, 0) \
	X(58, vfork, 100, 0) \
	X(59, execve, 100, 3, const char *, path, char *const *, argv, char *const *, envp) \
	X(60, exit, 100, 1, int, status) \
	X(61, wait4, 100, 4, int, pid, int *, status, int, options, struct linux_rusage *, usage) \
	X(62, kill, 200, 2, int, pid, int, sig) \
	X(63, uname, 100, 1, struct linux_utsname *, name) \
	X(72, fcntl, 100, 3, int, fd, int, command, unsigned long, arg) \
	X(73, flock, 100, 2, int, fd, int, operation) \
	X(74, fsync, 100, 1, int, fd) \
	X(75, fdatasync, 100, 1, int, fd) \
	X(76, truncate, 500, 2, const char *, path, long, length) \
	X(77, ftruncate, 200, 2, int, fd, long, length) \
	X(79, getcwd, 200, 2, char *, buf, unsigned long, size) \
	X(80, chdir, 400, 1, const char *, path) \
	X(81, fchdir, 100, 1, int, fd) \
	X(82, rename, 800, 2, const char *, from, const char *, to) \
	X(83, mkdir, 800, 2, const char *, path, unsigned int, mode) \
	X(84, rmdir, 800, 1, const char *, path) \
	X(85, creat, 500, 2, const char *, path, unsigned int, mode) \
	X(86, link, 800, 2, const char *, from, const char *, to) \
	X(87, unlink, 800, 1, const char *, path) \
	X(88, symlink, 800, 2, const char *, target, const char *, path) \
	X(89, readlink, 400, 3, const char *, path, char *, buf, int, size) \
	X(90, chmod, 400, 2, const char *, path, unsigned int, mode) \
	X(91, fchmod, 100, 2, int, fd, unsigned int, mode) \
	X(92, chown, 400, 3, const char *, path, unsigned int, uid, unsigned int, gid) \
	X(93, fchown, 100, 3, int, fd, unsigned int, uid, unsigned int, gid) \
	X(94, lchown, 400, 3, const char *, path, unsigned int, uid, unsigned int, gid) \
	X(95, umask, 50, 1, unsigned int, mask) \
	X(96, gettimeofday, 50, 2, struct linux_timeval *, now, void *, zone) \
	X(97, getrlimit, 50, 2, int, resource, struct linux_rlimit *, limit) \
	X(98, getrusage, 100, 2, int, who, struct linux_rusage *, usage) \
	X(99, sysinfo, 100, 1, struct linux_sysinfo *, info) \
	X(100, times, 50, 1, struct linux_tms *, buf) \
	X(102, getuid, 50, 0) \
	X(104, getgid, 50, 0) \
	X(107, geteuid, 50, 0) \
	X(108, getegid, 50, 0) \
	X(109, setpgid, 50, 2, int, pid, int, pgid) \
	X(110, getppid, 50, 0) \
	X(111, getpgrp, 50, 0) \
	X(112, setsid, 50, 0) \
	X(121, getpgid, 50, 1, int, pid) \
	X(124, getsid, 50, 1, int, pid) \
	X(127, rt_sigpending, 100, 2, unsigned long *, set, unsigned long, set_bytes) \
	X(128, rt_sigtimedwait, 200, 4, const unsigned long *, set, struct linux_siginfo *, info, const struct linux_timespec *, timeout, unsigned long, set_bytes) \
	X(129, rt_sigqueueinfo, 200, 3, int, pid, int, sig, const struct linux_siginfo *, info) \
	X(130, rt_sigsuspend, 200, 2, const unsigned long *, set, unsigned long, set_bytes) \
	X(131, sigaltstack, 100, 2, const struct linux_stack *, stack, struct linux_stack *, old) \
	X(132, utime, 400, 2, const char *, path, const struct linux_utimbuf *, times) \
	X(133, mknod, 800, 3, const char *, path, unsigned int, mode, unsigned int, number) \
	X(137, statfs, 400, 2, const char *, path, struct linux_statfs *, buf) \
	X(138, fstatfs, 100, 2, int, fd, struct linux_statfs *, buf) \
	X(142, sched_setparam, 100, 2, int, tid, const int *, priority) \
	X(143, sched_getparam, 50, 2, int, tid, int *, priority) \
	X(144, sched_setscheduler, 100, 3, int, tid, int, policy, const int *, priority) \
	X(145, sched_getscheduler, 50, 1, int, tid) \
	X(146, sched_get_priority_max, 50, 1, int, policy) \
	X(147, sched_get_priority_min, 50, 1, int, policy) \
	X(148, sched_rr_get_interval, 100, 2, int, tid, struct linux_timespec *, interval) \
	X(149, mlock, 200, 2, const void *, addr, unsigned long, length) \
	X(150, munlock, 200, 2, const void *, addr, unsigned long, length) \
	X(151, mlockall, 200, 1, int, flags) \
	X(152, munlockall, 200, 0) \
	X(160, setrlimit, 50, 2, int, resource, const struct linux_rlimit *, limit) \
	X(162, sync, 100, 0) \
	X(186, gettid, 50, 0) \
	X(187, readahead, 100, 3, int, fd, long, offset, unsigned long, count) \
	X(188, setxattr, 400, 5, const char *, path, const char *, name, const void *, value, unsigned long, size, int, flags) \
	X(189, lsetxattr, 400, 5, const char *, path, const char *, name, const void *, value, unsigned long, size, int, flags) \
	X(190, fsetxattr, 400, 5, int, fd, const char *, name, const void *, value, unsigned long, size, int, flags) \
	X(191, getxattr, 400, 4, const char *, path, const char *, name, void *, value, unsigned long, size) \
	X(192, lgetxattr, 400, 4, const char *, path, const char *, name, void *, value, unsigned long, size) \
	X(193, fgetxattr, 400, 4, int, fd, const char *, name, void *, value, unsigned long, size) \
	X(194, listxattr, 400, 3, const char *, path, char *, list, unsigned long, size) \
	X(195, llistxattr, 400, 3, const char *, path, char *, list, unsigned long, size) \
	X(196, flistxattr, 400, 3, int, fd, char *, list, unsigned long, size) \
	X(197, removexattr, 400, 2, const char *, path, const char *, name) \
	X(198, lremovexattr, 400, 2, const char *, path, const char *, name) \
	X(199, fremovexattr, 400, 2, int, fd, const char *, name) \
	X(200, tkill, 200, 2, int, tid, int, sig) \
	X(201, time, 50, 1, long *, now) \
	X(202, futex, 100, 6, unsigned int *, word, int, op, unsigned int, value, const struct linux_timespec *, timeout, unsigned int *, word2, unsigned int, value3) \
	X(203, sched_setaffinity, 100, 3, int, tid, unsigned long, bytes, const unsigned long *, mask) \
	X(204, sched_getaffinity, 100, 3, int, tid, unsigned long, bytes, unsigned long *, mask) \
	X(213, epoll_create, 500, 1, int, size) \
	X(217, getdents64, 300, 3, int, fd, void *, buf, unsigned int, bytes) \
	X(218, set_tid_address, 50, 1, unsigned int *, tid) \
	X(221, fadvise64, 50, 4, int, fd, long, offset, long, length, int, advice) \
	X(222, timer_create, 200, 3, int, clock, const struct linux_sigevent *, event, int *, id) \
	X(223, timer_settime, 200, 4, int, id, int, flags, const struct linux_itimerspec *, value, struct linux_itimerspec *, old) \
	X(224, timer_gettime, 100, 2, int, id, struct linux_itimerspec *, value) \
	X(225, timer_getoverrun, 50, 1, int, id) \
	X(226, timer_delete, 100, 1, int, id) \
	X(228, clock_gettime, 50, 2, int, clock, struct linux_timespec *, now) \
	X(229, clock_getres, 50, 2, int, clock, struct linux_timespec *, resolution) \
	X(230, clock_nanosleep, 200, 4, int, clock, int, flags, const struct linux_timespec *, request, struct linux_timespec *, remain) \
	X(231, exit_group, 100, 1, int, status) \
	X(232, epoll_wait, 200, 4, int, fd, struct linux_epoll_event *, events, int, max, int, timeout_ms) \
	X(233, epoll_ctl, 200, 4, int, epoll_fd, int, operation, int, fd, const struct linux_epoll_event *, event) \
	X(234, tgkill, 200, 3, int, tgid, int, tid, int, sig) \
	X(235, utimes, 400, 2, const char *, path, const struct linux_timeval *, times) \
	X(257, openat, 500, 4, int, dirfd, const char *, path, int, flags, unsigned int, mode) \
	X(258, mkdirat, 800, 3, int, dirfd, const char *, path, unsigned int, mode) \
	X(259, mknodat, 800, 4, int, dirfd, const char *, path, unsigned int, mode, unsigned int, number) \
	X(260, fchownat, 400, 5, int, dirfd, const char *, path, unsigned int, uid, unsigned int, gid, int, flags) \
	X(261, futimesat, 400, 3, int, dirfd, const char *, path, const struct linux_timeval *, times) \
	X(262, newfstatat, 400, 4, int, dirfd, const char *, path, struct linux_stat *, st, int, flags) \
	X(263, unlinkat, 800, 3, int, dirfd, const char *, path, int, flags) \
	X(264, renameat, 800, 4, int, from_fd, const char *, from, int, to_fd, const char *, to) \
	X(265, linkat, 800, 5, int, from_fd, const char *, from, int, to_fd, const char *, to, int, flags) \
	X(266, symlinkat, 800, 3, const char *, target, int, dirfd, const char *, path) \
	X(267, readlinkat, 400, 4, int, dirfd, const char *, path, char *, buf, int, size) \
	X(268, fchmodat, 400, 3, int, dirfd, const char *, path, unsigned int, mode) \
	X(269, faccessat, 400, 3, int, dirfd, const char *, path, int, mode) \
	X(270, pselect6, 200, 6, int, nfds, struct linux_fd_set *, r, struct linux_fd_set *, w, struct linux_fd_set *, e, const struct linux_timespec *, timeout, const void *, sigmask) \
	X(271, ppoll, 200, 5, struct linux_pollfd *, fds, unsigned int, nfds, const struct linux_timespec *, timeout, const unsigned long *, sigmask, unsigned long, set_bytes) \
	X(273, set_robust_list, 50, 2, void *, head, unsigned long, bytes) \
	X(274, get_robust_list, 50, 3, int, tid, void **, head, unsigned long *, bytes) \
	X(277, sync_file_range, 100, 4, int, fd, long, offset, long, length, unsigned int, flags) \
	X(280, utimensat, 400, 4, int, dirfd, const char *, path, const struct linux_timespec *, times, int, flags) \
	X(281, epoll_pwait, 200, 6, int, fd, struct linux_epoll_event *, events, int, max, int, timeout_ms, const unsigned long *, mask, unsigned long, set_bytes) \
	X(285, fallocate, 500, 4, int, fd, int, mode, long, offset, long, length) \
	X(288, accept4, 1000, 4, int, fd, void *, name, int *, bytes, int, flags) \
	X(291, epoll_create1, 500, 1, int, flags) \
	X(292, dup3, 100, 3, int, fd, int, new_fd, int, flags) \
	X(293, pipe2, 500, 2, int *, fds, int, flags) \
	X(295, preadv, 150, 5, int, fd, const struct linux_iovec *, iov, unsigned long, count, long, offset, long, high) \
	X(296, pwritev, 150, 5, int, fd, const struct linux_iovec *, iov, unsigned long, count, long, offset, long, high) \
	X(297, rt_tgsigqueueinfo, 200, 4, int, tgid, int, tid, int, sig, const struct linux_siginfo *, info) \
	X(299, recvmmsg, 500, 5, int, fd, struct linux_mmsghdr *, messages, unsigned int, count, int, flags, struct linux_timespec *, timeout) \
	X(302, prlimit64, 50, 4, int, pid, int, resource, const struct linux_rlimit *, limit, struct linux_rlimit *, old) \
	X(306, syncfs, 100, 1, int, fd) \
	X(307, sendmmsg, 500, 4, int, fd, struct linux_mmsghdr *, messages, unsigned int, count, int, flags) \
	X(309, getcpu, 50, 3, unsigned int *, processor, unsigned int *, node, void *, unused) \
	X(316, renameat2, 800, 5, int, from_fd, const char *, from, int, to_fd, const char *, to, unsigned int, flags) \
	X(318, getrandom, 300, 3, void *, buf, unsigned long, count, unsigned int, flags) \
	X(322, execveat, 100, 5, int, dirfd, const char *, path, char *const *, argv, char *const *, envp, int, flags) \
	X(325, mlock2, 200, 3, const void *, addr, unsigned long, length, int, flags) \
	X(326, copy_file_range, 300, 6, int, in_fd, long *, in_offset, int, out_fd, long *, out_offset, unsigned long, count, unsigned int, flags) \
	X(327, preadv2, 150, 6, int, fd, const struct linux_iovec *, iov, unsigned long, count, long, offset, long, high, int, flags) \
	X(328, pwritev2, 150, 6, int, fd, const struct linux_iovec *, iov, unsigned long, count, long, offset, long, high, int, flags) \
	X(332, statx, 400, 5, int, dirfd, const char *, path, int, flags, unsigned int, mask, struct linux_statx *, st) \
	X(436, close_range, 200, 3, unsigned int, first, unsigned int, last, unsigned int, flags) \
	X(439, faccessat2, 400, 4, int, dirfd, const char *, path, int, mode, int, flags) \
	X(441, epoll_pwait2, 200, 6, int, fd, struct linux_epoll_event *, events, int, max, const struct linux_timespec *, timeout, const unsigned long *, mask, unsigned long, set_bytes) \
	X(452, fchmodat2, 400, 4, int, dirfd, const char *, path, unsigned int, mode, int, flags)

/* Only in native images. */
#define SYSCALL_LIST_NATIVE(X) \
	X(500, thread_create, 2000, 1, const struct thread_start *, start) \
	X(501, thread_note, 50, 1, const struct thread_note *, note) \
	X(502, condition_wait, 100, 4, unsigned int *, word, unsigned int *, lock, int, clock, const struct linux_timespec *, deadline)

/* Only for Linux programs. */
#define SYSCALL_LIST_LINUX(X) \
	X(15, rt_sigreturn, 100, 0) \
	X(29, shmget, 1000, 3, int, key, unsigned long, bytes, int, flags) \
	X(30, shmat, 1000, 3, int, id, const void *, at, int, flags) \
	X(31, shmctl, 300, 3, int, id, int, command, void *, argument) \
	X(64, semget, 500, 3, int, key, int, count, int, flags) \
	X(65, semop, 200, 3, int, id, void *, operations, unsigned long, count) \
	X(66, semctl, 300, 4, int, id, int, number, int, command, unsigned long, argument) \
	X(67, shmdt, 1000, 1, const void *, at) \
	X(68, msgget, 500, 2, int, key, int, flags) \
	X(69, msgsnd, 500, 4, int, id, const void *, message, unsigned long, bytes, int, flags) \
	X(70, msgrcv, 500, 5, int, id, void *, message, unsigned long, bytes, long, type, int, flags) \
	X(71, msgctl, 300, 3, int, id, int, command, void *, argument) \
	X(56, clone, 2000, 5, unsigned long, flags, void *, stack, unsigned int *, parent_tid, unsigned int *, child_tid, unsigned long, tls) \
	X(78, getdents, 300, 3, int, fd, void *, entries, unsigned int, bytes) \
	X(103, syslog, 300, 3, int, action, char *, buf, int, length) \
	X(101, ptrace, 500, 4, long, request, long, tid, unsigned long, address, unsigned long, data) \
	X(105, setuid, 200, 1, unsigned int, user) \
	X(106, setgid, 200, 1, unsigned int, group) \
	X(113, setreuid, 200, 2, unsigned int, real, unsigned int, effective) \
	X(114, setregid, 200, 2, unsigned int, real, unsigned int, effective) \
	X(115, getgroups, 100, 2, int, count, unsigned int *, groups) \
	X(116, setgroups, 200, 2, int, count, const unsigned int *, groups) \
	X(117, setresuid, 200, 3, unsigned int, real, unsigned int, effective, unsigned int, saved) \
	X(118, getresuid, 50, 3, unsigned int *, real, unsigned int *, effective, unsigned int *, saved) \
	X(119, setresgid, 200, 3, unsigned int, real, unsigned int, effective, unsigned int, saved) \
	X(120, getresgid, 50, 3, unsigned int *, real, unsigned int *, effective, unsigned int *, saved) \
	X(122, setfsuid, 100, 1, unsigned int, user) \
	X(123, setfsgid, 100, 1, unsigned int, group) \
	X(125, capget, 100, 2, struct linux_cap_header *, header, struct linux_cap_data *, data) \
	X(126, capset, 200, 2, struct linux_cap_header *, header, const struct linux_cap_data *, data) \
	X(135, personality, 50, 1, unsigned int, wanted) \
	X(140, getpriority, 100, 2, int, which, int, who) \
	X(141, setpriority, 200, 3, int, which, int, who, int, nice) \
	X(157, prctl, 50, 5, int, option, unsigned long, arg2, unsigned long, arg3, unsigned long, arg4, unsigned long, arg5) \
	X(158, arch_prctl, 50, 2, int, code, unsigned long, address) \
	X(159, adjtimex, 100, 1, void *, state) \
	X(161, chroot, 400, 1, const char *, path) \
	X(220, semtimedop, 200, 4, int, id, void *, operations, unsigned long, count, const struct linux_timespec *, timeout) \
	X(227, clock_settime, 100, 2, int, clock, const struct linux_timespec *, time) \
	X(247, waitid, 100, 5, int, kind, int, id, struct linux_siginfo *, info, int, options, struct linux_rusage *, usage) \
	X(305, clock_adjtime, 100, 2, int, clock, void *, state) \
	X(251, ioprio_set, 200, 3, int, which, int, who, int, priority) \
	X(252, ioprio_get, 100, 2, int, which, int, who) \
	X(253, inotify_init, 500, 0) \
	X(254, inotify_add_watch, 500, 3, int, fd, const char *, path, unsigned int, mask) \
	X(255, inotify_rm_watch, 200, 2, int, fd, int, number) \
	X(275, splice, 300, 6, int, in_fd, long *, in_offset, int, out_fd, long *, out_offset, unsigned long, bytes, unsigned int, flags) \
	X(276, tee, 300, 4, int, in_fd, int, out_fd, unsigned long, bytes, unsigned int, flags) \
	X(278, vmsplice, 300, 4, int, fd, const struct linux_iovec *, iov, unsigned long, count, unsigned int, flags) \
	X(282, signalfd, 500, 3, int, fd, const unsigned long *, mask, unsigned long, set_bytes) \
	X(283, timerfd_create, 500, 2, int, clock, int, flags) \
	X(284, eventfd, 500, 1, unsigned int, count) \
	X(286, timerfd_settime, 200, 4, int, fd, int, flags, const struct linux_itimerspec *, value, struct linux_itimerspec *, old) \
	X(287, timerfd_gettime, 100, 2, int, fd, struct linux_itimerspec *, value) \
	X(289, signalfd4, 500, 4, int, fd, const unsigned long *, mask, unsigned long, set_bytes, int, flags) \
	X(290, eventfd2, 500, 2, unsigned int, count, int, flags) \
	X(294, inotify_init1, 500, 1, int, flags) \
	X(314, sched_setattr, 100, 3, int, tid, struct linux_sched_attr *, attr, unsigned int, flags) \
	X(315, sched_getattr, 100, 4, int, tid, struct linux_sched_attr *, attr, unsigned int, bytes, unsigned int, flags) \
	X(319, memfd_create, 1000, 2, const char *, name, unsigned int, flags) \
	X(324, membarrier, 100, 3, int, command, unsigned int, flags, int, processor) \
	X(334, rseq, 200, 4, void *, area, unsigned int, bytes, int, flags, unsigned int, signature) \
	X(400, eremite_marker, 50, 1, const char *, name) \
	X(401, eremite_race, 50, 1, const struct race_report *, report) \
	X(424, pidfd_send_signal, 200, 4, int, fd, int, sig, const struct linux_siginfo *, info, unsigned int, flags) \
	X(434, pidfd_open, 500, 2, int, pid, unsigned int, flags) \
	X(435, clone3, 2000, 2, const struct linux_clone_args *, args, unsigned long, bytes) \
/* clang-format on */

#define SYSCALL_LIST(X) SYSCALL_LIST_COMMON(X) SYSCALL_LIST_NATIVE(X) SYSCALL_LIST_LINUX(X)

#endif
