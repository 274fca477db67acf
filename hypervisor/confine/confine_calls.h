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
 *   GUESTS     a process group of the guest's, of which confine_plan.groups has them all (the first argument)
 *   KEEPER     the descriptor that leads to the keeper (the first argument)
 *   NOT_SIGSYS every signal but SIGSYS (the first argument), whose handler reports a call that is not here
 *   MISSING    nothing: the call fails with ENOSYS, and its caller does without */

/* clang-format off */
#define CONFINE_CALLS(CALL) \
	/* --- the monitor: all of its threads, which share their memory, and so the list --- */ \
	CALL(MONITOR, ALWAYS, ioctl, VALUES, "the engine's device, and whether a stream is a terminal") \
	CALL(MONITOR, ALWAYS, read, ANY, "standard input, the cache, answers of the symbolizer") \
	CALL(MONITOR, ALWAYS, pread64, ANY, "the image of a second run, files that are shown to the program, which memory there is") \
	CALL(MONITOR, ALWAYS, write, ANY, "messages, the summary, the schedule, files of --out") \
	CALL(MONITOR, ALWAYS, writev, ANY, "the program's output") \
	CALL(MONITOR, ALWAYS, pwrite64, ANY, "what the symbolizer is asked, in a memfd; contents of files of --save") \
	CALL(MONITOR, ALWAYS, poll, ANY, "standard streams that are not ready, answers of the symbolizer") \
	CALL(MONITOR, ALWAYS, lseek, ANY, "the C library's streams, requests of the symbolizer, holes in files of --out") \
	CALL(MONITOR, ALWAYS, close, ANY, "what was opened") \
	CALL(MONITOR, ALWAYS, fstat, ANY, "the C library's streams") \
	CALL(MONITOR, ALWAYS, newfstatat, ANY, "whether a file is what it was; attributes alone") \
	CALL(MONITOR, ALWAYS, access, ANY, "which KVM there is, and /proc; in a second run") \
	CALL(MONITOR, ALWAYS, fcntl, VALUES, "flags of streams, the size of pipes, copies of descriptors") \
	CALL(MONITOR, ALWAYS, memfd_create, ANY, "requests of the symbolizer, records for the cache") \
	CALL(MONITOR, ALWAYS, ftruncate, ANY, "the size of a memfd, of the memory of a further guest, and of files of --out and --save that end in a hole") \
	CALL(MONITOR, ALWAYS, brk, ANY, "the heap") \
	CALL(MONITOR, ALWAYS, mmap, NO_CODE, "the heap, stacks of threads, memory of the guest of a second run") \
	CALL(MONITOR, ALWAYS, mprotect, NO_CODE, "the heap, stacks of threads") \
	CALL(MONITOR, ALWAYS, mremap, ANY, "the heap") \
	CALL(MONITOR, ALWAYS, munmap, ANY, "the heap, and what a run leaves") \
	CALL(MONITOR, ALWAYS, madvise, ANY, "memory of the guest that is filled ahead, stacks of threads that end") \
	CALL(MONITOR, ALWAYS, futex, ANY, "locks, and the end of a thread") \
	CALL(MONITOR, ALWAYS, clone, VALUES, "threads") \
	CALL(MONITOR, ALWAYS, clone3, MISSING, "threads: its flags are in memory, where no filter sees them; clone follows") \
	CALL(MONITOR, ALWAYS, set_robust_list, ANY, "the start of a thread") \
	CALL(MONITOR, ALWAYS, rseq, ANY, "the start of a thread") \
	CALL(MONITOR, ALWAYS, sched_getaffinity, ANY, "whether there is a processor for another thread") \
	CALL(MONITOR, PROCESS, sched_setaffinity, VALUES, "one processor for the guest's processes and the thread that waits for them") \
	CALL(MONITOR, ALWAYS, exit, ANY, "the end of a thread") \
	CALL(MONITOR, ALWAYS, exit_group, ANY, "the end") \
	CALL(MONITOR, ALWAYS, wait4, ANY, "the end of the keeper, and of the guest's processes") \
	CALL(MONITOR, ALWAYS, getpid, ANY, "names of unfinished files, abort(3)") \
	CALL(MONITOR, ALWAYS, gettid, ANY, "raise(3), abort(3)") \
	CALL(MONITOR, ALWAYS, tgkill, OWN, "waking the other thread; ending as the signal does that ended the run") \
	CALL(MONITOR, ALWAYS, rt_sigaction, NOT_SIGSYS, "ticks and stops") \
	CALL(MONITOR, ALWAYS, rt_sigprocmask, ANY, "the start of a thread") \
	CALL(MONITOR, ALWAYS, rt_sigreturn, ANY, "the end of a handler") \
	CALL(MONITOR, ALWAYS, restart_syscall, ANY, "a wait that a signal interrupted; the kernel makes it") \
	CALL(MONITOR, ALWAYS, setitimer, ANY, "ticks, and the limit of --timeout") \
	CALL(MONITOR, ALWAYS, clock_gettime, ANY, "time, where the vDSO has no clock") \
	CALL(MONITOR, ALWAYS, clock_nanosleep, ANY, "the pauses of --jitter") \
	CALL(MONITOR, ALWAYS, gettimeofday, ANY, "time, where the vDSO has no clock") \
	CALL(MONITOR, ALWAYS, time, ANY, "time, where the vDSO has no clock") \
	CALL(MONITOR, ALWAYS, sysinfo, ANY, "qsort(3), which asks how much memory there is") \
	CALL(MONITOR, ALWAYS, getrandom, ANY, "the C library's heap") \
	CALL(MONITOR, ALWAYS, sendmsg, KEEPER, "what the keeper is asked") \
	CALL(MONITOR, ALWAYS, recvmsg, KEEPER, "what it answers") \
	CALL(MONITOR, READ, openat, READING, "the cache, and the image of a second run") \
	CALL(MONITOR, PROCESS, getcpu, ANY, "which one that is, where the vDSO does not tell") \
	CALL(MONITOR, PROCESS, kill, GUESTS, "interrupting the guest's processes, and their end") \
	CALL(MONITOR, HOST_FILES, openat2, ANY, "files that are shown to the program, beneath their trees") \
	CALL(MONITOR, HOST_FILES, statx, ANY, "the attributes of a name in an open directory") \
	CALL(MONITOR, HOST_FILES, fstatfs, ANY, "whether a file system may be shown") \
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
	CALL(MONITOR, OUT, linkat, ANY, "the name of a file of --out or --save that is complete") \
	CALL(MONITOR, OUT, renameat, ANY, "replacing what has the name of a file of --out or --save") \
	CALL(MONITOR, OUT, unlinkat, ANY, "what is half-written in --out or --save, what a folder replaces, and what a program removed") \
	CALL(MONITOR, OUT, umask, ANY, "modes of files of --out and --save, which are made with the mode that they are to have") \
	/* --- the keeper: starts the symbolizer, names files that are complete, writes the cache --- */ \
	CALL(KEEPER, ALWAYS, read, ANY, "records for the cache") \
	CALL(KEEPER, ALWAYS, write, ANY, "the cache, and a complaint of the C library's") \
	CALL(KEEPER, ALWAYS, memfd_create, ANY, "a module of a Linux program, for the symbolizer") \
	CALL(KEEPER, ALWAYS, sendfile, ANY, "a module of a Linux program, for the symbolizer") \
	CALL(KEEPER, ALWAYS, pread64, ANY, "the symbolizer and its loader; whether memory was exhausted") \
	CALL(KEEPER, ALWAYS, lseek, ANY, "the C library's streams, and the symbolizer") \
	CALL(KEEPER, ALWAYS, close, ANY, "what was opened") \
	CALL(KEEPER, ALWAYS, close_range, ANY, "what was opened") \
	CALL(KEEPER, ALWAYS, fstat, ANY, "the C library's streams") \
	CALL(KEEPER, ALWAYS, newfstatat, ANY, "what is in the cache") \
	CALL(KEEPER, ALWAYS, access, ANY, "where the symbolizer is, and whether there is /proc") \
	CALL(KEEPER, ALWAYS, faccessat, ANY, "the symbolizer's program loader") \
	CALL(KEEPER, ALWAYS, readlink, ANY, "where the symbolizer is") \
	CALL(KEEPER, ALWAYS, getdents64, ANY, "what is in the cache") \
	CALL(KEEPER, ALWAYS, openat, ANY, "files of the cache, /dev/null, libraries of the symbolizer") \
	CALL(KEEPER, ALWAYS, mkdir, ANY, "the cache's folder") \
	CALL(KEEPER, ALWAYS, unlink, ANY, "a temporary file outside of the cache") \
	CALL(KEEPER, ALWAYS, renameat, ANY, "the name of a file that is complete") \
	CALL(KEEPER, ALWAYS, linkat, ANY, "the name of a file that is complete") \
	CALL(KEEPER, ALWAYS, unlinkat, ANY, "a file that is not complete, and what the cache has no room for") \
	CALL(KEEPER, ALWAYS, chmod, ANY, "modes of folders of --out, and of what is in --save") \
	CALL(KEEPER, ALWAYS, fchmod, ANY, "modes of files of --out that have no name yet") \
	CALL(KEEPER, ALWAYS, utimensat, ANY, "when a file of the cache was used; times of files of --save") \
	CALL(KEEPER, ALWAYS, flock, ANY, "temporary files of the cache") \
	CALL(KEEPER, ALWAYS, fcntl, ANY, "descriptors of the symbolizer") \
	CALL(KEEPER, ALWAYS, ioctl, ANY, "whether the C library's stream is a terminal") \
	CALL(KEEPER, ALWAYS, dup2, ANY, "descriptors of the symbolizer") \
	CALL(KEEPER, ALWAYS, pipe2, ANY, "the symbolizer's answers") \
	CALL(KEEPER, ALWAYS, sendmsg, KEEPER, "what it answers") \
	CALL(KEEPER, ALWAYS, recvmsg, KEEPER, "what it is asked") \
	CALL(KEEPER, ALWAYS, brk, ANY, "the heap") \
	CALL(KEEPER, ALWAYS, mmap, ANY, "the heap; code of the symbolizer") \
	CALL(KEEPER, ALWAYS, mprotect, ANY, "the heap; code of the symbolizer") \
	CALL(KEEPER, ALWAYS, mremap, ANY, "the heap") \
	CALL(KEEPER, ALWAYS, munmap, ANY, "the heap") \
	CALL(KEEPER, ALWAYS, madvise, ANY, "the heap") \
	CALL(KEEPER, ALWAYS, futex, ANY, "locks of the C library") \
	CALL(KEEPER, ALWAYS, vfork, ANY, "starting the symbolizer") \
	CALL(KEEPER, ALWAYS, clone, ANY, "starting the symbolizer, where vfork(3) is made of it") \
	CALL(KEEPER, ALWAYS, execve, ANY, "starting the symbolizer") \
	CALL(KEEPER, ALWAYS, prctl, ANY, "the symbolizer ends with the keeper, and confines itself further") \
	CALL(KEEPER, ALWAYS, arch_prctl, ANY, "the start of the symbolizer") \
	CALL(KEEPER, ALWAYS, set_tid_address, ANY, "the start of the symbolizer") \
	CALL(KEEPER, ALWAYS, set_robust_list, ANY, "the start of the symbolizer") \
	CALL(KEEPER, ALWAYS, rseq, ANY, "the start of the symbolizer") \
	CALL(KEEPER, ALWAYS, prlimit64, ANY, "limits of the symbolizer") \
	CALL(KEEPER, ALWAYS, setrlimit, ANY, "limits of the symbolizer") \
	CALL(KEEPER, ALWAYS, alarm, ANY, "the limit of the symbolizer's time") \
	CALL(KEEPER, ALWAYS, seccomp, ANY, "the symbolizer's own filter") \
	CALL(KEEPER, ALWAYS, sysinfo, ANY, "qsort(3), which asks how much memory there is") \
	CALL(KEEPER, ALWAYS, getrandom, ANY, "the heap") \
	CALL(KEEPER, ALWAYS, getpid, ANY, "names of temporary files") \
	CALL(KEEPER, ALWAYS, gettid, ANY, "abort(3)") \
	CALL(KEEPER, ALWAYS, getppid, ANY, "whether the keeper is still there") \
	CALL(KEEPER, ALWAYS, tgkill, OWN, "abort(3)") \
	CALL(KEEPER, ALWAYS, kill, ANY, "the end of a symbolizer that takes too long") \
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
	VALUE(TTY, ioctl, 1, TCSETS, "raw mode of the terminal, and its end") \
	VALUE(KVM, ioctl, 1, KVM_RUN, "the guest runs") \
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
	VALUE(KVM, ioctl, 1, KVM_GET_REGS, "where a guest stands") \
	VALUE(KVM, ioctl, 1, KVM_GET_VCPU_EVENTS, "whether an exception waits, before a guest is stepped") \
	VALUE(ALWAYS, fcntl, 1, F_GETFD, "whether a stream is open: the C library's streams") \
	VALUE(ALWAYS, fcntl, 1, F_SETFD, "fdopendir(3)") \
	VALUE(ALWAYS, fcntl, 1, F_GETFL, "whether a stream is written at its end, and the C library's streams") \
	VALUE(ALWAYS, fcntl, 1, F_SETPIPE_SZ, "room for output in a pipe") \
	VALUE(ALWAYS, fcntl, 1, F_DUPFD_CLOEXEC, "a descriptor of the cache, of --out or of the engine's device") \
	VALUE(PROCESS, sched_setaffinity, 0, 0, "the calling thread") \
	VALUE(ALWAYS, clone, 0, CONFINE_THREAD, "a thread of this process, as pthread_create(3) makes it")
/* clang-format on */

/** Flags of clone(2) for a thread (glibc's pthread_create.c). */
#define CONFINE_THREAD \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS | \
	 CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)

#endif
