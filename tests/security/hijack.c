/* SPDX-License-Identifier: MIT */
/* A monitor that a guest has taken over: engines which, at the guest's first doorbell, do what $HIJACK
 * names, in the place where a real attacker would, behind all walls. Only tests/security/hijack.test runs it.
 *
 * The linker gives them to the monitor in place of its own (--wrap). It prints "ESCAPED" when a step was possible, and
 * "refused" with the errno when it was not; a step that ends the monitor prints nothing. */
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "hypervisor/monitor/confine/keeper.h"
#include "hypervisor/monitor/engine/engine.h"

extern const struct engine_ops __real_engine_kvm, __real_engine_process;
struct engine_ops __wrap_engine_kvm, __wrap_engine_process;

static const char *what;   /* $HIJACK */
static const char *object; /* $HIJACK_PATH: a path that the step is about */
static pid_t parent;
static char *page; /* one that is written before it is to be executed */

static long make(long number, long a, long b, long c, long d, long e)
{
	return syscall(number, a, b, c, d, e, 0L);
}

static long open_two(const char *path, uint64_t flags)
{
	struct open_how how = {.flags = flags};
	return syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
}

/* --- files --- */

static long read_outside(void)
{
	return open(object, O_RDONLY | O_CLOEXEC);
}
static long read_outside_2(void)
{
	return open_two(object, O_RDONLY);
}
static long list_outside(void)
{
	return open(object, O_RDONLY | O_DIRECTORY);
}
static long write_outside(void)
{
	return open(object, O_WRONLY);
}
static long write_outside_2(void)
{
	return open_two(object, O_WRONLY);
}
static long make_outside(void)
{
	return open(object, O_WRONLY | O_CREAT, 0600);
}
static long cut_outside(void)
{
	return truncate(object, 0);
}
static long read_memory_of_parent(void)
{
	char path[40];
	snprintf(path, sizeof(path), "/proc/%d/mem", parent);
	return open(path, O_RDONLY);
}
static long write_own_code(void)
{
	return open("/proc/self/mem", O_RDWR);
}
static long read_inherited(void)
{
	char byte;
	return read(99, &byte, 1); /* the test has given it a file there */
}
static long link_outside(void)
{
	return symlinkat("/etc/passwd", AT_FDCWD, object);
}
static long hard_link_outside(void)
{
	return linkat(AT_FDCWD, object, AT_FDCWD, getenv("HIJACK_TO"), 0);
}
static long rename_outside(void)
{
	return renameat(AT_FDCWD, object, AT_FDCWD, getenv("HIJACK_TO"));
}
static long remove_outside(void)
{
	return unlinkat(AT_FDCWD, object, 0);
}
static long mkdir_outside(void)
{
	return mkdirat(AT_FDCWD, object, 0700);
}
static long chmod_outside(void)
{
	return chmod(object, 0777);
}
static long fchmod_read(void)
{
	int fd = open(object, O_RDONLY);
	return fd < 0 ? fd : fchmod(fd, 0777);
}
/* By the keeper, which is asked for it as a hijacked monitor would. */
static long keeper_chmod(void)
{
	int fd = open(object, O_PATH | O_CLOEXEC), result = keeper_set_mode(fd, 0777);
	errno = -result;
	return result ? -1 : 0;
}
static long keeper_out(void)
{
	int fd = open(object, O_PATH | O_CLOEXEC);
	keeper_set_out(fd); /* there is one already, so that the keeper ends */
	return keeper_chmod();
}
/* Attributes by the keeper, too: of `leaf` in the directory `object`, or of the file `object` if the leaf is empty. */
static long keeper_attributes(const char *leaf)
{
	int fd = open(object, O_PATH | O_CLOEXEC), result = keeper_set_attributes(fd, leaf, 0777, 0);
	errno = -result;
	return result ? -1 : 0;
}
static long keeper_mode_outside(void)
{
	return keeper_attributes("file");
}
static long keeper_mode_of_open(void)
{
	return keeper_attributes("");
}
static long keeper_mode_above(void)
{
	return keeper_attributes("..");
}
static long keeper_mode_by_path(void)
{
	return keeper_attributes("../hidden/file");
}
static long keeper_mode_by_link(void)
{
	return keeper_attributes("link");
}
static long keeper_commit_none(void)
{
	int result = keeper_commit(77);
	errno = -result;
	return result ? -1 : 0;
}
static long keeper_nonsense(void)
{
	const struct keeper_message message = {.op = 77};
	keeper_send(keeper_socket(), &message, NULL);
	return keeper_commit_none();
}
static long mknod_outside(void)
{
	return mknodat(AT_FDCWD, object, S_IFIFO | 0600, 0);
}
static long control_terminal(void)
{
	return ioctl(STDIN_FILENO, TIOCSTI, "x");
}

