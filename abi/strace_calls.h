/* SPDX-License-Identifier: MIT */
/* The arguments of each system call, by type, in one list: the kernel copies by it what an argument leads to, and
 * eremite run --strace shows it as strace(1) does. Names and numbers are those of abi/linux_calls.h. */
#ifndef ABI_STRACE_CALLS_H
#define ABI_STRACE_CALLS_H

#include "abi/strace.h"

/* What is copied, and when. */
enum strace_capture {
	STRACE_CAPTURE_none,
	STRACE_CAPTURE_string,   /**< a string, when the call begins */
	STRACE_CAPTURE_text,     /**< the beginning of a buffer, when the call begins */
	STRACE_CAPTURE_in,       /**< memory, when the call begins */
	STRACE_CAPTURE_out,      /**< memory, when the call has succeeded */
	STRACE_CAPTURE_both,     /**< at both times */
	STRACE_CAPTURE_failed,   /**< memory, when the call has failed */
	STRACE_CAPTURE_read,     /**< memory, when the call has succeeded: as many bytes as its result says, up to
	                            the size of an element */
	STRACE_CAPTURE_bits,     /**< as many bits as the first argument says, at both times */
	STRACE_CAPTURE_strings,  /**< an array of strings that ends with NULL, when the call begins */
	STRACE_CAPTURE_pointers, /**< an array of pointers that ends with NULL, when the call begins */
	STRACE_CAPTURE_written,  /**< an array of struct iovec and the buffers, when the call begins */
	STRACE_CAPTURE_filled,   /**< the same when the call has succeeded: as many bytes as its result says */
	STRACE_CAPTURE_sent,     /**< a struct msghdr and all it leads to, when the call begins */
	STRACE_CAPTURE_received, /**< the same when the call has succeeded */
	STRACE_CAPTURE_all_sent, /**< an array of struct mmsghdr, in the same ways */
	STRACE_CAPTURE_all_received,
	STRACE_CAPTURE_named, /**< memory when the call has succeeded, whose size is where the next argument leads */
};

