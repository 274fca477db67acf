/* SPDX-License-Identifier: MIT */
/* The system calls that the monitor's processes may make after the first instruction of a guest, each with its reason.
 * confine_filter.c generates the seccomp(2) filters from this list only. Any other call ends the run.
 *
 * A line is CALL(role, need, name, check, reason). `role` is the process that makes the call, and `need` the runs that
 * make it (CONFINE_ALWAYS, or a need of struct confine_plan). `check` is the check of its arguments. A new engine adds
 * lines with a need of its own, and names that need in engine_holds. */
#ifndef HYPERVISOR_CONFINE_CALLS_H
#define HYPERVISOR_CONFINE_CALLS_H

/* What each check allows:
 *   ANY        every argument
 *   VALUES     the values of one argument in CONFINE_VALUES
 *   NO_CODE    memory that is not executable (the third argument)
 *   READING    flags of an open that only reads (the third argument)
 *   OWN        a process that is the caller's own (the first argument)
 *   GUESTS     a process group in confine_plan.groups, the guest's process groups (the first argument)
 *   KEEPER     the descriptor that leads to the keeper (the first argument)
 *   SENDING    this descriptor, or one of confine_plan.sockets (the first argument)
 *   NOT_SIGSYS every signal except SIGSYS (the first argument), whose handler reports calls that this list lacks
 *   MISSING    nothing: the call fails with ENOSYS, and its caller uses another call */

