/* SPDX-License-Identifier: MIT */
/* Runs a command as on a host that refuses some system calls: restricted PROFILE COMMAND [ARG...]. A filter
 * (seccomp(2)) has them fail. The profile `container` is the list that container engines let programs have by default:
 * what is not in it fails with EPERM, and clone3 with ENOSYS. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/kvm.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NAMESPACES \
	(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)

/* Numbers of calls that older headers lack. */
#define CLOSE_RANGE 436
#define FACCESSAT2 439
#define PROCESS_MRELEASE 448
#define FUTEX_WAITV 449
#define EPOLL_PWAIT2 441
#define LANDLOCK_CREATE_RULESET 444
#define LANDLOCK_ADD_RULE 445
#define LANDLOCK_RESTRICT_SELF 446
#define MEMFD_SECRET 447
#define FCHMODAT2 452
#define MAP_SHADOW_STACK 453
#define FUTEX_WAKE2 454
#define FUTEX_WAIT2 455
#define FUTEX_REQUEUE2 456

static struct sock_filter code[1024];
static unsigned count;

static void add(uint16_t what, uint32_t k, uint8_t yes, uint8_t no)
{
	code[count++] = (struct sock_filter){what, yes, no, k};
}

static void load(size_t field)
{
	add(BPF_LD | BPF_W | BPF_ABS, (uint32_t)field, 0, 0);
}

static void answer(uint32_t result)
{
	add(BPF_RET | BPF_K, result, 0, 0);
}

/* The call, whatever its arguments are, gets this answer. */
static void when(long number, uint32_t result)
{
	add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1);
	answer(result);
}

/* The call, with one of these bits in its first argument, fails; else it is done. */
static void when_bits(long number, uint32_t bits, uint32_t result)
{
	add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 4);
	load(offsetof(struct seccomp_data, args[0]));
	add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
	answer(result);
	answer(SECCOMP_RET_ALLOW);
}

/* The call is done if its first argument is one of these values. */
static void when_value(long number, const uint32_t *values, unsigned value_count)
{
	add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, (uint8_t)(2 * value_count + 2));
	load(offsetof(struct seccomp_data, args[0]));
	for (unsigned i = 0; i < value_count; i++) {
		add(BPF_JMP | BPF_JEQ | BPF_K, values[i], 0, 1);
		answer(SECCOMP_RET_ALLOW);
	}
	answer(SECCOMP_RET_ERRNO | EPERM);
}