/* clang-format off */
/* X(TYPE, what is copied, bytes of an element, distance of the argument with the number of elements; 0: one element). */
#define STRACE_TYPES(X) \
	X(NONE, none, 0, 0) \
	/* numbers */ \
	X(INT, none, 0, 0) X(UINT, none, 0, 0) X(LONG, none, 0, 0) X(SIZE, none, 0, 0) X(HEX, none, 0, 0) \
	X(PTR, none, 0, 0) X(MODE, none, 0, 0) X(DEV, none, 0, 0) X(FD, none, 0, 0) X(DIRFD, none, 0, 0) \
	X(ID, none, 0, 0) X(SIG, none, 0, 0) X(MAP_FD, none, 0, 0) X(MAP_OFFSET, none, 0, 0) X(UNUSED, none, 0, 0) \
	/* names of constants */ \
	X(OPEN, none, 0, 0) X(ACCESS, none, 0, 0) X(AT_FLAGS, none, 0, 0) X(STATX_FLAGS, none, 0, 0) \
	X(STATX_MASK, none, 0, 0) X(WHENCE, none, 0, 0) X(PROT, none, 0, 0) X(MAP_FLAGS, none, 0, 0) \
	X(MREMAP_FLAGS, none, 0, 0) X(MSYNC, none, 0, 0) X(MADVICE, none, 0, 0) X(MLOCKALL, none, 0, 0) \
	X(MLOCK2, none, 0, 0) X(SIG_HOW, none, 0, 0) X(CLONE_FLAGS, none, 0, 0) X(FUTEX_OP, none, 0, 0) \
	X(FUTEX_VALUE, none, 0, 0) X(FUTEX_VALUE3, none, 0, 0) X(DOMAIN, none, 0, 0) X(SOCK_TYPE, none, 0, 0) \
	X(SOCK_PROTOCOL, none, 0, 0) X(MSG_FLAGS, none, 0, 0) X(SHUT, none, 0, 0) X(SOCK_LEVEL, none, 0, 0) \
	X(SOCK_OPTION, none, 0, 0) X(IOCTL, none, 0, 0) X(FCNTL, none, 0, 0) X(FLOCK, none, 0, 0) X(WAIT, none, 0, 0) \
	X(WAIT_KIND, none, 0, 0) X(CLOCK, none, 0, 0) X(TIMER_FLAGS, none, 0, 0) X(ITIMER, none, 0, 0) \
	X(RESOURCE, none, 0, 0) X(RUSAGE_WHO, none, 0, 0) X(EPOLL_OP, none, 0, 0) X(EPOLL_CREATE, none, 0, 0) \
	X(EVENTFD, none, 0, 0) X(TIMERFD, none, 0, 0) X(SIGNALFD, none, 0, 0) X(INOTIFY, none, 0, 0) \
	X(INOTIFY_MASK, none, 0, 0) X(RANDOM, none, 0, 0) X(MEMFD, none, 0, 0) X(MEMBARRIER, none, 0, 0) \
	X(PRCTL, none, 0, 0) X(ARCH_PRCTL, none, 0, 0) X(SCHED, none, 0, 0) X(PRIO, none, 0, 0) X(FADVICE, none, 0, 0) \
	X(FALLOCATE, none, 0, 0) X(RENAME, none, 0, 0) X(CLOSE_RANGE, none, 0, 0) X(XATTR, none, 0, 0) \
	X(SPLICE, none, 0, 0) X(RWF, none, 0, 0) X(SYNC_RANGE, none, 0, 0) X(IPC_FLAGS, none, 0, 0) \
	X(IPC_COMMAND, none, 0, 0) X(IPC_KEY, none, 0, 0) X(SHM_FLAGS, none, 0, 0) X(MSG_IPC_FLAGS, none, 0, 0) \
	X(PERSONALITY, none, 0, 0) X(MOUNT, none, 0, 0) X(UMOUNT, none, 0, 0) X(ACCEPT_FLAGS, none, 0, 0) X(PIPE_FLAGS, none, 0, 0) \
	/* memory that is read */ \
	X(PATH, string, 0, 0) X(STRING, string, 0, 0) X(TEXT, text, 1, 1) X(TEXT_OUT, read, STRACE_TEXT_BYTES, 0) X(LINK, read, 4096, 0) \
	X(ARGV, strings, 0, 0) X(ENVP, pointers, 0, 0) X(IOV, written, 16, 1) X(IOV_OUT, filled, 16, 1) \
	X(MSG, sent, 0, 0) X(MSG_OUT, received, 0, 0) X(MMSG, all_sent, 64, 1) X(MMSG_OUT, all_received, 64, 1) \
	X(NAME, in, 1, 1) X(NAME_OUT, named, 0, 1) X(LENGTH, both, 4, 0) \
	X(OPTION, in, 1, 1) X(OPTION_OUT, named, 0, 1) X(IOCTL_ARG, both, 64, 0) X(FCNTL_ARG, both, 32, 0) \
	X(PRCTL_ARG, both, 16, 0) X(ARCH_PRCTL_ARG, out, 8, 0) X(STAT, out, 144, 0) X(STATX, out, 256, 0) \
	X(STATFS, out, 120, 0) X(TIME, in, 16, 0) X(TIME_OUT, out, 16, 0) X(TIME_LEFT, failed, 16, 0) \
	X(TIME_FUTEX, in, 16, 0) X(TIMEVAL, in, 16, 0) X(TIMEVAL_OUT, out, 16, 0) X(TIMES, in, 32, 0) \
	X(TIMEVALS, in, 32, 0) X(UTIMBUF, in, 16, 0) X(ITIMERVAL, in, 32, 0) X(ITIMERVAL_OUT, out, 32, 0) \
	X(ITIMERSPEC, in, 32, 0) X(ITIMERSPEC_OUT, out, 32, 0) X(SIGSET, in, 8, 0) X(SIGSET_OUT, out, 8, 0) \
	X(SIGACTION, in, 32, 0) X(SIGACTION_OUT, out, 32, 0) X(SIGSTACK, in, 24, 0) X(SIGSTACK_OUT, out, 24, 0) \
	X(SIGINFO, in, 128, 0) X(SIGINFO_OUT, out, 128, 0) X(SIGEVENT, in, 64, 0) X(RLIMIT, in, 16, 0) \
	X(RLIMIT_OUT, out, 16, 0) X(RUSAGE, out, 144, 0) X(UTSNAME, out, 390, 0) X(SYSINFO, out, 112, 0) \
	X(TMS, out, 32, 0) X(POLLFDS, both, 8, 1) X(EPOLL_EVENT, in, 12, 0) X(EPOLL_EVENTS, out, 12, 1) \
	X(FDSET, bits, 0, 0) X(SELECT_TIME, both, 16, 0) X(PSELECT_MASK, in, 16, 0) X(FDS, out, 8, 0) \
	X(STATUS, out, 4, 0) X(INT_OUT, out, 4, 0) X(UINT_OUT, out, 4, 0) X(LONG_OUT, out, 8, 0) X(PTR_OUT, out, 8, 0) \
	X(OFFSET, both, 8, 0) X(PRIORITY, in, 4, 0) X(PRIORITY_OUT, out, 4, 0) X(CPUS, in, 1, -1) \
	X(CPUS_OUT, out, 1, -1) X(GROUPS, in, 4, -1) X(GROUPS_OUT, out, 4, -1) X(DIRENTS, none, 0, 0) \
	X(VECTOR, none, 0, 0) X(CLONE_ARGS, in, 88, 0) X(CHILD_TID, out, 4, 0) X(CAP_HEADER, both, 8, 0) \
	X(CAP_DATA, in, 24, 0) X(CAP_DATA_OUT, out, 24, 0) X(SEMBUFS, in, 6, 1) X(RSEQ, none, 0, 0) \
	X(SIGRETURN, in, 8, 0) X(OPEN_HOW, in, 24, 0) X(MSGBUF, in, 8 + STRACE_TEXT_BYTES, 0) \
	X(MSGBUF_OUT, out, 8 + STRACE_TEXT_BYTES, 0)