/* clang-format off */
#define CONFINE_CALLS(CALL) \
	/* --- the monitor: its threads share memory, so they share this list --- */ \
	CALL(MONITOR, ALWAYS, ioctl, VALUES, "the engine's device, and whether a stream is a terminal") \
	CALL(MONITOR, ALWAYS, read, ANY, "standard input, the cache, answers of the symbolizer") \
	CALL(MONITOR, ALWAYS, pread64, ANY, "the image of a second run, files that are shown to the program, which pages of guest memory are present") \
	CALL(MONITOR, ALWAYS, write, ANY, "messages, the summary, the schedule, files of --out") \
	CALL(MONITOR, ALWAYS, writev, ANY, "the program's output") \
	CALL(MONITOR, ALWAYS, pwrite64, ANY, "requests to the symbolizer, in a memfd; contents of files of --save") \
	CALL(MONITOR, ALWAYS, pwritev, ANY, "recordings") \
	CALL(MONITOR, ALWAYS, poll, ANY, "standard streams that are not ready, answers of the symbolizer") \
	CALL(MONITOR, ALWAYS, lseek, ANY, "the C library's streams, requests to the symbolizer, holes in files of --out") \
	CALL(MONITOR, ALWAYS, close, ANY, "closing descriptors") \
	CALL(MONITOR, ALWAYS, fstat, ANY, "the C library's streams") \
	CALL(MONITOR, ALWAYS, newfstatat, ANY, "whether a file is unchanged; reads attributes only") \
	CALL(MONITOR, ALWAYS, access, ANY, "which KVM the host has, and whether /proc is mounted; in a second run") \
	CALL(MONITOR, ALWAYS, fcntl, VALUES, "flags of streams, the size of pipes, copies of descriptors") \
	CALL(MONITOR, ALWAYS, memfd_create, ANY, "requests to the symbolizer, records for the cache") \
	CALL(MONITOR, ALWAYS, fallocate, ANY, "clears the memory of an earlier guest, on the process engine; space for a large recording") \
	CALL(MONITOR, ALWAYS, ftruncate, ANY, "the size of a memfd, of a further guest's memory, and of files of --out and --save that end in a hole") \
	CALL(MONITOR, ALWAYS, brk, ANY, "the heap") \
	CALL(MONITOR, ALWAYS, mmap, NO_CODE, "the heap, stacks of threads, memory of the guest of a second run") \
	CALL(MONITOR, ALWAYS, mprotect, NO_CODE, "the heap, stacks of threads") \
	CALL(MONITOR, ALWAYS, mremap, ANY, "the heap") \
	CALL(MONITOR, ALWAYS, munmap, ANY, "the heap, and the memory of a run that has ended") \
	CALL(MONITOR, ALWAYS, madvise, ANY, "memory of the guest that is filled ahead, stacks of threads that end") \
	CALL(MONITOR, ALWAYS, futex, ANY, "locks, and the end of a thread") \
	CALL(MONITOR, ALWAYS, clone, VALUES, "threads") \
	CALL(MONITOR, ALWAYS, clone3, MISSING, "threads: a filter cannot read its flags, which are in memory; the C library then uses clone") \
	CALL(MONITOR, ALWAYS, set_robust_list, ANY, "the start of a thread") \
	CALL(MONITOR, ALWAYS, rseq, ANY, "the start of a thread") \
	CALL(MONITOR, ALWAYS, getrusage, ANY, "whether a write of the program's output had to wait, and whether the page cache has pages of 2 MiB") \
	CALL(MONITOR, ALWAYS, sched_getaffinity, ANY, "whether another thread would have a processor") \
	CALL(MONITOR, PROCESS, sched_setaffinity, VALUES, "putting the guest's processes, and the thread that waits for them, on one processor") \
	CALL(MONITOR, ALWAYS, exit, ANY, "the end of a thread") \
	CALL(MONITOR, ALWAYS, exit_group, ANY, "the end") \
	CALL(MONITOR, ALWAYS, wait4, ANY, "the end of the keeper, and of the guest's processes") \
	CALL(MONITOR, ALWAYS, getpid, ANY, "names of unfinished files, abort(3)") \
	CALL(MONITOR, ALWAYS, gettid, ANY, "raise(3), abort(3)") \
	CALL(MONITOR, ALWAYS, tgkill, OWN, "waking the other thread; ending by the signal that ended the run") \
	CALL(MONITOR, ALWAYS, rt_sigaction, NOT_SIGSYS, "ticks and stops") \
	CALL(MONITOR, ALWAYS, rt_sigprocmask, ANY, "the start of a thread; holding signals while --save is applied") \
	CALL(MONITOR, ALWAYS, rt_sigreturn, ANY, "the end of a handler") \
	CALL(MONITOR, ALWAYS, restart_syscall, ANY, "a wait that a signal interrupted; the kernel makes this call itself") \
	CALL(MONITOR, ALWAYS, setitimer, ANY, "ticks, and the limit of --timeout") \
	CALL(MONITOR, ALWAYS, clock_gettime, ANY, "time, where the vDSO has no clock") \
	CALL(MONITOR, ALWAYS, clock_nanosleep, ANY, "the pauses of --jitter") \
	CALL(MONITOR, ALWAYS, gettimeofday, ANY, "time, where the vDSO has no clock") \
	CALL(MONITOR, ALWAYS, time, ANY, "time, where the vDSO has no clock") \
	CALL(MONITOR, ALWAYS, sysinfo, ANY, "qsort(3), which reads the size of memory") \
	CALL(MONITOR, ALWAYS, getrandom, ANY, "the C library's heap") \
	CALL(MONITOR, ALWAYS, sendmsg, SENDING, "requests to the keeper, files for the guest's processes") \
	CALL(MONITOR, ALWAYS, recvmsg, KEEPER, "answers of the keeper") \
	CALL(MONITOR, READ, openat, READING, "the cache, and the image of a second run") \
	CALL(MONITOR, PROCESS, getcpu, ANY, "which processor this thread runs on, if the vDSO does not provide it") \
	CALL(MONITOR, PROCESS, kill, GUESTS, "interrupting and ending the guest's processes") \
	CALL(MONITOR, HOST_FILES, openat2, ANY, "files that are shown to the program, beneath their trees") \
	CALL(MONITOR, HOST_FILES, statx, ANY, "the attributes of a name in an open directory") \
	CALL(MONITOR, HOST_FILES, fstatfs, ANY, "whether a file system may be shown") \
	CALL(MONITOR, HOST_FILES, sync_file_range, ANY, "writing back what others have stored in a file before it is shown") \
	CALL(MONITOR, HOST_FILES, fdatasync, ANY, "the same on an overlay") \
	CALL(MONITOR, HOST_FILES, getdents64, ANY, "folders that are shown to the program") \
	CALL(MONITOR, HOST_FILES, readlinkat, ANY, "symbolic links that are shown to the program") \
	CALL(MONITOR, HOST_FILES, faccessat, ANY, "whether a folder that is shown can be listed") \
	CALL(MONITOR, HOST_FILES, faccessat2, ANY, "whether a folder that is shown can be listed") \
	CALL(MONITOR, HOST_FILES, geteuid, ANY, "whether a folder that is shown can be listed, on older kernels") \
	CALL(MONITOR, HOST_FILES, getegid, ANY, "whether a folder that is shown can be listed, on older kernels") \
	CALL(MONITOR, HOST_FILES, getuid, ANY, "whether a folder that is shown can be listed, on older kernels") \
	CALL(MONITOR, HOST_FILES, getgid, ANY, "whether a folder that is shown can be listed, on older kernels") \
	CALL(MONITOR, OUT, openat, ANY, "files and folders of --out and --save") \
	CALL(MONITOR, OUT, mkdirat, ANY, "folders of --out and --save") \
	CALL(MONITOR, OUT, symlinkat, ANY, "symbolic links of --out and --save") \
	CALL(MONITOR, OUT, linkat, ANY, "naming a complete file of --out or --save") \
	CALL(MONITOR, OUT, renameat, ANY, "replacing an object by a file of --out or --save") \
	CALL(MONITOR, OUT, unlinkat, ANY, "removing half-written objects of --out and --save, objects that a folder replaces, and objects that a program removed") \
	CALL(MONITOR, OUT, umask, ANY, "creating files of --out and --save with exactly their final mode") \
	CALL(MONITOR, NET_OUT, socket, VALUES, "connections and datagrams of the program to the outside") \
	CALL(MONITOR, NET_OUT, connect, ANY, "connections of the program to the outside") \
	CALL(MONITOR, NET, listen, ANY, "a published port, when the program listens there") \
	CALL(MONITOR, NET, accept4, ANY, "connections to a published port") \
	CALL(MONITOR, NET, sendto, ANY, "what the program sends") \
	CALL(MONITOR, NET, recvfrom, ANY, "what the program receives") \
	CALL(MONITOR, NET, shutdown, ANY, "the end of what the program sends, and of a published port") \
	CALL(MONITOR, NET, setsockopt, ANY, "how connections of the program are sent and reset") \
	CALL(MONITOR, NET, getsockopt, ANY, "whether a connection of the program exists") \
	CALL(MONITOR, EVENTS, epoll_ctl, ANY, "waiting for the outside") \
	CALL(MONITOR, EVENTS, epoll_wait, ANY, "waiting for the outside") \
	CALL(MONITOR, EVENTS, epoll_pwait2, ANY, "waiting for the outside") \
	/* --- the keeper: starts the symbolizer, names files that are complete, writes the cache --- */ \
	CALL(KEEPER, ALWAYS, read, ANY, "records for the cache") \
	CALL(KEEPER, ALWAYS, write, ANY, "the cache, and error messages of the C library") \
	CALL(KEEPER, ALWAYS, writev, ANY, "what the loader says that does not find a library of the symbolizer") \
	CALL(KEEPER, ALWAYS, memfd_create, ANY, "a module of a Linux program, for the symbolizer") \
	CALL(KEEPER, ALWAYS, sendfile, ANY, "a module of a Linux program, for the symbolizer") \
	CALL(KEEPER, ALWAYS, pread64, ANY, "the symbolizer and its loader; whether memory was exhausted") \
	CALL(KEEPER, ALWAYS, statx, ANY, "what names the hashes of a host file") \
	CALL(KEEPER, ALWAYS, fstatfs, ANY, "whether times of files tell that they have changed") \
	CALL(KEEPER, ALWAYS, readlinkat, ANY, "whether a device is a disk") \
	CALL(KEEPER, ALWAYS, sync_file_range, ANY, "writing back what others have stored in a file before it is hashed") \
	CALL(KEEPER, ALWAYS, fdatasync, ANY, "the same on an overlay") \
	CALL(KEEPER, ALWAYS, lseek, ANY, "the C library's streams, and the symbolizer") \
	CALL(KEEPER, ALWAYS, close, ANY, "closing descriptors") \
	CALL(KEEPER, ALWAYS, close_range, ANY, "closing descriptors") \
	CALL(KEEPER, ALWAYS, fstat, ANY, "the C library's streams") \
	CALL(KEEPER, ALWAYS, newfstatat, ANY, "attributes of files in the cache") \
	CALL(KEEPER, ALWAYS, access, ANY, "finding the symbolizer, and whether /proc is mounted") \
	CALL(KEEPER, ALWAYS, faccessat, ANY, "the symbolizer's program loader") \
	CALL(KEEPER, ALWAYS, readlink, ANY, "finding the symbolizer") \
	CALL(KEEPER, ALWAYS, getdents64, ANY, "listing the cache") \
	CALL(KEEPER, ALWAYS, openat, ANY, "files of the cache, /dev/null, libraries of the symbolizer") \
	CALL(KEEPER, ALWAYS, mkdir, ANY, "the cache's folder") \
	CALL(KEEPER, ALWAYS, unlink, ANY, "a temporary file outside of the cache") \
	CALL(KEEPER, ALWAYS, renameat, ANY, "naming a complete file") \
	CALL(KEEPER, ALWAYS, linkat, ANY, "naming a complete file") \
	CALL(KEEPER, ALWAYS, unlinkat, ANY, "removing incomplete files, and files for which the cache has no room") \
	CALL(KEEPER, ALWAYS, chmod, ANY, "modes of folders of --out, and of objects of --save") \
	CALL(KEEPER, ALWAYS, fchmod, ANY, "modes of files of --out that have no name yet") \
	CALL(KEEPER, ALWAYS, utimensat, ANY, "time of last use of a file in the cache; times of files of --save") \
	CALL(KEEPER, ALWAYS, flock, ANY, "locking temporary files of the cache") \
	CALL(KEEPER, ALWAYS, fcntl, ANY, "descriptors of the symbolizer") \
	CALL(KEEPER, ALWAYS, ioctl, ANY, "whether the C library's stream is a terminal") \
	CALL(KEEPER, ALWAYS, dup2, ANY, "descriptors of the symbolizer") \
	CALL(KEEPER, ALWAYS, pipe2, ANY, "the symbolizer's answers") \
	CALL(KEEPER, ALWAYS, sendmsg, KEEPER, "answers to the monitor") \
	CALL(KEEPER, ALWAYS, recvmsg, KEEPER, "requests of the monitor") \
	CALL(KEEPER, ALWAYS, brk, ANY, "the heap") \
	CALL(KEEPER, ALWAYS, mmap, ANY, "the heap; code of the symbolizer") \
	CALL(KEEPER, ALWAYS, mprotect, ANY, "the heap; code of the symbolizer") \
	CALL(KEEPER, ALWAYS, mremap, ANY, "the heap") \
	CALL(KEEPER, ALWAYS, munmap, ANY, "the heap") \
	CALL(KEEPER, ALWAYS, madvise, ANY, "the heap") \
	CALL(KEEPER, ALWAYS, futex, ANY, "locks of the C library") \
	CALL(KEEPER, ALWAYS, vfork, ANY, "starting the symbolizer") \
	CALL(KEEPER, ALWAYS, clone, ANY, "starting the symbolizer, if the C library implements vfork(3) by clone") \
	CALL(KEEPER, ALWAYS, execve, ANY, "starting the symbolizer") \
	CALL(KEEPER, ALWAYS, prctl, ANY, "ending the symbolizer with the keeper, and confining it further") \
	CALL(KEEPER, ALWAYS, arch_prctl, ANY, "the start of the symbolizer") \
	CALL(KEEPER, ALWAYS, set_tid_address, ANY, "the start of the symbolizer") \
	CALL(KEEPER, ALWAYS, set_robust_list, ANY, "the start of the symbolizer") \
	CALL(KEEPER, ALWAYS, rseq, ANY, "the start of the symbolizer") \
	CALL(KEEPER, ALWAYS, prlimit64, ANY, "limits of the symbolizer") \
	CALL(KEEPER, ALWAYS, setrlimit, ANY, "limits of the symbolizer") \
	CALL(KEEPER, ALWAYS, alarm, ANY, "the limit of the symbolizer's time") \
	CALL(KEEPER, ALWAYS, seccomp, ANY, "the symbolizer's own filter") \
	CALL(KEEPER, ALWAYS, sysinfo, ANY, "qsort(3), which reads the size of memory") \
	CALL(KEEPER, ALWAYS, getrandom, ANY, "the heap") \
	CALL(KEEPER, ALWAYS, getpid, ANY, "names of temporary files") \
	CALL(KEEPER, ALWAYS, gettid, ANY, "abort(3)") \
	CALL(KEEPER, ALWAYS, getppid, ANY, "whether the keeper still runs") \
	CALL(KEEPER, ALWAYS, tgkill, OWN, "abort(3)") \
	CALL(KEEPER, ALWAYS, kill, ANY, "ending a symbolizer that takes too long") \
	CALL(KEEPER, ALWAYS, wait4, ANY, "the end of the symbolizer") \
	CALL(KEEPER, ALWAYS, rt_sigaction, ANY, "handlers of the symbolizer") \
	CALL(KEEPER, ALWAYS, rt_sigprocmask, ANY, "starting the symbolizer") \
	CALL(KEEPER, ALWAYS, rt_sigreturn, ANY, "the end of a handler") \
	CALL(KEEPER, ALWAYS, clock_gettime, ANY, "time, where the vDSO has no clock") \
	CALL(KEEPER, ALWAYS, time, ANY, "time, where the vDSO has no clock") \
	CALL(KEEPER, ALWAYS, exit, ANY, "the end") \
	CALL(KEEPER, ALWAYS, exit_group, ANY, "the end")

