/* SPDX-License-Identifier: MIT */
/* A program that ends in every way a program can end: misbehave WAY [ARGUMENT]. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static volatile int zero;
static volatile char sink;

static void jump_to_null(const char *arg)
{
	(void)arg;
	((void (*)(void))(uintptr_t)zero)();
}

__attribute__((noinline)) static int deeper(int n)
{
	volatile char block[1024];
	block[0] = (char)n;
	if (n < 0)
		return 0;
	return deeper(n + 1) + block[0];
}

static void overflow_stack(const char *arg)
{
	(void)arg;
	sink = (char)deeper(0);
}

static void large_frame(const char *arg)
{
	(void)arg;
	volatile char *block = __builtin_alloca(100UL << 20);
	block[0] = 1;
	sink = block[0];
}

static void read_behind_end(const char *arg)
{
	(void)arg;
	int fd = open("/short", O_RDWR | O_CREAT, 0644);
	if (fd >= 0 && ftruncate(fd, 100) == 0)
		sink = *((volatile char *)mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, fd, 0) + 4096);
}

static void write_text(const char *arg)
{
	(void)arg;
	*(volatile char *)(uintptr_t)write_text = 1;
}

static void execute_data(const char *arg)
{
	static unsigned char code[] = {0xc3};
	(void)arg;
	((void (*)(void))(uintptr_t)code)();
}

static void divide(const char *arg)
{
	(void)arg;
	__asm__ volatile("div %%ecx" : : "a"(1), "d"(0), "c"(zero));
}

static void exhaust_malloc(const char *arg)
{
	size_t bytes = 0;
	void *block;
	(void)arg;
	while ((block = malloc(100000))) {
		memset(block, 1, 100000);
		bytes += 100000;
	}
	fprintf(stderr, "%s after %zu\n", errno == ENOMEM ? "ENOMEM" : "another error", bytes);
	exit(3);
}

static void exhaust_mmap(const char *arg)
{
	size_t bytes = 0;
	(void)arg;
	while (mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		bytes += 1 << 20;
	fprintf(stderr, "%s after %zu\n", errno == ENOMEM ? "ENOMEM" : "another error", bytes);
	exit(3);
}

/* Writes files until there is no room. */
static void exhaust_files(const char *arg)
{
	static char block[65536];
	int fd = open("/tmp/large", O_WRONLY | O_CREAT, 0644);
	(void)arg;
	if (fd < 0)
		fd = open("/large", O_WRONLY | O_CREAT, 0644);
	ssize_t done;
	while ((done = write(fd, block, sizeof(block))) > 0)
		;
	fprintf(stderr, "%s\n", done < 0 && (errno == ENOSPC || errno == ENOMEM) ? "no room" : "another error");
	exit(3);
}

static void print_lines(const char *arg)
{
	long lines = atol(arg);
	for (long i = 0; i < lines; i++)
		printf("line %ld of many, eighty characters long more or less, like a real one ........\n", i);
	exit(0);
}

static void print_forever(const char *arg)
{
	(void)arg;
	for (;;)
		puts("and again and again and again and again and again and again and again and again");
}

static void spin(const char *arg)
{
	(void)arg;
	for (;;)
		zero = zero + 1;
}

static void exit_with(const char *arg)
{
	exit(atoi(arg));
}

static void wait_for_nothing(const char *arg)
{
	(void)arg;
	pause();
}

static void read_empty_pipe(const char *arg)
{
	int fds[2];
	char byte;
	(void)arg;
	pipe(fds);
	exit((int)read(fds[0], &byte, 1));
}

static void open_fifo(const char *arg)
{
	mkfifo("/tmp/fifo", 0600);
	exit(open("/tmp/fifo", *arg == 'r' ? O_RDONLY : O_WRONLY));
}

static void lock_twice(const char *arg)
{
	int first = open("/tmp/file", O_RDWR | O_CREAT, 0600), second = open("/tmp/file", O_RDWR);
	struct flock record = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	if (*arg == 'f')
		exit(flock(first, LOCK_EX) || flock(second, LOCK_SH));
	exit(fcntl(first, F_OFD_SETLK, &record) || fcntl(second, F_OFD_SETLKW, &record));
}