/* X(name, types of the arguments). Calls that are not here are shown with six numbers, as strace(1) shows unknown ones. */
#define STRACE_CALL_LIST(X) \
	X(read, FD, TEXT_OUT, SIZE) X(write, FD, TEXT, SIZE) X(open, PATH, OPEN, MODE) X(close, FD) \
	X(stat, PATH, STAT) X(fstat, FD, STAT) X(lstat, PATH, STAT) X(poll, POLLFDS, UINT, INT) \
	X(lseek, FD, LONG, WHENCE) X(mmap, PTR, SIZE, PROT, MAP_FLAGS, MAP_FD, MAP_OFFSET) X(mprotect, PTR, SIZE, PROT) \
	X(munmap, PTR, SIZE) X(brk, PTR) X(rt_sigaction, SIG, SIGACTION, SIGACTION_OUT, SIZE) \
	X(rt_sigprocmask, SIG_HOW, SIGSET, SIGSET_OUT, SIZE) X(rt_sigreturn, SIGRETURN) X(ioctl, FD, IOCTL, IOCTL_ARG) \
	X(pread64, FD, TEXT_OUT, SIZE, LONG) X(pwrite64, FD, TEXT, SIZE, LONG) X(readv, FD, IOV_OUT, INT) \
	X(writev, FD, IOV, INT) X(access, PATH, ACCESS) X(pipe, FDS) \
	X(select, INT, FDSET, FDSET, FDSET, SELECT_TIME) X(sched_yield, UNUSED) \
	X(mremap, PTR, SIZE, SIZE, MREMAP_FLAGS, PTR) X(msync, PTR, SIZE, MSYNC) X(mincore, PTR, SIZE, VECTOR) \
	X(madvise, PTR, SIZE, MADVICE) X(shmget, IPC_KEY, SIZE, IPC_FLAGS) X(shmat, INT, PTR, SHM_FLAGS) \
	X(shmctl, INT, IPC_COMMAND, PTR) X(dup, FD) X(dup2, FD, FD) X(pause, UNUSED) X(nanosleep, TIME, TIME_LEFT) \
	X(getitimer, ITIMER, ITIMERVAL_OUT) X(alarm, UINT) X(setitimer, ITIMER, ITIMERVAL, ITIMERVAL_OUT) \
	X(getpid, UNUSED) X(sendfile, FD, FD, OFFSET, SIZE) X(socket, DOMAIN, SOCK_TYPE, SOCK_PROTOCOL) \
	X(connect, FD, NAME, INT) X(accept, FD, NAME_OUT, LENGTH) X(sendto, FD, TEXT, SIZE, MSG_FLAGS, NAME, INT) \
	X(recvfrom, FD, TEXT_OUT, SIZE, MSG_FLAGS, NAME_OUT, LENGTH) X(sendmsg, FD, MSG, MSG_FLAGS) \
	X(recvmsg, FD, MSG_OUT, MSG_FLAGS) X(shutdown, FD, SHUT) X(bind, FD, NAME, INT) X(listen, FD, INT) \
	X(getsockname, FD, NAME_OUT, LENGTH) X(getpeername, FD, NAME_OUT, LENGTH) \
	X(socketpair, DOMAIN, SOCK_TYPE, SOCK_PROTOCOL, FDS) X(setsockopt, FD, SOCK_LEVEL, SOCK_OPTION, OPTION, INT) \
	X(getsockopt, FD, SOCK_LEVEL, SOCK_OPTION, OPTION_OUT, LENGTH) \
	X(clone, CLONE_FLAGS, PTR, CHILD_TID, CHILD_TID, PTR) X(fork, UNUSED) X(vfork, UNUSED) \
	X(execve, PATH, ARGV, ENVP) X(exit, INT) X(wait4, INT, STATUS, WAIT, RUSAGE) X(kill, INT, SIG) X(uname, UTSNAME) \
	X(semget, IPC_KEY, INT, IPC_FLAGS) X(semop, INT, SEMBUFS, SIZE) X(semctl, INT, INT, IPC_COMMAND, PTR) \
	X(shmdt, PTR) X(msgget, IPC_KEY, IPC_FLAGS) X(msgsnd, INT, MSGBUF, SIZE, MSG_IPC_FLAGS) \
	X(msgrcv, INT, MSGBUF_OUT, SIZE, LONG, MSG_IPC_FLAGS) X(msgctl, INT, IPC_COMMAND, PTR) X(fcntl, FD, FCNTL, FCNTL_ARG) \
	X(flock, FD, FLOCK) X(fsync, FD) X(fdatasync, FD) X(truncate, PATH, LONG) X(ftruncate, FD, LONG) \
	X(getdents, FD, DIRENTS, SIZE) X(getcwd, LINK, SIZE) X(chdir, PATH) X(fchdir, FD) X(rename, PATH, PATH) \
	X(mkdir, PATH, MODE) X(rmdir, PATH) X(creat, PATH, MODE) X(link, PATH, PATH) X(unlink, PATH) \
	X(symlink, PATH, PATH) X(readlink, PATH, LINK, SIZE) X(chmod, PATH, MODE) X(fchmod, FD, MODE) \
	X(chown, PATH, ID, ID) X(fchown, FD, ID, ID) X(lchown, PATH, ID, ID) X(umask, MODE) \
	X(gettimeofday, TIMEVAL_OUT, PTR) X(getrlimit, RESOURCE, RLIMIT_OUT) X(getrusage, RUSAGE_WHO, RUSAGE) \
	X(sysinfo, SYSINFO) X(times, TMS) X(ptrace, LONG, LONG, HEX, HEX) X(getuid, UNUSED) X(syslog, INT, PTR, INT) \
	X(getgid, UNUSED) X(setuid, ID) X(setgid, ID) X(geteuid, UNUSED) X(getegid, UNUSED) X(setpgid, INT, INT) \
	X(getppid, UNUSED) X(getpgrp, UNUSED) X(setsid, UNUSED) X(setreuid, ID, ID) X(setregid, ID, ID) \
	X(getgroups, INT, GROUPS_OUT) X(setgroups, INT, GROUPS) X(setresuid, ID, ID, ID) \
	X(getresuid, UINT_OUT, UINT_OUT, UINT_OUT) X(setresgid, ID, ID, ID) X(getresgid, UINT_OUT, UINT_OUT, UINT_OUT) \
	X(getpgid, INT) X(setfsuid, ID) X(setfsgid, ID) X(getsid, INT) X(capget, CAP_HEADER, CAP_DATA_OUT) \
	X(capset, CAP_HEADER, CAP_DATA) X(rt_sigpending, SIGSET_OUT, SIZE) \
	X(rt_sigtimedwait, SIGSET, SIGINFO_OUT, TIME, SIZE) X(rt_sigqueueinfo, INT, SIG, SIGINFO) \
	X(rt_sigsuspend, SIGSET, SIZE) X(sigaltstack, SIGSTACK, SIGSTACK_OUT) X(utime, PATH, UTIMBUF) \
	X(mknod, PATH, MODE, DEV) X(uselib, PATH) X(personality, PERSONALITY) X(ustat, HEX, PTR) X(statfs, PATH, STATFS) \
	X(fstatfs, FD, STATFS) X(sysfs, INT, HEX, HEX) X(getpriority, PRIO, INT) X(setpriority, PRIO, INT, INT) \
	X(sched_setparam, INT, PRIORITY) X(sched_getparam, INT, PRIORITY_OUT) \
	X(sched_setscheduler, INT, SCHED, PRIORITY) X(sched_getscheduler, INT) X(sched_get_priority_max, SCHED) \
	X(sched_get_priority_min, SCHED) X(sched_rr_get_interval, INT, TIME_OUT) X(mlock, PTR, SIZE) X(munlock, PTR, SIZE) \
	X(mlockall, MLOCKALL) X(munlockall, UNUSED) X(vhangup, UNUSED) X(modify_ldt, INT, PTR, SIZE) \
	X(pivot_root, PATH, PATH) X(prctl, PRCTL, PRCTL_ARG, HEX, HEX, HEX) X(arch_prctl, ARCH_PRCTL, ARCH_PRCTL_ARG) \
	X(adjtimex, PTR) X(setrlimit, RESOURCE, RLIMIT) X(chroot, PATH) X(sync, UNUSED) X(acct, PATH) \
	X(settimeofday, TIMEVAL, PTR) X(mount, PATH, PATH, PATH, MOUNT, STRING) X(umount2, PATH, UMOUNT) X(swapon, PATH, HEX) \
	X(swapoff, PATH) X(sethostname, TEXT, SIZE) X(setdomainname, TEXT, SIZE) X(gettid, UNUSED) \
	X(readahead, FD, LONG, SIZE) X(setxattr, PATH, STRING, TEXT, SIZE, XATTR) X(lsetxattr, PATH, STRING, TEXT, SIZE, XATTR) \
	X(fsetxattr, FD, STRING, TEXT, SIZE, XATTR) X(getxattr, PATH, STRING, TEXT_OUT, SIZE) \
	X(lgetxattr, PATH, STRING, TEXT_OUT, SIZE) X(fgetxattr, FD, STRING, TEXT_OUT, SIZE) X(listxattr, PATH, TEXT_OUT, SIZE) \
	X(llistxattr, PATH, TEXT_OUT, SIZE) X(flistxattr, FD, TEXT_OUT, SIZE) X(removexattr, PATH, STRING) \
	X(lremovexattr, PATH, STRING) X(fremovexattr, FD, STRING) X(tkill, INT, SIG) X(time, LONG_OUT) \
	X(futex, PTR, FUTEX_OP, FUTEX_VALUE, TIME_FUTEX, PTR, FUTEX_VALUE3) X(sched_setaffinity, INT, SIZE, CPUS) \
	X(sched_getaffinity, INT, SIZE, CPUS_OUT) X(io_setup, UINT, PTR) X(io_destroy, HEX) X(epoll_create, INT) \
	X(getdents64, FD, DIRENTS, SIZE) X(set_tid_address, PTR) X(restart_syscall, UNUSED) \
	X(semtimedop, INT, SEMBUFS, SIZE, TIME) X(fadvise64, FD, LONG, SIZE, FADVICE) X(timer_create, CLOCK, SIGEVENT, INT_OUT) \
	X(timer_settime, INT, TIMER_FLAGS, ITIMERSPEC, ITIMERSPEC_OUT) X(timer_gettime, INT, ITIMERSPEC_OUT) \
	X(timer_getoverrun, INT) X(timer_delete, INT) X(clock_settime, CLOCK, TIME) X(clock_gettime, CLOCK, TIME_OUT) \
	X(clock_getres, CLOCK, TIME_OUT) X(clock_nanosleep, CLOCK, TIMER_FLAGS, TIME, TIME_LEFT) X(exit_group, INT) \
	X(epoll_wait, FD, EPOLL_EVENTS, INT, INT) X(epoll_ctl, FD, EPOLL_OP, FD, EPOLL_EVENT) X(tgkill, INT, INT, SIG) \
	X(utimes, PATH, TIMEVALS) X(waitid, WAIT_KIND, INT, SIGINFO_OUT, WAIT, RUSAGE) X(ioprio_set, INT, INT, INT) \
	X(ioprio_get, INT, INT) X(inotify_init, UNUSED) X(inotify_add_watch, FD, PATH, INOTIFY_MASK) \
	X(inotify_rm_watch, FD, INT) X(openat, DIRFD, PATH, OPEN, MODE) X(mkdirat, DIRFD, PATH, MODE) \
	X(mknodat, DIRFD, PATH, MODE, DEV) X(fchownat, DIRFD, PATH, ID, ID, AT_FLAGS) X(futimesat, DIRFD, PATH, TIMEVALS) \
	X(newfstatat, DIRFD, PATH, STAT, AT_FLAGS) X(unlinkat, DIRFD, PATH, AT_FLAGS) \
	X(renameat, DIRFD, PATH, DIRFD, PATH) X(linkat, DIRFD, PATH, DIRFD, PATH, AT_FLAGS) X(symlinkat, PATH, DIRFD, PATH) \
	X(readlinkat, DIRFD, PATH, LINK, SIZE) X(fchmodat, DIRFD, PATH, MODE) X(faccessat, DIRFD, PATH, ACCESS) \
	X(pselect6, INT, FDSET, FDSET, FDSET, SELECT_TIME, PSELECT_MASK) X(ppoll, POLLFDS, UINT, SELECT_TIME, SIGSET, SIZE) \
	X(unshare, CLONE_FLAGS) X(set_robust_list, PTR, SIZE) X(get_robust_list, INT, PTR_OUT, LONG_OUT) \
	X(splice, FD, OFFSET, FD, OFFSET, SIZE, SPLICE) X(tee, FD, FD, SIZE, SPLICE) \
	X(sync_file_range, FD, LONG, LONG, SYNC_RANGE) X(vmsplice, FD, IOV, SIZE, SPLICE) X(utimensat, DIRFD, PATH, TIMES, AT_FLAGS) \
	X(epoll_pwait, FD, EPOLL_EVENTS, INT, INT, SIGSET, SIZE) X(signalfd, FD, SIGSET, SIZE) X(timerfd_create, CLOCK, TIMERFD) \
	X(eventfd, UINT) X(fallocate, FD, FALLOCATE, LONG, LONG) X(timerfd_settime, FD, TIMER_FLAGS, ITIMERSPEC, ITIMERSPEC_OUT) \
	X(timerfd_gettime, FD, ITIMERSPEC_OUT) X(accept4, FD, NAME_OUT, LENGTH, ACCEPT_FLAGS) X(signalfd4, FD, SIGSET, SIZE, SIGNALFD) \
	X(eventfd2, UINT, EVENTFD) X(epoll_create1, EPOLL_CREATE) X(dup3, FD, FD, PIPE_FLAGS) X(pipe2, FDS, PIPE_FLAGS) \
	X(inotify_init1, INOTIFY) X(preadv, FD, IOV_OUT, SIZE, LONG) X(pwritev, FD, IOV, SIZE, LONG) \
	X(rt_tgsigqueueinfo, INT, INT, SIG, SIGINFO) X(perf_event_open, PTR, INT, INT, INT, HEX) \
	X(recvmmsg, FD, MMSG_OUT, UINT, MSG_FLAGS, TIME) X(prlimit64, INT, RESOURCE, RLIMIT, RLIMIT_OUT) X(syncfs, FD) \
	X(sendmmsg, FD, MMSG, UINT, MSG_FLAGS) X(setns, FD, HEX) X(getcpu, UINT_OUT, UINT_OUT, PTR) \
	X(process_vm_readv, INT, PTR, SIZE, PTR, SIZE, HEX) X(process_vm_writev, INT, PTR, SIZE, PTR, SIZE, HEX) \
	X(kcmp, INT, INT, HEX, HEX, HEX) X(sched_setattr, INT, PTR, HEX) X(sched_getattr, INT, PTR, UINT, HEX) \
	X(renameat2, DIRFD, PATH, DIRFD, PATH, RENAME) X(seccomp, INT, HEX, PTR) X(getrandom, TEXT_OUT, SIZE, RANDOM) \
	X(memfd_create, STRING, MEMFD) X(bpf, INT, PTR, UINT) X(execveat, DIRFD, PATH, ARGV, ENVP, AT_FLAGS) \
	X(userfaultfd, PIPE_FLAGS) X(membarrier, MEMBARRIER, HEX, INT) X(mlock2, PTR, SIZE, MLOCK2) \
	X(copy_file_range, FD, OFFSET, FD, OFFSET, SIZE, HEX) X(preadv2, FD, IOV_OUT, SIZE, LONG, UNUSED, RWF) \
	X(pwritev2, FD, IOV, SIZE, LONG, UNUSED, RWF) X(pkey_mprotect, PTR, SIZE, PROT, INT) X(pkey_alloc, HEX, HEX) \
	X(pkey_free, INT) X(statx, DIRFD, PATH, STATX_FLAGS, STATX_MASK, STATX) X(rseq, PTR, HEX, HEX, HEX) \
	X(eremite_marker, STRING) X(eremite_race, PTR) X(pidfd_send_signal, FD, SIG, SIGINFO, HEX) \
	X(io_uring_setup, UINT, PTR) X(pidfd_open, INT, PIPE_FLAGS) X(clone3, CLONE_ARGS, SIZE) \
	X(close_range, FD, FD, CLOSE_RANGE) X(openat2, DIRFD, PATH, OPEN_HOW, SIZE) X(pidfd_getfd, FD, FD, HEX) \
	X(faccessat2, DIRFD, PATH, ACCESS, AT_FLAGS) X(epoll_pwait2, FD, EPOLL_EVENTS, INT, TIME, SIGSET, SIZE) \
	X(landlock_create_ruleset, PTR, SIZE, HEX) X(memfd_secret, HEX) X(cachestat, FD, PTR, PTR, HEX) \
	X(fchmodat2, DIRFD, PATH, MODE, AT_FLAGS) X(mseal, PTR, SIZE, HEX)