/* VALUE(need, call, argument, value, reason): `argument` counts from 0, and is the same in all lines of a call. */
#define CONFINE_VALUES(VALUE) \
	VALUE(ALWAYS, ioctl, 1, TCGETS, "whether a stream is a terminal: the C library's streams") \
	VALUE(TTY, ioctl, 1, TCSETS, "setting and leaving the terminal's raw mode") \
	VALUE(KVM, ioctl, 1, KVM_RUN, "running the guest") \
	VALUE(KVM_AGAIN, ioctl, 1, KVM_GET_API_VERSION, "setting up a further guest") \
	VALUE(KVM_AGAIN, ioctl, 1, KVM_CREATE_VM, "setting up a further guest") \
	VALUE(KVM_AGAIN, ioctl, 1, KVM_ENABLE_CAP, "setting up a further guest") \
	VALUE(KVM_AGAIN, ioctl, 1, KVM_CREATE_VCPU, "setting up a further guest") \
	VALUE(KVM_AGAIN, ioctl, 1, KVM_GET_VCPU_MMAP_SIZE, "setting up a further guest") \
	VALUE(KVM_AGAIN, ioctl, 1, KVM_GET_SUPPORTED_CPUID, "saying why a guest cannot be set up") \
	VALUE(KVM_AGAIN, ioctl, 1, KVM_SET_CPUID2, "setting up a further guest") \
	VALUE(KVM_AGAIN, ioctl, 1, KVM_SET_XCRS, "setting up a further guest") \
	VALUE(KVM_AGAIN, ioctl, 1, KVM_GET_SREGS, "setting up a further guest") \
	VALUE(KVM_AGAIN, ioctl, 1, KVM_SET_SREGS, "setting up a further guest") \
	VALUE(KVM_AGAIN, ioctl, 1, KVM_SET_MSRS, "setting up a further guest") \
	VALUE(KVM, ioctl, 1, KVM_SET_USER_MEMORY_REGION, "showing memory to a guest") \
	VALUE(KVM, ioctl, 1, KVM_SET_REGS, "setting up a further guest, stepping it, closing its accounts") \
	VALUE(KVM, ioctl, 1, KVM_GET_REGS, "reading a guest's position") \
	VALUE(KVM, ioctl, 1, KVM_GET_VCPU_EVENTS, "whether an exception is pending, before a guest is stepped") \
	VALUE(ALWAYS, fcntl, 1, F_GETFD, "whether a stream is open: the C library's streams") \
	VALUE(ALWAYS, fcntl, 1, F_SETFD, "fdopendir(3)") \
	VALUE(ALWAYS, fcntl, 1, F_GETFL, "whether a stream is written at its end, and the C library's streams") \
	VALUE(ALWAYS, fcntl, 1, F_SETPIPE_SZ, "room for output in a pipe") \
	VALUE(ALWAYS, fcntl, 1, F_DUPFD_CLOEXEC, "a descriptor of the cache, of --out, of a shown file or of the engine's device") \
	VALUE(PROCESS, sched_setaffinity, 0, 0, "the calling thread") \
	VALUE(NET_OUT, socket, 0, AF_INET, "connections and datagrams of IPv4") \
	VALUE(NET_OUT, socket, 0, AF_INET6, "connections and datagrams of IPv6") \
	VALUE(ALWAYS, clone, 0, CONFINE_THREAD, "a thread of this process, as pthread_create(3) makes it")
/* clang-format on */

/** Flags of clone(2) for a thread (glibc's pthread_create.c). */
#define CONFINE_THREAD \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS | \
	 CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)

#endif