static void raise_signal(const char *arg)
{
	raise(atoi(arg));
	exit(99);
}

static void call_abort(const char *arg)
{
	(void)arg;
	abort();
}

static void breakpoint(const char *arg)
{
	(void)arg;
	__asm__ volatile("int3");
}

static void undefined(const char *arg)
{
	(void)arg;
	__asm__ volatile("ud2");
}

static void privileged(const char *arg)
{
	(void)arg;
	__asm__ volatile("cli; hlt");
}

static void raw_syscall(const char *arg)
{
	long result;
	(void)arg;
	__asm__ volatile("syscall" : "=a"(result) : "a"(39L) : "rcx", "r11", "memory");
	exit(98);
}

/* The stack pointer itself is wrong when the fault comes. */
static void lose_stack(const char *arg)
{
	(void)arg;
	__asm__ volatile("xor %%esp, %%esp\n\tpush %%rax" : : : "memory");
}

static void fault_in_handler(int sig)
{
	(void)sig;
	*(volatile char *)(uintptr_t)zero = 1;
}

static void fault_twice(const char *arg)
{
	(void)arg;
	signal(SIGSEGV, fault_in_handler);
	fault_in_handler(0);
}

/* A handler, but no stack to call it on. */
static void handle_overflow(const char *arg)
{
	signal(SIGSEGV, fault_in_handler);
	overflow_stack(arg);
}

static void make_file(const char *path, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
	if (fd < 0 || write(fd, path, strlen(path)) < 0)
		exit(97);
	close(fd);
}

/* Leaves a tree in /out. */
static void leave_files(const char *arg)
{
	(void)arg;
	mkdir("/out", 0755);
	mkdir("/out/dir", 0755);
	mkdir("/out/dir/closed", 0500);
	make_file("/out/plain", 0644);
	make_file("/out/dir/script", 0755);
	symlink("plain", "/out/link");
	symlink("/etc/passwd", "/out/dir/outside");
	exit(0);
}

static void write_page(int fd, unsigned page)
{
	static char data[4096];
	memset(data, (int)(page % 251) + 1, sizeof(data));
	pwrite(fd, data, sizeof(data), (off_t)page * 4096);
}

/* A hole of 100 MiB with a page in the middle, and 16 MiB whose pages were written in an order of their own. */
static void leave_sparse(const char *arg)
{
	(void)arg;
	int holes = open("/out/holes", O_RDWR | O_CREAT, 0644);
	int scattered = open("/out/scattered", O_RDWR | O_CREAT, 0644);
	write_page(holes, 12800);
	ftruncate(holes, 100L << 20);
	for (unsigned i = 0; i < 4096; i++)
		write_page(scattered, i * 2053 % 4096);
	exit(0);
}

/* A path that no announcement has room for. */
static void leave_deep(const char *arg)
{
	char name[201] = "";
	memset(name, 'd', 200);
	(void)arg;
	chdir("/out");
	for (int i = 0; i < 20 && mkdir(name, 0755) == 0; i++)
		chdir(name);
	memset(name, 'f', 80);
	name[80] = 0;
	exit(open(name, O_RDWR | O_CREAT, 0644) < 0);
}

/* As deep as a path of 4087 bytes allows. */
static void leave_deepest(const char *arg)
{
	(void)arg;
	chdir("/out");
	for (int i = 0; i < 2043; i++)
		if (mkdir("d", 0755) || chdir("d"))
			exit(97);
	make_file("f", 0644);
	exit(0);
}

/* What no directory of the host should hold. */
static void leave_special(const char *arg)
{
	(void)arg;
	make_file("/out/a", 0644);
	exit(mkfifo("/out/pipe", 0644) || mkfifo("/out/pipe2", 0644) || mkdir("/out/z", 0755));
}