/* clang-format off */
static const short allowed[] = {
	SYS_accept, SYS_accept4, SYS_access, SYS_adjtimex, SYS_alarm, SYS_arch_prctl, SYS_bind, SYS_brk, SYS_capget,
	SYS_capset, SYS_chdir, SYS_chmod, SYS_chown, SYS_clock_adjtime, SYS_clock_getres, SYS_clock_gettime,
	SYS_clock_nanosleep, SYS_close, CLOSE_RANGE, SYS_connect, SYS_copy_file_range, SYS_creat, SYS_dup, SYS_dup2,
	SYS_dup3, SYS_epoll_create, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_ctl_old, SYS_epoll_pwait,
	EPOLL_PWAIT2, SYS_epoll_wait, SYS_epoll_wait_old, SYS_eventfd, SYS_eventfd2, SYS_execve, SYS_execveat,
	SYS_exit, SYS_exit_group, SYS_faccessat, FACCESSAT2, SYS_fadvise64, SYS_fallocate, SYS_fanotify_mark,
	SYS_fchdir, SYS_fchmod, SYS_fchmodat, FCHMODAT2, SYS_fchown, SYS_fchownat, SYS_fcntl, SYS_fdatasync,
	SYS_fgetxattr, SYS_flistxattr, SYS_flock, SYS_fork, SYS_fremovexattr, SYS_fsetxattr, SYS_fstat, SYS_fstatfs,
	SYS_fsync, SYS_ftruncate, SYS_futex, FUTEX_WAITV, FUTEX_WAKE2, FUTEX_WAIT2, FUTEX_REQUEUE2, SYS_futimesat,
	SYS_getcpu, SYS_getcwd, SYS_getdents, SYS_getdents64, SYS_getegid, SYS_geteuid, SYS_getgid, SYS_getgroups,
	SYS_getitimer, SYS_getpeername, SYS_getpgid, SYS_getpgrp, SYS_getpid, SYS_getppid, SYS_getpriority,
	SYS_getrandom, SYS_getresgid, SYS_getresuid, SYS_getrlimit, SYS_get_robust_list, SYS_getrusage, SYS_getsid,
	SYS_getsockname, SYS_getsockopt, SYS_get_thread_area, SYS_gettid, SYS_gettimeofday, SYS_getuid, SYS_getxattr,
	SYS_inotify_add_watch, SYS_inotify_init, SYS_inotify_init1, SYS_inotify_rm_watch, SYS_io_cancel, SYS_ioctl,
	SYS_io_destroy, SYS_io_getevents, SYS_io_pgetevents, SYS_ioprio_get, SYS_ioprio_set, SYS_io_setup,
	SYS_io_submit, SYS_kill, LANDLOCK_ADD_RULE, LANDLOCK_CREATE_RULESET, LANDLOCK_RESTRICT_SELF, SYS_lchown,
	SYS_lgetxattr, SYS_link, SYS_linkat, SYS_listen, SYS_listxattr, SYS_llistxattr, SYS_lremovexattr, SYS_lseek,
	SYS_lsetxattr, SYS_lstat, SYS_madvise, MAP_SHADOW_STACK, SYS_membarrier, SYS_memfd_create, MEMFD_SECRET,
	SYS_mincore, SYS_mkdir, SYS_mkdirat, SYS_mknod, SYS_mknodat, SYS_mlock, SYS_mlock2, SYS_mlockall, SYS_mmap,
	SYS_modify_ldt, SYS_mprotect, SYS_mq_getsetattr, SYS_mq_notify, SYS_mq_open, SYS_mq_timedreceive,
	SYS_mq_timedsend, SYS_mq_unlink, SYS_mremap, SYS_msgctl, SYS_msgget, SYS_msgrcv, SYS_msgsnd, SYS_msync,
	SYS_munlock, SYS_munlockall, SYS_munmap, SYS_name_to_handle_at, SYS_nanosleep, SYS_newfstatat, SYS_open,
	SYS_openat, SYS_openat2, SYS_pause, SYS_pidfd_open, SYS_pidfd_send_signal, SYS_pipe, SYS_pipe2,
	SYS_pkey_alloc, SYS_pkey_free, SYS_pkey_mprotect, SYS_poll, SYS_ppoll, SYS_prctl, SYS_pread64, SYS_preadv,
	SYS_preadv2, SYS_prlimit64, PROCESS_MRELEASE, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pselect6,
	SYS_ptrace, SYS_pwrite64, SYS_pwritev, SYS_pwritev2, SYS_read, SYS_readahead, SYS_readlink, SYS_readlinkat,
	SYS_readv, SYS_recvfrom, SYS_recvmmsg, SYS_recvmsg, SYS_remap_file_pages, SYS_removexattr, SYS_rename,
	SYS_renameat, SYS_renameat2, SYS_restart_syscall, SYS_rmdir, SYS_rseq, SYS_rt_sigaction, SYS_rt_sigpending,
	SYS_rt_sigprocmask, SYS_rt_sigqueueinfo, SYS_rt_sigreturn, SYS_rt_sigsuspend, SYS_rt_sigtimedwait,
	SYS_rt_tgsigqueueinfo, SYS_sched_getaffinity, SYS_sched_getattr, SYS_sched_getparam,
	SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_sched_getscheduler, SYS_sched_rr_get_interval,
	SYS_sched_setaffinity, SYS_sched_setattr, SYS_sched_setparam, SYS_sched_setscheduler, SYS_sched_yield,
	SYS_seccomp, SYS_select, SYS_semctl, SYS_semget, SYS_semop, SYS_semtimedop, SYS_sendfile, SYS_sendmmsg,
	SYS_sendmsg, SYS_sendto, SYS_setfsgid, SYS_setfsuid, SYS_setgid, SYS_setgroups, SYS_setitimer, SYS_setpgid,
	SYS_setpriority, SYS_setregid, SYS_setresgid, SYS_setresuid, SYS_setreuid, SYS_setrlimit,
	SYS_set_robust_list, SYS_setsid, SYS_setsockopt, SYS_set_thread_area, SYS_set_tid_address, SYS_setuid,
	SYS_setxattr, SYS_shmat, SYS_shmctl, SYS_shmdt, SYS_shmget, SYS_shutdown, SYS_sigaltstack, SYS_signalfd,
	SYS_signalfd4, SYS_socketpair, SYS_splice, SYS_stat, SYS_statfs, SYS_statx, SYS_symlink, SYS_symlinkat,
	SYS_sync, SYS_sync_file_range, SYS_syncfs, SYS_sysinfo, SYS_tee, SYS_tgkill, SYS_time, SYS_timer_create,
	SYS_timer_delete, SYS_timer_getoverrun, SYS_timer_gettime, SYS_timer_settime, SYS_timerfd_create,
	SYS_timerfd_gettime, SYS_timerfd_settime, SYS_times, SYS_tkill, SYS_truncate, SYS_umask, SYS_uname,
	SYS_unlink, SYS_unlinkat, SYS_utime, SYS_utimensat, SYS_utimes, SYS_vfork, SYS_vmsplice, SYS_wait4,
	SYS_waitid, SYS_write, SYS_writev,
};
/* clang-format on */

