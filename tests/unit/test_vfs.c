/* SPDX-License-Identifier: MIT */
/* What has no oracle on Linux: devices and console, deadlocks, full memory, how many links a path may lead through,
 * stable listings, the walk over /out, and damaged root images. Each test mounts a file system of its own, in a process
 * of its own. */
#define _GNU_SOURCE
#include "abi/errno.h"
#include "abi/linux.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/boot.h"
#include "kernel/end.h"
#include "kernel/mm/frame.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/vfs.h"
#include "tests/unit/fakes/erofs_image.h"
#include "tests/unit/fakes/fakes.h"
#include "tests/unit/fakes/tap.h"

#define RDWR_CREATE (LINUX_O_RDWR | LINUX_O_CREAT)

static char buffer[1 << 16];
static struct linux_stat st;

#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			_exit(1); \
		} \
	} while (0)

/* Runs a test in a child, over an image or over nothing. */
static void isolated(void (*body)(void), const uint8_t *image, size_t bytes)
{
	int status;
	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		struct boot_info boot = {.root = image ? virt_to_phys(image) : 0, .root_bytes = bytes};
		if (vfs_init(&boot) < 0)
			_exit(image ? 0 : 1); /* refused */
		body();
		_exit(0);
	}
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
}

static void devices(void)
{
	long fd = sys_open("/dev/null", LINUX_O_RDWR, 0);
	CHECK(fd == 3);
	CHECK(sys_write(3, "abc", 3) == 3 && sys_read(3, buffer, 3) == 0 && sys_lseek(3, 5, LINUX_SEEK_SET) == 0);
	CHECK(sys_open("/dev/zero", LINUX_O_RDWR, 0) == 4);
	memset(buffer, 1, 10);
	CHECK(sys_read(4, buffer, 10) == 10 && !memcmp(buffer, "\0\0\0\0\0\0\0\0\0\0", 10));
	CHECK(sys_open("/dev/full", LINUX_O_RDWR, 0) == 5 && sys_write(5, "a", 1) == -ENOSPC);
	CHECK(sys_open("/dev/urandom", 0, 0) == 6 && sys_read(6, buffer, 3) == 3 && buffer[1] == 1);
	CHECK(sys_open("/dev/tty", LINUX_O_RDWR, 0) == -ENXIO);
	CHECK(sys_rmdir("/dev") == -EBUSY && sys_rmdir("/out") == -EBUSY && sys_rename("/out", "/x") == -EBUSY);
	CHECK(sys_rename("/dev/null", "/tmp/null") == -EXDEV && sys_link("/dev/null", "/tmp/null") == -EXDEV);
	CHECK(sys_stat("/tmp", &st) == 0 && st.st_mode == (LINUX_S_IFDIR | 01777));
}

/* path_resolution(7): 40 symbolic links, counted over the whole path. */
static void links(void)
{
	char name[16] = "0", target[16];
	CHECK(sys_mkdir("0", 0755) == 0);
	for (int i = 1; i <= 41; i++) {
		memcpy(target, name, sizeof(target));
		snprintf(name, sizeof(name), "%d", i);
		CHECK(sys_symlink(target, name) == 0);
	}
	CHECK(sys_access("40", 0) == 0 && sys_access("41", 0) == -ELOOP && sys_access("40/", 0) == 0);
	CHECK(sys_access("20/../20", 0) == 0 && sys_access("20/../21", 0) == -ELOOP);
	CHECK(sys_readlink("41", buffer, 100) == 2 && sys_readlink("41/", buffer, 100) == -ELOOP);
	CHECK(sys_lstat("40/../1", &st) == 0 && LINUX_S_ISLNK(st.st_mode) && sys_stat("40/../1", &st) == -ELOOP);
}