/* --- programs and processes --- */

static long exec_shell(void)
{
	char *arguments[] = {(char[]){"sh"}, (char[]){"-c"}, (char[]){"echo ESCAPED"}, NULL};
	return execv("/bin/sh", arguments);
}
static void *exec_beside(void *argument)
{
	(void)argument;
	exec_shell();
	return NULL;
}
static long exec_in_thread(void)
{
	pthread_t thread;
	int error = pthread_create(&thread, NULL, exec_beside, NULL);
	if (!error)
		pthread_join(thread, NULL);
	errno = error;
	return -1;
}
static long exec_at(void)
{
	return make(SYS_execveat, AT_FDCWD, (long)"/bin/true", 0, 0, 0);
}
static long fork_child(void)
{
	return make(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}
static long vfork_child(void)
{
	return make(SYS_vfork, 0, 0, 0, 0, 0);
}
static long clone_untraced(void)
{
	return make(SYS_clone, CLONE_VM | CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
}
static long trace_parent(void)
{
	return ptrace(PTRACE_SEIZE, parent, 0, 0);
}
static long write_parent(void)
{
	struct iovec to = {(void *)0x400000, 1}, from = {&parent, 1};
	return process_vm_writev(parent, &from, 1, &to, 1, 0);
}
static long kill_parent(void)
{
	return kill(parent, SIGUSR1);
}
static long kill_all(void)
{
	return kill(-1, 0);
}
static long tgkill_parent(void)
{
	return make(SYS_tgkill, parent, parent, SIGUSR1, 0, 0);
}
static long own_by_signal(void)
{
	return fcntl(STDOUT_FILENO, F_SETOWN, parent);
}
static long open_pid(void)
{
	return make(SYS_pidfd_open, parent, 0, 0, 0, 0);
}

/* --- network --- */

static long make_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0);
}
static long connect_tcp(void)
{
	return make(SYS_connect, 0, (long)&(struct sockaddr){.sa_family = AF_INET}, 16, 0, 0);
}
static long connect_unix(void)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = "/run/dbus/system_bus_socket"};
	return make(SYS_connect, 0, (long)&to, sizeof(to), 0, 0);
}
static long bind_socket(void)
{
	return make(SYS_bind, 0, (long)&(struct sockaddr){.sa_family = AF_INET}, 16, 0, 0);
}
static long send_elsewhere(void)
{
	return make(SYS_sendmsg, 0, (long)&(struct msghdr){0}, 0, 0, 0);
}

/* --- the kernel --- */

static long mount_all(void)
{
	return make(SYS_mount, (long)"none", (long)"/mnt", (long)"tmpfs", 0, 0);
}
static long unshare_users(void)
{
	return make(SYS_unshare, CLONE_NEWUSER, 0, 0, 0, 0);
}
static long enter_space(void)
{
	return make(SYS_setns, 0, 0, 0, 0, 0);
}
static long make_machine(void)
{
	return make(SYS_ioctl, 3, KVM_CREATE_VM, 0, 0, 0);
}
static long set_up_ring(void)
{
	return make(SYS_io_uring_setup, 1, 0, 0, 0, 0);
}
static long load_bpf(void)
{
	return make(SYS_bpf, 0, 0, 0, 0, 0);
}
static long open_event(void)
{
	return make(SYS_perf_event_open, 0, 0, -1, -1, 0);
}
static long catch_faults(void)
{
	return make(SYS_userfaultfd, 0, 0, 0, 0, 0);
}
static long use_keys(void)
{
	return make(SYS_keyctl, 0, -3, 1, 0, 0);
}
static long be_dumpable(void)
{
	return make(SYS_prctl, 4, 1, 0, 0, 0);
}
static long be_root(void)
{
	return make(SYS_setuid, 0, 0, 0, 0, 0);
}
static long change_root(void)
{
	return make(SYS_chroot, (long)"/", 0, 0, 0, 0);
}
static long old_call(void)
{
	long result = 20; /* getpid of 32-bit programs */
	__asm__ volatile("int $0x80" : "+a"(result)::"memory");
	return result;
}
static long x32_call(void)
{
	return make(SYS_getpid | 0x40000000, 0, 0, 0, 0, 0);
}
static long unknown_call(void)
{
	return make(9999, 0, 0, 0, 0, 0);
}

