/* SPDX-License-Identifier: MIT */
/* Files of the host as a Linux program sees them: random trees compared with Linux's own view of them, what is written
 * above them, mounts, and how often the monitor is asked. The monitor's part is the real one. Each test has a file
 * system of its own, in a process of its own. */
#define _GNU_SOURCE
#include "abi/errno.h"
#include "abi/linux.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/boot.h"
#include "hypervisor/monitor/hostfs/host_asked.h"
#include "kernel/end.h"
#include "kernel/linux/files/mounts.h"
#include "kernel/mm/frame.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/vfs.h"
#include "tests/unit/fakes/erofs_image.h"
#include "tests/unit/fakes/fakes.h"
#include "tests/unit/fakes/tap.h"
#include "tests/unit/hostfs/broker.h"

#define STEPS 3000
#define NAMES_MAX 4000

static char tree[64];
static char buffer[1 << 16], other[1 << 16];
static struct linux_stat st;
static char (*names)[300]; /* paths of all objects of the tree, without the tree's own */
static unsigned name_count;
static struct broker_run *run; /* shared with the tests' processes: the last one */
static struct broker_run expected;

#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			_exit(1); \
		} \
	} while (0)

_Noreturn void end_with_report(enum end_reason reason, int sig, const char *what)
{
	(void)reason, (void)sig;
	fprintf(stderr, "%s\n", what);
	_exit(3);
}

/* Mounts roots, in pairs of the host's path (NULL: the last) and the guest's. */
static void mount_roots(uint64_t read_only, const char *const roots[][2], const char *workdir)
{
	static char paths[1000];
	struct boot_info boot = {.host = {.paths = virt_to_phys(paths), .read_only = read_only}};
	char *at = paths;
	for (; roots[boot.host.root_count][0]; boot.host.root_count++) {
		broker_add(roots[boot.host.root_count][0], roots[boot.host.root_count][1]);
		at = stpcpy(at, roots[boot.host.root_count][1]) + 1;
	}
	at = stpcpy(at, workdir) + 1;
	boot.host.paths_bytes = (uint64_t)(at - paths);
	broker_begin();
	boot.host_ahead = broker_area();
	CHECK(vfs_init(&boot) == 0);
	mounts_init(&boot);
	mounts_enter();
}

static void mount_tree(uint64_t read_only)
{
	const char *const roots[][2] = {{tree, "/"}, {NULL, NULL}};
	mount_roots(read_only, roots, "");
}