static void console(void)
{
	fake_input = "one\ntwo";
	CHECK(sys_read(0, buffer, 100) == 4 && sys_read(0, buffer, 100) == 3 && sys_read(0, buffer, 100) == 0);
	CHECK(sys_write(1, "out", 3) == 3 && sys_write(0, "x", 1) == -EBADF && sys_read(1, buffer, 1) == -EBADF);
	CHECK(sys_write(1, FAKE_BAD_POINTER, 3) == -EFAULT);
	CHECK(sys_ioctl(1, LINUX_TCGETS, buffer) == -ENOTTY && sys_lseek(0, 0, LINUX_SEEK_CUR) == -ESPIPE);
	long fd = sys_open("/dev/stderr", LINUX_O_WRONLY, 0);
	CHECK(fd == 3 && sys_write(3, "err", 3) == 3 && fake_output_bytes == 6 && !memcmp(fake_output, "outerr", 6));
	CHECK(sys_readlink("/dev/stdin", buffer, 100) == 15 && !memcmp(buffer, "/proc/self/fd/0", 15));
}

static void terminal(void)
{
	struct linux_winsize size;
	CHECK(sys_ioctl(1, LINUX_TIOCGWINSZ, &size) == 0 && size.ws_row == 24 && size.ws_col == 80);
	CHECK(sys_ioctl(0, LINUX_TCGETS, buffer) == 0 && sys_open("/dev/tty", LINUX_O_RDWR, 0) == 3);
	CHECK(sys_fstat(1, &st) == 0 && LINUX_S_ISCHR(st.st_mode) && sys_write(3, "x", 1) == 1);
}

static void pipes(void)
{
	int fds[2];
	CHECK(sys_pipe2(fds, 0) == 0 && fds[0] == 3 && fds[1] == 4);
	struct linux_pollfd polled[2] = {{3, LINUX_POLLIN, 0}, {4, LINUX_POLLOUT, 0}};
	CHECK(sys_poll(polled, 2, 0) == 1 && polled[0].revents == 0 && polled[1].revents == LINUX_POLLOUT);
	CHECK(sys_read(3, buffer, 10) == -EINTR && fake_deadlock);
	CHECK(sys_fcntl(4, LINUX_F_SETFL, LINUX_O_NONBLOCK) == 0);
	long total = 0, step;
	while ((step = sys_write(4, buffer, 5000)) > 0)
		total += step;
	CHECK(step == -EAGAIN && total == 65536);
	CHECK(sys_write(4, buffer, 4096) == -EAGAIN && sys_read(3, buffer, 4000) == 4000);
	CHECK(sys_write(4, buffer, 4001) == -EAGAIN && sys_write(4, buffer, 3999) == 3999);
	CHECK(sys_poll(polled, 2, 0) == 1 && polled[0].revents == LINUX_POLLIN && polled[1].revents == 0);
	CHECK(sys_fcntl(3, LINUX_F_GETPIPE_SZ, 0) == 65536 && sys_lseek(3, 0, 0) == -ESPIPE);
	CHECK(sys_close(3) == 0 && sys_write(4, "x", 1) == -EPIPE && fake_signal == 13);
	CHECK(sys_poll(polled + 1, 1, -1) == 1 && polled[1].revents & LINUX_POLLERR);
	CHECK(sys_pipe2(fds, LINUX_O_CLOEXEC) == 0 && sys_close(fds[1]) == 0 && sys_read(fds[0], buffer, 9) == 0);
	struct linux_timeval second = {1, 0};
	CHECK(sys_select(0, NULL, NULL, NULL, &second) == 0 && second.tv_sec == 0);
}

/* The same write fails at the same byte, and nothing is lost by it. */
static void full_memory(void)
{
	long fd = sys_open("/tmp/file", RDWR_CREATE, 0600), total = 0, step;
	fake_frames_left = 100;
	while ((step = sys_write((int)fd, buffer, 10000)) > 0)
		total += step;
	CHECK(step == -ENOSPC && total == 99 * 4096); /* one frame is the table */
	CHECK(sys_ftruncate((int)fd, 0) == 0 && fake_frames_left == 100);
	CHECK(sys_pwrite64((int)fd, "again", 5, 0) == 5);
	CHECK(sys_unlink("/tmp/file") == 0 && fake_frames_left == 99 && sys_close((int)fd) == 0 &&
	      fake_frames_left == 100);
}