static void container(void)
{
	static const uint32_t personalities[] = {0, 8, 0x20000, 0x20008, 0xffffffff};
	for (unsigned i = 0; i < COUNT(allowed); i++)
		when(allowed[i], SECCOMP_RET_ALLOW);
	when_bits(SYS_clone, NAMESPACES, SECCOMP_RET_ERRNO | EPERM);
	when(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
	when_value(SYS_personality, personalities, COUNT(personalities));
	add(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 4);
	load(offsetof(struct seccomp_data, args[0]));
	add(BPF_JMP | BPF_JEQ | BPF_K, AF_VSOCK, 0, 1);
	answer(SECCOMP_RET_ERRNO | EPERM);
	answer(SECCOMP_RET_ALLOW);
	answer(SECCOMP_RET_ERRNO | EPERM);
}

static void no_seccomp(void)
{
	when(SYS_seccomp, SECCOMP_RET_ERRNO | ENOSYS);
}

static void forbidden_seccomp(void)
{
	when(SYS_seccomp, SECCOMP_RET_ERRNO | EPERM);
}

static void no_landlock(void)
{
	when(LANDLOCK_CREATE_RULESET, SECCOMP_RET_ERRNO | ENOSYS);
}

static void landlock_off(void)
{
	when(LANDLOCK_CREATE_RULESET, SECCOMP_RET_ERRNO | EOPNOTSUPP);
}

static void no_namespaces(void)
{
	when(SYS_unshare, SECCOMP_RET_ERRNO | EPERM);
	when(SYS_setns, SECCOMP_RET_ERRNO | EPERM);
	when(SYS_mount, SECCOMP_RET_ERRNO | EPERM);
	when(SYS_fsopen, SECCOMP_RET_ERRNO | EPERM);
	when(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
	when_bits(SYS_clone, NAMESPACES, SECCOMP_RET_ERRNO | EPERM);
}

static void no_processes(void)
{
	when(SYS_fork, SECCOMP_RET_ERRNO | EAGAIN);
	when(SYS_vfork, SECCOMP_RET_ERRNO | EAGAIN);
	when(SYS_clone, SECCOMP_RET_ERRNO | EAGAIN);
	when(SYS_clone3, SECCOMP_RET_ERRNO | EAGAIN);
}

static void no_memory_files(void)
{
	no_namespaces();
	when(SYS_memfd_create, SECCOMP_RET_ERRNO | ENOSYS);
}

/* /dev/kvm opens, but another hypervisor has the processor. */
static void no_machine(void)
{
	add(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 4);
	load(offsetof(struct seccomp_data, args[1]));
	add(BPF_JMP | BPF_JEQ | BPF_K, KVM_CREATE_VM, 0, 1);
	answer(SECCOMP_RET_ERRNO | EBUSY);
	answer(SECCOMP_RET_ALLOW);
}

static const struct profile {
	const char *name;
	void (*make)(void);
} profiles[] = {
	{"container", container},       {"no-seccomp", no_seccomp},           {"forbidden-seccomp", forbidden_seccomp},
	{"no-landlock", no_landlock},   {"landlock-off", landlock_off},       {"no-namespaces", no_namespaces},
	{"no-processes", no_processes}, {"no-memory-files", no_memory_files}, {"no-machine", no_machine},
};

int main(int argc, char **argv)
{
	const struct profile *chosen = NULL;
	for (unsigned i = 0; argc > 2 && i < COUNT(profiles); i++)
		if (!strcmp(profiles[i].name, argv[1]))
			chosen = &profiles[i];
	if (!chosen) {
		fprintf(stderr, "usage: restricted PROFILE COMMAND [ARG...]\n");
		return 99;
	}
	load(offsetof(struct seccomp_data, nr));
	chosen->make();
	answer(SECCOMP_RET_ALLOW);
	const struct sock_fprog program = {(unsigned short)count, code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0)) {
		perror("restricted: seccomp");
		return 99;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 98;
}