/* Runs a test in a child: its status. */
static int isolated(void (*body)(void))
{
	int status;
	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		body();
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

static int set_up(void **state)
{
	char command[200];
	(void)state;
	run = mmap(NULL, sizeof(*run), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (run == MAP_FAILED)
		return -1;
	erofs_image_make_tree(tree);
	names = calloc(NAMES_MAX, sizeof(*names));
	snprintf(command, sizeof(command), "cd %s && find . -mindepth 1 ! -type p -printf '%%P\\n' | LC_ALL=C sort",
	         tree);
	FILE *from = popen(command, "r");
	while (name_count < NAMES_MAX && fgets(names[name_count], sizeof(*names), from)) {
		names[name_count][strcspn(names[name_count], "\n")] = 0;
		name_count++;
	}
	return pclose(from);
}

static int tear_down(void **state)
{
	(void)state;
	free(names);
	erofs_image_remove_tree(tree);
	return 0;
}

static const char *on_host(const char *path)
{
	static char full[5000];
	snprintf(full, sizeof(full), "%s/%s", tree, path);
	return full;
}

/* --- random walks --- */

/* A path of up to eight names, of which some lead nowhere, up, or through links. */
static void random_path(char *path)
{
	static const char *const extra[] = {"..", ".", "none", "link", "deep", "many", "dir", "size1", "", "dangling"};
	*path = 0;
	if (random() % 2)
		strcpy(path, names[random() % name_count]);
	for (long parts = random() % 4; parts >= 0; parts--) {
		strcat(path, "/");
		strcat(path, random() % 3 ? extra[random() % 10] : names[random() % name_count]);
	}
}

static void compare_path(int root, const char *path, int follow)
{
	uint32_t mode = 0;
	uint64_t size = 0;
	int64_t wanted = broker_oracle(root, path, follow, &mode, &size);
	long got = follow ? sys_stat(path, &st) : sys_lstat(path, &st);
	if (wanted == 0 && LINUX_S_ISFIFO(mode))
		wanted = -ENOENT;
	if (got != wanted)
		fprintf(stderr, "%s (%d): %ld, on Linux %ld\n", path, follow, got, (long)wanted);
	CHECK(got == wanted);
	if (got)
		return;
	CHECK(st.st_mode == mode && st.st_nlink == 1 && st.st_uid == 0 && st.st_gid == 0 && st.st_mtim.tv_sec == 0);
	CHECK(LINUX_S_ISDIR(mode) || (uint64_t)st.st_size == size);
}

static void compare_contents(const char *path)
{
	long got = 0;
	FILE *from = fopen(on_host(path), "r");
	int fd = (int)sys_open(path, 0, 0);
	CHECK(from && fd >= 0);
	do {
		size_t part = (size_t)random() % sizeof(buffer) + 1;
		got = sys_read(fd, buffer, part);
		CHECK(got >= 0 && fread(other, 1, part, from) == (size_t)got && !memcmp(buffer, other, (size_t)got));
	} while (got);
	CHECK(sys_close(fd) == 0);
	fclose(from);
}

/* All names below a directory of the kernel's, in order, into one text. */
static void list_all(const char *path, FILE *to)
{
	char entries[4000], child[5000];
	int fd = (int)sys_open(*path ? path : "/", LINUX_O_DIRECTORY, 0);
	CHECK(fd >= 0);
	for (long bytes; (bytes = sys_getdents64(fd, entries, sizeof(entries))) > 0;) {
		for (long at = 0; at < bytes;) {
			struct linux_dirent64 *entry = (void *)(entries + at);
			at += entry->d_reclen;
			bool own = !*path && (!strcmp(entry->d_name, "dev") || !strcmp(entry->d_name, "out") ||
			                      !strcmp(entry->d_name, "tmp") || !strcmp(entry->d_name, "home"));
			if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || own)
				continue;
			snprintf(child, sizeof(child), "%s/%s", path, entry->d_name);
			CHECK(sys_lstat(child, &st) == 0 && st.st_ino == entry->d_ino);
			CHECK(entry->d_type == (st.st_mode & LINUX_S_IFMT) >> 12);
			fprintf(to, "%s\n", child + 1);
			if (LINUX_S_ISDIR(st.st_mode))
				list_all(child, to);
		}
	}
	CHECK(sys_close(fd) == 0);
}

static unsigned seed;

static void random_walks(void)
{
	char path[5000], text[100], *listed = NULL;
	size_t bytes;
	mount_tree(0);
	int root = open(tree, 0);
	srandom(seed);
	for (unsigned i = 0; i < STEPS; i++) {
		random_path(path);
		compare_path(root, path, (int)(random() % 2));
		const char *name = names[random() % name_count];
		CHECK(sys_lstat(name, &st) == 0);
		if (LINUX_S_ISREG(st.st_mode)) {
			compare_contents(name);
		} else if (LINUX_S_ISLNK(st.st_mode)) {
			long length = sys_readlink(name, text, sizeof(text));
			CHECK(length == readlink(on_host(name), other, sizeof(text)) &&
			      !memcmp(text, other, (size_t)length));
		}
	}
	FILE *to = open_memstream(&listed, &bytes);
	list_all("", to);
	fclose(to);
	unsigned found = 0;
	for (char *line = strtok(listed, "\n"); line; line = strtok(NULL, "\n"), found++)
		for (unsigned i = 0; i < name_count; i++)
			if (!strcmp(names[i], line))
				names[i][0] = 0;
	CHECK(found == name_count);
	for (unsigned i = 0; i < name_count; i++)
		CHECK(!names[i][0]);
	CHECK(!*broker_error());
	free(listed);
	broker_end(run);
}

static void test_random(void **state)
{
	(void)state;
	for (seed = 1; seed <= 5; seed++)
		assert_int_equal(isolated(random_walks), 0);
}

/* Another run of the same, which expects what `expected` says. */
static void random_walks_expected(void)
{
	broker_expect(&expected);
	random_walks();
}

/* A list of requests without some of them, some of them twice, or up to somewhere. */
static void spoil(const struct broker_run *whole, unsigned how)
{
	expected.bytes = 0;
	for (size_t at = 0, next; at < whole->bytes; at = next) {
		struct host_asked_list list = {.bytes = (uint8_t *)whole->list, .used = whole->bytes};
		struct host_asked asked;
		next = at;
		CHECK(host_asked_next(&list, &next, &asked));
		unsigned times = how == 1 ? random() % 8 != 0 : how == 2 ? 1 + (random() % 8 == 0) : 1;
		if (how == 3 && at > whole->bytes / 3)
			break;
		for (; times; times--, expected.bytes += next - at)
			memcpy(expected.list + expected.bytes, whole->list + at, next - at);
	}
}

/* What is expected, and whether that comes, shows in nothing but the number of requests. */
static void test_ahead(void **state)
{
	static struct broker_run first;
	(void)state;
	for (seed = 1; seed <= 5; seed++) {
		assert_int_equal(isolated(random_walks), 0);
		memcpy(&first, run, sizeof(first));
		for (unsigned how = 0; how < 4; how++) {
			spoil(&first, how);
			assert_int_equal(isolated(random_walks_expected), 0);
			assert_memory_equal(run->sum, first.sum, sizeof(first.sum));
			assert_int_equal(run->bytes, first.bytes);
			assert_memory_equal(run->list, first.list, first.bytes);
			assert_true(run->requests < first.requests);
		}
		memcpy(&expected, &first, sizeof(first)); /* for another run than that */
		seed += 100;
		assert_int_equal(isolated(random_walks), 0);
		memcpy(&first, run, sizeof(first));
		assert_int_equal(isolated(random_walks_expected), 0);
		assert_memory_equal(run->sum, first.sum, sizeof(first.sum));
		seed -= 100;
	}
}

/* --- what the monitor is asked --- */

static void requests(void)
{
	mount_tree(0);
	unsigned before = broker_requests;
	CHECK(before == 3); /* the root, and /home and /etc, which the tree does not have */
	CHECK(sys_stat("/dev/null", &st) == 0 && sys_stat("/tmp", &st) == 0 && sys_stat("/out", &st) == 0);
	CHECK(broker_requests == before);
	CHECK(sys_stat("/dir/size1", &st) == 0 && sys_stat("/dir/size1", &st) == 0 && broker_requests == before + 1);
	/* What a path leads through is looked at with its beginning, and so is a last name that is not there. */
	CHECK(sys_stat("/deep/../none", &st) == -ENOENT && broker_requests == before + 3);
	CHECK(sys_stat("/empty//none", &st) == -ENOENT && sys_stat("/empty/none", &st) == -ENOENT);
	CHECK(broker_requests == before + 4);
	CHECK(sys_stat("/empty/other", &st) == -ENOENT && broker_requests == before + 5);
	before = broker_requests;
	for (int i = 0; i < 100; i++) {
		snprintf(buffer, 100, "/dir/none%d", i);
		CHECK(sys_stat(buffer, &st) == -ENOENT);
	}
	CHECK(broker_requests <= before + 10); /* eight in vain, and a list, which ends with an empty one */
	before = broker_requests;
	CHECK(sys_stat("/dir/size100", &st) == 0 && broker_requests == before + 1);
	for (int i = 0; i < 3; i++) {
		int fd = (int)sys_open("/dir/size4097", 0, 0);
		CHECK(fd >= 0 && sys_read(fd, buffer, 5000) == 4097 && sys_close(fd) == 0);
	}
	CHECK(broker_requests == before + 3);
	/* All of a listed directory, which long names and links make no dearer than a few requests. */
	before = broker_requests;
	CHECK(sys_open("/many", LINUX_O_DIRECTORY, 0) == 3 &&
	      broker_requests == before + 1); /* which lists nothing yet */
	CHECK(sys_getdents64(3, buffer, 1000) > 0);
	for (int i = 1; i <= 600; i++) {
		snprintf(buffer, 100, "/many/a-rather-long-name-to-fill-blocks-%d", i);
		CHECK(sys_stat(buffer, &st) == 0 && LINUX_S_ISREG(st.st_mode));
	}
	CHECK(broker_requests <= before + 20);
}

/* Numbers count first sights, the same in each run. */
static void numbers(void)
{
	mount_tree(0);
	CHECK(sys_stat("/", &st) == 0 && st.st_ino == 1);
	CHECK(sys_stat("/many", &st) == 0 && st.st_ino == 2);
	CHECK(sys_stat("/none", &st) == -ENOENT);
	CHECK(sys_stat("/dir/size0", &st) == 0 && st.st_ino == 4);
	CHECK(sys_lstat("/dangling", &st) == 0 && st.st_ino == 5);
}

/* --- changes --- */

static void writes(void)
{
	mount_tree(0);
	int fd = (int)sys_open("/dir/size12345", LINUX_O_RDWR, 0);
	CHECK(fd >= 0 && sys_pwrite64(fd, "new", 3, 5000) == 3 && sys_pread64(fd, buffer, 20000, 0) == 12345);
	FILE *from = fopen(on_host("dir/size12345"), "r");
	CHECK(from && fread(other, 1, sizeof(other), from) == 12345);
	fclose(from);
	CHECK(memcmp(buffer, other, 12345));
	memcpy(other + 5000, "new", 3);
	CHECK(!memcmp(buffer, other, 12345));
	CHECK(sys_ftruncate(fd, 6000) == 0 && sys_ftruncate(fd, 7000) == 0 && sys_pread64(fd, buffer, 9000, 0) == 7000);
	CHECK(!memcmp(buffer, other, 6000) && buffer[6000] == 0 && buffer[6999] == 0);
	CHECK(sys_truncate("/dir/size4096", 100) == 0 && sys_stat("/dir/size4096", &st) == 0 && st.st_size == 100);
	CHECK(sys_open("/dir/size4096", 0, 0) == 4 && sys_read(4, buffer, 200) == 100);
	CHECK(sys_unlink("/dir/size1") == 0 && sys_stat("/dir/size1", &st) == -ENOENT);
	CHECK(sys_mkdir("/dir/made", 0755) == 0 && sys_rmdir("/dir/sub") == 0 && sys_rmdir("/dir/made") == 0);
	CHECK(sys_stat("/dir", &st) == 0 && st.st_nlink == 1);
	CHECK(sys_rename("/many", "/dir/many") == 0 &&
	      sys_stat("/dir/many/a-rather-long-name-to-fill-blocks-7", &st) == 0);
	CHECK(sys_rename("/dir/size100", "/moved") == 0 && sys_stat("/moved", &st) == 0 && st.st_size == 100);
	CHECK(sys_rename("/moved", "/tmp/moved") == -EXDEV);
	CHECK(access(on_host("dir/size1"), F_OK) == 0 && access(on_host("many"), F_OK) == 0);
	CHECK(access(on_host("moved"), F_OK) != 0);
	compare_contents("/dir/size300000");
	CHECK(!*broker_error());
}

/* mount(2), MS_RDONLY: the calls that change something, in Linux's order of errors. */
static void read_only(void)
{
	mount_tree(1);
	static const struct linux_timespec omit[2] = {{0, LINUX_UTIME_OMIT}, {0, LINUX_UTIME_OMIT}};
	CHECK(sys_open("/dir/size1", LINUX_O_WRONLY, 0) == -EROFS && sys_open("/dir/size1", LINUX_O_RDWR, 0) == -EROFS);
	CHECK(sys_open("/dir/size1", LINUX_O_TRUNC, 0) == -EROFS);
	CHECK(sys_open("/dir/new", LINUX_O_CREAT, 0600) == -EROFS);
	CHECK(sys_open("/dir/size1", LINUX_O_CREAT | LINUX_O_EXCL, 0600) == -EEXIST);
	CHECK(sys_open("/dir", LINUX_O_WRONLY, 0) == -EISDIR);
	CHECK(sys_open("/dir", LINUX___O_TMPFILE | LINUX_O_DIRECTORY | LINUX_O_RDWR, 0600) == -EROFS);
	CHECK(sys_open("/dir/size1", LINUX_O_CREAT, 0600) == 3 && sys_read(3, buffer, 9) == 1);
	CHECK(sys_fchmod(3, 0600) == -EROFS && sys_fchown(3, 0, 0) == -EROFS && sys_ftruncate(3, 0) == -EINVAL);
	CHECK(sys_mkdir("/dir", 0700) == -EEXIST && sys_mkdir("/new", 0700) == -EROFS);
	CHECK(sys_mkdir("/none/new", 0700) == -ENOENT);
	CHECK(sys_mknod("/new", LINUX_S_IFREG | 0600, 0) == -EROFS && sys_symlink("x", "/new") == -EROFS);
	CHECK(sys_link("/dir/size1", "/new") == -EROFS && sys_link("/dir/size1", "/dir/size0") == -EEXIST);
	CHECK(sys_unlink("/dir/size1") == -EROFS && sys_unlink("/dir/none") == -EROFS && sys_unlink("/") == -EISDIR);
	CHECK(sys_rmdir("/empty") == -EROFS && sys_rmdir("/empty/.") == -EINVAL);
	CHECK(sys_rename("/dir/size1", "/new") == -EROFS && sys_rename("/none", "/new") == -EROFS);
	CHECK(sys_rename("/dir/size1", "/tmp/new") == -EXDEV);
	CHECK(sys_chmod("/dir/size1", 0600) == -EROFS && sys_chown("/dir", 1, 1) == -EROFS);
	CHECK(sys_utimensat(LINUX_AT_FDCWD, "/dir/size1", NULL, 0) == -EROFS);
	CHECK(sys_utimensat(LINUX_AT_FDCWD, "/dir/size1", omit, 0) == 0);
	CHECK(sys_truncate("/dir/size1", 0) == -EROFS && sys_truncate("/dir", 0) == -EISDIR);
	CHECK(sys_setxattr("/dir", "user.x", "v", 1, 0) == -EROFS && sys_removexattr("/dir", "user.x") == -EROFS);
	CHECK(sys_getxattr("/dir", "user.x", buffer, 10) == -ENODATA);
	CHECK(sys_access("/dir/size1", LINUX_W_OK) == -EROFS && sys_access("/dir", LINUX_W_OK) == -EROFS);
	CHECK(sys_access("/dir/size1", LINUX_R_OK) == 0 && sys_access("/tmp", LINUX_W_OK) == 0);
	CHECK(sys_open("/dev/null", LINUX_O_RDWR, 0) == 4 && sys_open("/tmp/x", LINUX_O_CREAT, 0600) == 5);
	CHECK(sys_lstat("/dir/size1", &st) == 0 && st.st_atim.tv_sec == 0);
}

/* --- memory --- */

/* More contents than memory holds are read again and again, and are the same; and nothing leaks. */
static void little_memory(void)
{
	char path[100];
	mount_tree(0);
	fake_frames_left = 250;
	for (unsigned i = 0; i < 3; i++) {
		compare_contents("/dir/size300000");
		for (unsigned n = 1; n <= 600; n++) {
			snprintf(path, sizeof(path), "/many/a-rather-long-name-to-fill-blocks-%u", n);
			compare_contents(path);
		}
		CHECK(fake_frames_used <= 250 / 4 + 80);
	}
	fake_frames_left = 20;
	CHECK(sys_open("/sparse", 0, 0) == -ENOMEM && sys_open("/dir/size12345", 0, 0) == 3);
	CHECK(!*broker_error());
}

/* Pages are shown where they lie, but for the last one, and what is mapped stays. */
static void mapped(void)
{
	uint64_t physical, again;
	bool own;
	mount_tree(0);
	fake_frames_left = 250;
	CHECK(sys_open("/dir/size12345", LINUX_O_RDONLY, 0) == 3);
	struct inode *inode = process_current->files->fds.files[3]->inode;
	CHECK(data_page(inode, 1, VM_LOAD, &physical, &own) == 0 && !own);
	CHECK(data_page(inode, 3, VM_LOAD, &again, &own) == 0 && own);
	inode->data.mappings++;
	for (unsigned i = 0; i < 3; i++)
		compare_contents("/dir/size300000");
	CHECK(data_page(inode, 1, VM_LOAD, &again, &own) == 0 && !own && again == physical);
	inode->data.mappings--;
}

/* --- mounts --- */

static void mounts(void)
{
	static char dir[200], file[200];
	strcpy(dir, on_host("dir"));
	strcpy(file, on_host("dir/size100"));
	const char *const roots[][2] = {
		{tree, "/"}, {dir, "/many"}, {file, "/dir/size0"}, {dir, "/new/place"}, {NULL, NULL}};
	mount_roots(8, roots, "/new/place/sub");
	CHECK(sys_getcwd(buffer, 100) == 15 && !strcmp(buffer, "/new/place/sub"));
	CHECK(sys_stat("../size100", &st) == 0 && sys_stat("../../../dir/size1", &st) == 0);
	CHECK(sys_stat("/many/size1", &st) == 0 &&
	      sys_stat("/many/a-rather-long-name-to-fill-blocks-1", &st) == -ENOENT);
	CHECK(sys_stat("/dir/size0", &st) == 0 && st.st_size == 100 && sys_stat("/many/size0", &st) == 0 &&
	      st.st_size == 0);
	CHECK(sys_unlink("/dir/size0") == -EBUSY && sys_rmdir("/many") == -EBUSY && sys_unlink("/many/size1") == 0);
	CHECK(sys_open("/dir/size0", LINUX_O_RDWR, 0) == 3 && sys_write(3, "x", 1) == 1);
	CHECK(sys_open("/new/place/size1", LINUX_O_RDWR, 0) == -EROFS && sys_open("/new/x", LINUX_O_CREAT, 0600) == 4);
	CHECK(sys_stat("/tmp", &st) == 0 && st.st_mode == (LINUX_S_IFDIR | 01777));
	CHECK(sys_stat("/dev/../many/../out/..", &st) == 0 && st.st_ino == 1);
}

static void bad_workdir(void)
{
	const char *const roots[][2] = {{tree, "/"}, {NULL, NULL}};
	mount_roots(0, roots, "/dir/size1");
}

static void bad_place(void)
{
	const char *const roots[][2] = {{tree, "/"}, {tree, "/dir/size1"}, {NULL, NULL}};
	mount_roots(0, roots, "");
}

/* What has changed is an error of the monitor's, which ends the run. */
static void changed(void)
{
	mount_tree(0);
	CHECK(sys_stat("/dir/size8192", &st) == 0);
	FILE *to = fopen(on_host("dir/size8192"), "a");
	CHECK(to && fputs("more", to) >= 0 && fclose(to) == 0);
	CHECK(sys_open("/dir/size8192", 0, 0) < 0 && strstr(broker_error(), "/dir/size8192 changed during the run"));
	CHECK(truncate(on_host("dir/size8192"), 8192) == 0);
}

#define ISOLATED(name) \
	static void test_##name(void **state) \
	{ \
		(void)state; \
		assert_int_equal(isolated(name), 0); \
	}

ISOLATED(requests)
ISOLATED(numbers)
ISOLATED(writes)
ISOLATED(read_only)
ISOLATED(little_memory)
ISOLATED(mapped)
ISOLATED(mounts)
ISOLATED(changed)

static void test_refused(void **state)
{
	(void)state;
	assert_int_equal(WEXITSTATUS(isolated(bad_workdir)), 3);
	assert_int_equal(WEXITSTATUS(isolated(bad_place)), 3);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_requests),  cmocka_unit_test(test_numbers),       cmocka_unit_test(test_writes),
	cmocka_unit_test(test_read_only), cmocka_unit_test(test_little_memory), cmocka_unit_test(test_mapped),
	cmocka_unit_test(test_mounts),    cmocka_unit_test(test_refused),       cmocka_unit_test(test_random),
	cmocka_unit_test(test_changed),   cmocka_unit_test(test_ahead),
};

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