/* clang-format on */

#define STRACE_TYPE(TYPE, ...) STRACE_ARG_##TYPE,
/** STRACE_ARG_FD etc. */
enum strace_type { STRACE_TYPES(STRACE_TYPE) STRACE_TYPE_COUNT };
#undef STRACE_TYPE

/** The types of a call's arguments as initializers: {STRACE_ARG_FD, STRACE_ARG_PATH}. */
#define STRACE_LIST_1(a) STRACE_ARG_##a
#define STRACE_LIST_2(a, b) STRACE_ARG_##a, STRACE_ARG_##b
#define STRACE_LIST_3(a, b, c) STRACE_ARG_##a, STRACE_ARG_##b, STRACE_ARG_##c
#define STRACE_LIST_4(a, b, c, d) STRACE_ARG_##a, STRACE_ARG_##b, STRACE_ARG_##c, STRACE_ARG_##d
#define STRACE_LIST_5(a, b, c, d, e) STRACE_ARG_##a, STRACE_ARG_##b, STRACE_ARG_##c, STRACE_ARG_##d, STRACE_ARG_##e
#define STRACE_LIST_6(a, b, c, d, e, f) \
	STRACE_ARG_##a, STRACE_ARG_##b, STRACE_ARG_##c, STRACE_ARG_##d, STRACE_ARG_##e, STRACE_ARG_##f
#define STRACE_LIST_COUNT(_1, _2, _3, _4, _5, _6, list, ...) list
#define STRACE_LIST(...) \
	STRACE_LIST_COUNT(__VA_ARGS__, STRACE_LIST_6, STRACE_LIST_5, STRACE_LIST_4, STRACE_LIST_3, STRACE_LIST_2, \
	                  STRACE_LIST_1) \
	(__VA_ARGS__)

#endif