static void large_file(void)
{
	int fd = (int)sys_open("/tmp/file", RDWR_CREATE, 0600);
	for (long at = 0; at < 5 << 20; at += 65536) {
		memset(buffer, (int)(at >> 16), sizeof(buffer));
		CHECK(sys_write(fd, buffer, sizeof(buffer)) == 65536);
	}
	uint64_t used = fake_frames_used;
	CHECK(used >= 512 + 2 * 512 && used <= 512 + 2 * 512 + 3); /* a table and two blocks */
	CHECK(sys_pread64(fd, buffer, 65536, 3 << 20) == 65536 && buffer[0] == 48 && buffer[65535] == 48);
	CHECK(sys_ftruncate(fd, 3 << 20) == 0 && sys_ftruncate(fd, 4 << 20) == 0);
	CHECK(sys_pread64(fd, buffer, 65536, 3 << 20) == 65536 && buffer[0] == 0 && buffer[65535] == 0);
	CHECK(sys_pwrite64(fd, "x", 1, 1L << 40) == 1 && sys_fstat(fd, &st) == 0 && st.st_size == (1L << 40) + 1);
	CHECK(sys_lseek(fd, 5 << 20, LINUX_SEEK_DATA) == 1L << 40);
	uint64_t physical;
	bool own;
	CHECK(data_page(process_current->files->fds.files[fd]->inode, 1 << 20, VM_PEEK, &physical, &own) == -EAGAIN);
	CHECK(data_page(process_current->files->fds.files[fd]->inode, 0, VM_STORE, &physical, &own) == 0 && own &&
	      *(char *)phys_to_virt(physical) == 0);
}

static void attributes(void)
{
	CHECK(sys_mkdir("/d", 0755) == 0 && sys_symlink("d", "/l") == 0);
	CHECK(sys_getxattr("/d", "user.x", buffer, 10) == -ENODATA && sys_listxattr("/d", buffer, 10) == 0);
	CHECK(sys_setxattr("/d", "user.x", "v", 1, 2) == -ENODATA &&
	      sys_setxattr("/d", "user.x", "v", 1, 4) == -EINVAL);
	CHECK(sys_setxattr("/d", "user.x", "v", 1, 1) == 0 && sys_setxattr("/d", "user.x", "v", 1, 1) == -EEXIST);
	CHECK(sys_getxattr("/l", "user.x", buffer, 10) == 1 && buffer[0] == 'v');
	CHECK(sys_removexattr("/d", "user.x") == 0 && sys_removexattr("/d", "user.x") == -ENODATA);
	CHECK(sys_lgetxattr("/l", "user.x", buffer, 10) == -ENODATA &&
	      sys_lsetxattr("/l", "user.x", "v", 1, 0) == -EPERM);
	CHECK(sys_getxattr("/x", "user.x", buffer, 10) == -ENOENT && sys_getxattr("/d", "", buffer, 10) == -ERANGE);
	CHECK(sys_fgetxattr(99, "user.x", buffer, 10) == -EBADF && sys_fremovexattr(1, "security.x") == -EOPNOTSUPP);
	CHECK(sys_getxattr(NULL, "user.x", buffer, 10) == -EFAULT && sys_getxattr("/d", NULL, buffer, 10) == -EFAULT);
}

static int next_name(int fd, char *name)
{
	long bytes = sys_getdents64(fd, buffer, 40);
	if (bytes <= 0)
		return 0;
	struct linux_dirent64 *entry = (void *)buffer;
	CHECK(bytes == entry->d_reclen);
	strcpy(name, entry->d_name);
	return (int)entry->d_off;
}