/* --- code --- */

static long map_code(void)
{
	return (long)mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static long map_code_only(void)
{
	return (long)mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static long protect_code(void)
{
	return mprotect(page, 4096, PROT_READ | PROT_EXEC);
}
static long protect_code_by_key(void)
{
	return make(SYS_pkey_mprotect, (long)page, 4096, PROT_READ | PROT_EXEC, -1, 0);
}
static long replace_handler(void)
{
	return signal(SIGSYS, SIG_IGN) == SIG_ERR ? -1 : 0;
}
static long block_handler(void)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	return make(SYS_mount, (long)"none", (long)"/mnt", (long)"tmpfs", 0, 0);
}
static long reach_allowed(void)
{
	return 0; /* that the test would see a step that is possible */
}

/* clang-format off */
#define STEPS(STEP) \
	STEP(read_outside) STEP(read_outside_2) STEP(list_outside) STEP(write_outside) STEP(write_outside_2) \
	STEP(make_outside) STEP(cut_outside) STEP(read_memory_of_parent) STEP(write_own_code) STEP(read_inherited) \
	STEP(link_outside) STEP(hard_link_outside) STEP(rename_outside) STEP(remove_outside) STEP(mkdir_outside) \
	STEP(chmod_outside) STEP(fchmod_read) STEP(keeper_chmod) STEP(keeper_out) STEP(keeper_commit_none) \
	STEP(keeper_mode_outside) STEP(keeper_mode_of_open) STEP(keeper_mode_above) STEP(keeper_mode_by_path) \
	STEP(keeper_mode_by_link) STEP(keeper_nonsense) STEP(mknod_outside) STEP(control_terminal) STEP(exec_shell) STEP(exec_in_thread) \
	STEP(exec_at) STEP(fork_child) STEP(vfork_child) STEP(clone_untraced) STEP(trace_parent) STEP(write_parent) \
	STEP(kill_parent) STEP(kill_all) STEP(tgkill_parent) STEP(own_by_signal) STEP(open_pid) STEP(make_socket) \
	STEP(connect_tcp) STEP(connect_unix) STEP(bind_socket) STEP(send_elsewhere) STEP(mount_all) \
	STEP(unshare_users) STEP(enter_space) STEP(make_machine) STEP(set_up_ring) STEP(load_bpf) STEP(open_event) STEP(catch_faults) \
	STEP(use_keys) STEP(be_dumpable) STEP(be_root) STEP(change_root) STEP(old_call) STEP(x32_call) \
	STEP(unknown_call) STEP(map_code) STEP(map_code_only) STEP(protect_code) STEP(protect_code_by_key) \
	STEP(replace_handler) STEP(block_handler) STEP(reach_allowed)
/* clang-format on */

static const struct step {
	const char *name;
	long (*make)(void);
} steps[] = {
#define STEP(name) {#name, name},
	STEPS(STEP)
#undef STEP
};

static void hijack(void)
{
	char line[80];
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (strcmp(steps[i].name, what))
			continue;
		long result = steps[i].make();
		int length = result >= 0 ? snprintf(line, sizeof(line), "ESCAPED: %s\n", what)
		                         : snprintf(line, sizeof(line), "refused: %s\n", strerrorname_np(errno));
		ssize_t ignored = write(STDERR_FILENO, line, (size_t)length);
		(void)ignored;
		_exit(0);
	}
}

static void run_kvm(struct engine *engine, struct engine_exit *exit)
{
	__real_engine_kvm.run(engine, exit);
	if (what && exit->stop == ENGINE_DOORBELL)
		hijack();
}

static void run_process(struct engine *engine, struct engine_exit *exit)
{
	__real_engine_process.run(engine, exit);
	if (what && exit->stop == ENGINE_DOORBELL)
		hijack();
}

static __attribute__((constructor)) void set_up(void)
{
	__wrap_engine_kvm = __real_engine_kvm;
	__wrap_engine_kvm.run = run_kvm;
	__wrap_engine_process = __real_engine_process;
	__wrap_engine_process.run = run_process;
	what = getenv("HIJACK");
	object = getenv("HIJACK_PATH");
	parent = getppid();
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
