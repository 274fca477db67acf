/* SPDX-License-Identifier: MIT */
/* Counts the calls of a program to functions of the C library that make a system call, for kill.c, which sends a signal
 * at the N-th: a moment that depends on no clock. It is loaded by LD_PRELOAD. What it shares with kill.c is in the file
 * that EREMITE_MOMENT names. At the N-th call it waits until kill.c has sent the signal. It makes no system call for
 * that, because a confined monitor would not be permitted to.
 *
 * The functions are wrapped in assembly, so that nothing is said about their arguments. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/security/moment.h"

/* clang-format off */
#define FUNCTIONS(_) \
	_(access) _(accept4) _(chmod) _(close) _(closedir) _(connect) _(dprintf) _(dup) _(dup2) _(epoll_create1) \
	_(epoll_ctl) _(epoll_wait) _(execv) _(execvpe) _(exit) _(faccessat) _(fallocate) _(fchdir) _(fchmod) \
	_(fchmodat) _(fclose) _(fcntl) _(fdatasync) _(fdopen) _(fdopendir) _(fflush) _(flock) _(fopen) _(fprintf) \
	_(fputs) _(fread) _(fstat) _(fstatat) _(fstatfs) _(fsync) _(ftruncate) _(fts_open) _(fts_read) \
	_(futimens) _(fwrite) _(getaddrinfo) _(getcwd) _(getdents64) _(getrandom) _(getrlimit) _(ioctl) _(kill) \
	_(linkat) _(listen) _(lseek) _(lstat) _(madvise) _(memfd_create) _(mkdir) _(mkdirat) _(mkostemp) _(mmap) \
	_(mremap) _(munmap) _(nanosleep) _(nftw) _(open) _(openat) _(pidfd_open) _(pipe2) _(poll) _(prctl) \
	_(pread) _(printf) _(pthread_create) _(pthread_kill) _(pthread_sigmask) _(puts) _(pwrite) _(raise) \
	_(read) _(readdir) _(readlink) _(readlinkat) _(realpath) _(recvfrom) _(recvmsg) _(remove) _(rename) \
	_(renameat) _(rewind) _(rmdir) _(scandir) _(scandirat) _(send) _(sendmsg) _(sendto) _(setitimer) \
	_(setpgid) _(setsid) _(sigaction) _(signal) _(signalfd) _(sigtimedwait) _(socket) _(socketpair) _(stat) \
	_(statx) _(symlinkat) _(syscall) _(tmpfile) _(unlink) _(unshare) _(usleep) _(utimensat) _(vfork) \
	_(waitid) _(waitpid) _(write) _(writev)
/* clang-format on */

enum { /* the places in `real` */
#define PLACE(name) PLACE_##name,
       FUNCTIONS(PLACE) PLACES
};

__attribute__((visibility("hidden"))) void *count_calls_real[PLACES];
static struct moment *moment;
static unsigned char *counts; /* 1; 0 in children of fork(2) (MADV_WIPEONFORK) */

static void find_real(void)
{
#define FIND(name) count_calls_real[PLACE_##name] = dlsym(RTLD_NEXT, #name);
	FUNCTIONS(FIND)
}

/* Called before each call. */
__attribute__((visibility("hidden"), used)) void count_calls_count(void);
void count_calls_count(void)
{
	if (!count_calls_real[0])
		find_real();
	if (!moment || (!moment->all && !*counts))
		return;
	if (__atomic_add_fetch(&moment->calls, 1, __ATOMIC_SEQ_CST) != moment->wanted)
		return;
	__atomic_store_n(&moment->state, MOMENT_COME, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&moment->state, __ATOMIC_SEQ_CST) == MOMENT_COME)
		__builtin_ia32_pause();
}

/* `name` keeps all registers that can hold arguments, counts, and goes on in the real function. */
/* clang-format off */
#define WRAP(name) \
	__asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name ":\n" \
	        "push %rdi\n push %rsi\n push %rdx\n push %rcx\n push %r8\n push %r9\n push %rax\n" \
	        "call count_calls_count\n" \
	        "pop %rax\n pop %r9\n pop %r8\n pop %rcx\n pop %rdx\n pop %rsi\n pop %rdi\n" \
	        "jmp *count_calls_real+8*(" #name "_place)(%rip)\n" \
	        ".size " #name ",.-" #name "\n");
/* clang-format on */
#define SET_PLACE(name) __asm__(".set " #name "_place, %c0" ::"i"(PLACE_##name));

FUNCTIONS(WRAP)

__attribute__((used)) static void set_places(void)
{
	FUNCTIONS(SET_PLACE)
}

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("EREMITE_MOMENT");
	if (!count_calls_real[0])
		find_real();
	const int fd =
		path ? ((int (*)(const char *, int, ...))count_calls_real[PLACE_open])(path, O_RDWR | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	struct moment *shared = ((void *(*)(void *, size_t, int, int, int, off_t))count_calls_real[PLACE_mmap])(
		NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	((int (*)(int))count_calls_real[PLACE_close])(fd);
	counts = ((void *(*)(void *, size_t, int, int, int, off_t))count_calls_real[PLACE_mmap])(
		NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || counts == MAP_FAILED)
		abort();
	((int (*)(void *, size_t, int))count_calls_real[PLACE_madvise])(counts, 4096, MADV_WIPEONFORK);
	*counts = !__atomic_exchange_n(&shared->begun, 1, __ATOMIC_SEQ_CST);
	moment = shared;
}