/* Offsets stay good while names go and come. */
static void stable_listing(void)
{
	char path[40], name[40];
	CHECK(sys_mkdir("/d", 0755) == 0);
	for (int i = 9; i >= 0; i--) {
		sprintf(path, "/d/f%d", i);
		CHECK(sys_close((int)sys_open(path, RDWR_CREATE, 0600)) == 0);
	}
	int fd = (int)sys_open("/d", LINUX_O_DIRECTORY, 0), offset = 0;
	for (int i = 0; i < 5; i++)
		offset = next_name(fd, name);
	CHECK(!strcmp(name, "f2"));
	CHECK(sys_unlink("/d/f2") == 0 && sys_unlink("/d/f3") == 0 && sys_unlink("/d/f0") == 0);
	CHECK(sys_close((int)sys_open("/d/a", RDWR_CREATE, 0600)) == 0);
	CHECK(next_name(fd, name) && !strcmp(name, "f4"));
	CHECK(sys_lseek(fd, offset, LINUX_SEEK_SET) == offset && next_name(fd, name) && !strcmp(name, "f4"));
	CHECK(sys_lseek(fd, 0, LINUX_SEEK_SET) == 0);
	static const char *const wanted[] = {".", "..", "a", "f1", "f4", "f5", "f6", "f7", "f8", "f9"};
	for (int i = 0; i < 10; i++)
		CHECK(next_name(fd, name) && !strcmp(name, wanted[i]));
	CHECK(!next_name(fd, name) && sys_getdents64(fd, buffer, 40) == 0);
}

static char walked[1000];

static int note(const struct vfs_entry *entry, void *context)
{
	(void)context;
	sprintf(walked + strlen(walked), "%s:%lu ", entry->path,
	        (unsigned long)(entry->kind == LINUX_S_IFDIR ? 0 : entry->bytes));
	for (uint64_t at = 0; entry->kind != LINUX_S_IFDIR && at < entry->bytes;) {
		const void *data;
		size_t bytes;
		CHECK(vfs_entry_data(entry, at, &data, &bytes) == 0 && bytes > 0);
		sprintf(walked + strlen(walked), "%c%lu ", data ? '+' : '-', (unsigned long)bytes);
		at += bytes;
	}
	return 0;
}

static void walk(void)
{
	CHECK(sys_mkdir("/out/b", 0755) == 0 && sys_mkdir("/out/a", 0755) == 0 && sys_symlink("x", "/out/b/l") == 0);
	int fd = (int)sys_open("/out/b-c", RDWR_CREATE, 0600);
	CHECK(sys_pwrite64(fd, "x", 1, 9999) == 1);
	fake_frames_left = 0;
	CHECK(vfs_walk("/out", note, NULL) == 0);
	fake_frames_left = 1000;
	CHECK(!strcmp(walked, "a:0 b:0 b/l:1 +1 b-c:10000 -4096 -4096 +1808 "));
	walked[0] = 0;
	fd = (int)sys_open("/out/a/sparse", RDWR_CREATE, 0600);
	CHECK(sys_pwrite64(fd, "x", 1, 10) == 1 && sys_pwrite64(fd, "x", 1, 7UL << 21) == 1 &&
	      sys_ftruncate(fd, 1L << 62) == 0 && sys_unlink("/out/b-c") == 0);
	CHECK(vfs_walk("/out", note, NULL) == 0);
	CHECK(!strcmp(walked, "a:0 a/sparse:4611686018427387904 +4096 -2093056 -2097152 -2097152 -2097152 -2097152 "
	                      "-2097152 -2097152 +4096 -2093056 -4611686018410610688 b:0 b/l:1 +1 "));
	CHECK(sys_unlink("/out/a/sparse") == 0);
}

static char previous[LINUX_PATH_MAX];
static unsigned visits;

/* Each path is above the one before, with '/' below every other byte. */
static int check_order(const struct vfs_entry *entry, void *context)
{
	size_t same = 0;
	(void)context;
	while (previous[same] && previous[same] == entry->path[same])
		same++;
	int a = previous[same] == '/' ? 1 : (unsigned char)previous[same];
	int b = entry->path[same] == '/' ? 1 : (unsigned char)entry->path[same];
	CHECK(a < b);
	strcpy(previous, entry->path);
	visits++;
	return 0;
}

/* Names in an order of their own, deep directories and empty ones, without any memory at the end; then once more with
 * the names sorted already, and after a listing. */