/* A file system that is full of what goes to the host: one large file, or with an argument of 1 as many as it takes. */
static void leave_full(const char *arg)
{
	static char data[4096];
	char name[40];
	make_file("/out/a.txt", 0644);
	for (unsigned i = 0; *arg == '1'; i++) {
		sprintf(name, "/out/%u", i * 7919 % 1000003);
		int fd = open(name, O_CREAT | O_WRONLY, 0644);
		if (fd < 0)
			break;
		close(fd);
	}
	int fd = open("/out/big", O_CREAT | O_WRONLY, 0644);
	while (write(fd, data, sizeof(data)) > 0)
		;
	_exit(errno != (*arg == '1' ? EBADF : ENOSPC));
}

/* Something in /out, and then no memory at all; with an argument of 0, nothing in /out. */
static void leave_no_memory(const char *arg)
{
	if (*arg != '0') {
		mkdir("/out/dir", 0755);
		make_file("/out/dir/file", 0644);
		make_file("/out/after", 0644);
		int fd = open("/out/hole", O_CREAT | O_RDWR, 0644);
		ftruncate(fd, 100000);
		close(fd);
	}
	fflush(NULL);
	for (size_t bytes = 1UL << 24; bytes >= 4096; bytes /= 2)
		while (mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
			;
	while (dup(0) >= 0) /* what the kernel has left in its own pages */
		;
	for (int i = 0; symlink("x", "/tmp/y") == 0; i++) {
		char name[40];
		sprintf(name, "/tmp/%d", i);
		if (rename("/tmp/y", name))
			break;
	}
	_exit(0);
}

/* Takes every page of the image away for a moment. The kernel must refuse its own, and code; else it crashes. */
static void protect_image(const char *arg)
{
	extern char __image_start[], __image_end[];
	static char own[4096] __attribute__((aligned(4096)));
	unsigned granted = 0, refused = 0, own_granted = 0;
	(void)arg;
	for (char *page = __image_start; page < __image_end; page += 4096) {
		if (mprotect(page, 4096, PROT_NONE)) {
			refused++;
			if (mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0)
				exit(2);
		} else {
			mprotect(page, 4096, PROT_READ | PROT_WRITE);
			granted++;
			own_granted += page == own;
		}
		if (!mprotect(page, 4096, PROT_READ | PROT_EXEC))
			exit(3);
	}
	bool all = !mprotect(__image_start, (size_t)(__image_end - __image_start), PROT_READ);
	exit(all || !granted || !refused || !own_granted);
}

static const struct way {
	const char *name;
	void (*act)(const char *arg);
} ways[] = {
	{"jump-to-null", jump_to_null},
	{"overflow-stack", overflow_stack},
	{"large-frame", large_frame},
	{"read-behind-end", read_behind_end},
	{"write-text", write_text},
	{"execute-data", execute_data},
	{"divide", divide},
	{"exhaust-malloc", exhaust_malloc},
	{"exhaust-mmap", exhaust_mmap},
	{"exhaust-files", exhaust_files},
	{"print", print_lines},
	{"print-forever", print_forever},
	{"spin", spin},
	{"exit", exit_with},
	{"pause", wait_for_nothing},
	{"empty-pipe", read_empty_pipe},
	{"open-fifo", open_fifo},
	{"lock-twice", lock_twice},
	{"raise", raise_signal},
	{"abort", call_abort},
	{"breakpoint", breakpoint},
	{"undefined", undefined},
	{"privileged", privileged},
	{"raw-syscall", raw_syscall},
	{"lose-stack", lose_stack},
	{"fault-twice", fault_twice},
	{"handle-overflow", handle_overflow},
	{"protect-image", protect_image},
	{"leave-files", leave_files},
	{"leave-sparse", leave_sparse},
	{"leave-deep", leave_deep},
	{"leave-deepest", leave_deepest},
	{"leave-special", leave_special},
	{"leave-full", leave_full},
	{"leave-no-memory", leave_no_memory},
};

int main(int argc, char **argv)
{
	for (unsigned i = 0; argc > 1 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(ways[i].name, argv[1]))
			ways[i].act(argc > 2 ? argv[2] : "0");
	fprintf(stderr, "misbehave: no such way, or it led nowhere\n");
	return 96;
}