static void walk_without_memory(void)
{
	char path[300] = "/out";
	for (unsigned i = 0; i < 1000; i++) {
		sprintf(path, "/out/%03x", i * 619 % 1000);
		CHECK(i % 7 ? sys_mknod(path, LINUX_S_IFREG | 0600, 0) == 0 : sys_mkdir(path, 0700) == 0);
	}
	strcpy(path, "/out/1ee");
	CHECK(sys_stat(path, &st) == 0);
	if (!LINUX_S_ISDIR(st.st_mode))
		CHECK(sys_unlink(path) == 0 && sys_mkdir(path, 0700) == 0);
	for (unsigned i = 0; i < 100; i++)
		CHECK(sys_mkdir(strcat(path, "/d"), 0700) == 0);
	CHECK(sys_mknod("/out/1ee/e", LINUX_S_IFIFO | 0600, 0) == 0);
	for (unsigned round = 0; round < 3; round++) {
		fake_frames_left = 0;
		visits = 0;
		previous[0] = 0;
		CHECK(vfs_walk("/out", check_order, NULL) == 0 && visits == 1101);
		fake_frames_left = 1000;
		int fd = (int)sys_open("/out", LINUX_O_DIRECTORY, 0);
		CHECK(fd >= 0 && sys_getdents64(fd, buffer, 40) > 0);
	}
}

static void over_image(void)
{
	CHECK(sys_stat("/dir/size12345", &st) == 0 && st.st_nlink == 3);
	uint64_t ino = st.st_ino;
	int fd = (int)sys_open("/dir/size12345", LINUX_O_RDWR, 0);
	CHECK(sys_pwrite64(fd, "changed", 7, 5000) == 7 && sys_rename("/dir", "/moved") == 0);
	CHECK(sys_stat("/deep/a/hard2", &st) == 0 && st.st_ino == ino && st.st_size == 12345);
	fd = (int)sys_open("/deep/a/hard2", 0, 0);
	CHECK(sys_pread64(fd, buffer, 7, 5000) == 7 && !memcmp(buffer, "changed", 7));
	CHECK(sys_unlink("/moved/size0") == 0 && sys_stat("/moved/size0", &st) == -ENOENT);
	CHECK(sys_rmdir("/many") == -ENOTEMPTY && sys_stat("/dir", &st) == -ENOENT);
	CHECK(sys_open("/dir", RDWR_CREATE, 0600) >= 0 && sys_stat("/dir", &st) == 0 && st.st_ino > ino &&
	      st.st_nlink == 1);
	CHECK(sys_truncate("/moved/size8192", 4097) == 0 && sys_truncate("/moved/size8192", 8192) == 0);
	fd = (int)sys_open("/moved/size8192", 0, 0);
	CHECK(sys_pread64(fd, buffer, 2, 4096) == 2 && buffer[0] != 0 && buffer[1] == 0);
	CHECK(sys_open("/moved/pipe", LINUX_O_WRONLY | LINUX_O_NONBLOCK, 0) == -ENXIO &&
	      sys_open("/moved/pipe", 0, 0) == -EINTR && strstr(fake_deadlock, "FIFO") &&
	      sys_open("/moved/pipe", LINUX_O_RDWR, 0) > 0 && sys_readlink("/long", buffer, 1000) == 202);
}

/* Copy-up without memory: an error, and the file as it was under each of its names. */
static void copy_up_without_memory(void)
{
	static char before[300000], after[300000];
	int fd = (int)sys_open("/dir/size300000", LINUX_O_RDWR, 0);
	CHECK(sys_pread64(fd, before, sizeof(before), 0) == (long)sizeof(before));
	fake_frames_left = 0;
	CHECK(sys_pwrite64(fd, "x", 1, 8191) == -ENOSPC && sys_fallocate(fd, 3, 4096, 100) == -ENOSPC);
	fake_frames_left = 1; /* enough for the table of frames, not for a frame */
	CHECK(sys_pwrite64(fd, "x", 1, 8191) == -ENOSPC && sys_fstat(fd, &st) == 0 && st.st_size == 300000);
	fake_frames_left = 100;
	CHECK(sys_pread64(fd, after, sizeof(after), 0) == (long)sizeof(after) && !memcmp(before, after, sizeof(after)));
	CHECK(sys_pwrite64(fd, "x", 1, 8191) == 1);
	before[8191] = 'x';
	CHECK(sys_pread64(fd, after, sizeof(after), 0) == (long)sizeof(after) && !memcmp(before, after, sizeof(after)));
	fd = (int)sys_open("/dir/hard", LINUX_O_WRONLY, 0);
	fake_frames_left = 0;
	CHECK(sys_write(fd, "y", 1) == -ENOSPC && sys_rename("/dir/hard", "/moved") == 0);
	fake_frames_left = 2;
	CHECK(sys_write(fd, "y", 1) == 1 && sys_open("/deep/a/hard2", 0, 0) == fd + 1);
	CHECK(sys_pread64(fd + 1, after, 1, 0) == 1 && after[0] == 'y');
}

static int touch(const struct vfs_entry *entry, void *context)
{
	(void)context;
	uint64_t steps = 100;
	for (uint64_t at = 0; entry->kind != LINUX_S_IFDIR && at < entry->bytes && steps; steps--) {
		const void *data;
		size_t bytes;
		if (vfs_entry_data(entry, at, &data, &bytes) < 0)
			break;
		if (data)
			buffer[0] = ((const char *)data)[bytes - 1];
		at += bytes;
	}
	return 0;
}

static bool is_damaged;

/* Of a damaged image it may seem that it is compressed. */
_Noreturn void end_with_report(enum end_reason reason, int sig, const char *what)
{
	(void)sig;
	fprintf(stderr, "%s\n", what);
	_exit(is_damaged && reason == END_REFUSED ? 0 : 1);
}

/* Whatever a damaged image does, it does it to the program: errors, not harm. */
static void over_damaged_image(void)
{
	is_damaged = true;
	vfs_walk("/", touch, NULL);
	sys_rename("/dir", "/deep/dir");
	sys_open("/deep/dir/size4097", LINUX_O_RDWR | LINUX_O_TRUNC, 0);
	sys_unlink("/deep/link");
	sys_rmdir("/empty");
	int fd = (int)sys_open("/many", 0, 0);
	while (sys_getdents64(fd, buffer, sizeof(buffer)) > 0)
		;
	vfs_walk("/", touch, NULL);
}

#define ISOLATED(name) \
	static void test_##name(void **state) \
	{ \
		(void)state; \
		isolated(name, NULL, 0); \
	}
ISOLATED(devices)
ISOLATED(links)
ISOLATED(console)
ISOLATED(pipes)
ISOLATED(full_memory)
ISOLATED(large_file)
ISOLATED(attributes)
ISOLATED(stable_listing)
ISOLATED(walk)
ISOLATED(walk_without_memory)

static void test_terminal(void **state)
{
	(void)state;
	fake_terminal = true;
	isolated(terminal, NULL, 0);
	fake_terminal = false;
}

static void test_root_image(void **state)
{
	char tree[64];
	size_t bytes;
	const char *steps = getenv("EREMITE_STEPS");
	(void)state;
	erofs_image_make_tree(tree);
	uint8_t *image = erofs_image_make(tree, "", &bytes);
	erofs_image_remove_tree(tree);
	if (!image)
		skip();
	isolated(over_image, image, bytes);
	isolated(copy_up_without_memory, image, bytes);
	srandom(1);
	for (int i = steps ? atoi(steps) : 40; i > 0; i--) {
		uint8_t saved[40000], *start = image + 1028;
		memcpy(saved, start, sizeof(saved));
		for (long flips = 1 + random() % 40; flips > 0; flips--)
			start[random() % (long)sizeof(saved)] ^= (uint8_t)(1 << random() % 8);
		isolated(over_damaged_image, image, bytes);
		memcpy(start, saved, sizeof(saved));
	}
	free(image);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_devices),        cmocka_unit_test(test_links),
	cmocka_unit_test(test_console),        cmocka_unit_test(test_terminal),
	cmocka_unit_test(test_pipes),          cmocka_unit_test(test_full_memory),
	cmocka_unit_test(test_large_file),     cmocka_unit_test(test_attributes),
	cmocka_unit_test(test_stable_listing), cmocka_unit_test(test_walk),
	cmocka_unit_test(test_root_image),     cmocka_unit_test(test_walk_without_memory),
};

TAP_MAIN(tests)
