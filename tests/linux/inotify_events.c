/* SPDX-License-Identifier: MIT */
/* inotify(7): the events of each kind of operation, their order, names and cookies, and the options of watches. */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

static const struct {
	uint32_t bit;
	const char *name;
} bits[] = {
	{IN_ACCESS, "ACCESS"},
	{IN_MODIFY, "MODIFY"},
	{IN_ATTRIB, "ATTRIB"},
	{IN_CLOSE_WRITE, "CLOSE_WRITE"},
	{IN_CLOSE_NOWRITE, "CLOSE_NOWRITE"},
	{IN_OPEN, "OPEN"},
	{IN_MOVED_FROM, "MOVED_FROM"},
	{IN_MOVED_TO, "MOVED_TO"},
	{IN_CREATE, "CREATE"},
	{IN_DELETE, "DELETE"},
	{IN_DELETE_SELF, "DELETE_SELF"},
	{IN_MOVE_SELF, "MOVE_SELF"},
	{IN_IGNORED, "IGNORED"},
	{IN_Q_OVERFLOW, "Q_OVERFLOW"},
	{IN_ISDIR, "|ISDIR"},
};

static int queue, other;

/* Prints and removes all events. Cookies are numbered: the system's others count between them. */
static void drain_from(int fd, const char *what)
{
	static char buffer[65536] __attribute__((aligned(8)));
	static uint32_t last_cookie, cookies;
	int bytes = -1;
	long total = 0, got;
	ioctl(fd, FIONREAD, &bytes);
	printf("%s:", what);
	while ((got = read(fd, buffer, sizeof(buffer))) > 0) {
		total += got;
		for (char *at = buffer; at < buffer + got;) {
			const struct inotify_event *event = (void *)at;
			printf(" %d", event->wd);
			for (unsigned i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
				if (event->mask & bits[i].bit)
					printf(" %s", bits[i].name);
			if (event->len)
				printf(" %s/%u", event->name, event->len);
			if (event->cookie) {
				cookies += event->cookie != last_cookie;
				last_cookie = event->cookie;
				printf(" +%u", cookies);
			}
			printf(";");
			at += sizeof(*event) + event->len;
		}
	}
	printf("%s\n", total == bytes ? "" : " (not the bytes of FIONREAD)");
}

#define DO(operation) ((void)!(operation), drain_from(queue, #operation))

static void make(const char *path)
{
	close(open(path, O_CREAT | O_WRONLY, 0644));
}

static void empty(void)
{
	static char buffer[65536];
	while (read(queue, buffer, sizeof(buffer)) > 0)
		;
}

static void contents(void)
{
	char buffer[64] = "";
	struct iovec pieces[2] = {{"abc", 3}, {"def", 3}}, into[2] = {{buffer, 2}, {buffer + 2, 2}};
	int fd, out, pipes[2];
	loff_t offset = 0, end = 10;
	DO(fd = open("a", O_CREAT | O_RDWR, 0644));
	SAY(inotify_add_watch(queue, "a", IN_ALL_EVENTS));
	DO(write(fd, "x", 1));
	DO(write(fd, "x", 0));
	DO(pwrite(fd, "y", 1, 3));
	DO(writev(fd, pieces, 2));
	DO(pread(fd, buffer, 1, 0));
	DO(pread(fd, buffer, 1, 100));
	DO(preadv(fd, into, 2, 0));
	DO((write(fd, "1", 1), write(fd, "2", 1)));
	DO((pread(fd, buffer, 1, 0), pread(fd, buffer, 1, 0), write(fd, "2", 1)));
	DO(ftruncate(fd, 2));
	DO(truncate("a", 20));
	DO(fallocate(fd, 0, 0, 100));
	DO(out = open("out", O_CREAT | O_RDWR, 0644));
	DO(copy_file_range(fd, &offset, out, &end, 5, 0));
	offset = 0;
	DO(sendfile(out, fd, &offset, 4));
	if (pipe(pipes))
		return;
	offset = 0;
	DO(splice(fd, &offset, pipes[1], NULL, 4, 0));
	DO(close(out));
	DO(lseek(fd, 0, SEEK_SET));
	DO(fsync(fd));
	DO(close(dup(fd)));
	DO(close(fd));
	DO(fd = open("a", O_RDONLY));
	DO(close(fd));
	/* without IN_OPEN: releases of Linux differ in its place */
	SAY(inotify_add_watch(queue, ".", IN_MODIFY | IN_CLOSE));
	SAY(inotify_add_watch(queue, "a", IN_MODIFY | IN_CLOSE));
	DO(fd = open("a", O_WRONLY | O_TRUNC));
	DO(close(fd));
	SAY(inotify_add_watch(queue, ".", IN_ALL_EVENTS));
	SAY(inotify_add_watch(queue, "a", IN_ALL_EVENTS));
	DO(fd = open("a", O_PATH));
	DO(close(fd));
	DO(unlink("a"));
	DO(unlink("out"));
}

static void attributes(void)
{
	const struct timespec both[2] = {{1, 0}, {2, 0}}, access_only[2] = {{1, 0}, {0, UTIME_OMIT}},
			      change_only[2] = {{0, UTIME_OMIT}, {3, 0}}, none[2] = {{0, UTIME_OMIT}, {0, UTIME_OMIT}};
	make("b");
	if (mkdir("dir", 0755))
		return;
	empty();
	SAY(inotify_add_watch(queue, "b", IN_ALL_EVENTS));
	SAY(inotify_add_watch(queue, "dir", IN_ALL_EVENTS));
	int fd = open("b", O_RDONLY);
	empty();
	DO(chmod("b", 0600));
	DO(fchmod(fd, 0640));
	DO(chmod("dir", 0700));
	DO(chown("b", getuid(), -1));
	DO(chown("b", -1, -1));
	DO(utimensat(AT_FDCWD, "b", both, 0));
	DO(utimensat(AT_FDCWD, "b", access_only, 0));
	DO(utimensat(AT_FDCWD, "b", change_only, 0));
	DO(utimensat(AT_FDCWD, "b", none, 0));
	DO(futimens(fd, NULL));
	DO(close(fd));
	DO(fd = open("dir", O_RDONLY | O_DIRECTORY));
	char entries[1024];
	DO(getdents64(fd, entries, sizeof(entries)));
	DO(close(fd));
	DO(link("b", "c"));
	DO(symlink("b", "link"));
	DO(inotify_add_watch(queue, "link", IN_DONT_FOLLOW | IN_ALL_EVENTS));
	DO(unlink("link"));
	DO(mkfifo("fifo", 0600));
	DO(unlink("fifo"));
	DO(unlink("b"));
	DO(unlink("c"));
	DO(rmdir("dir"));
}

static void names(void)
{
	const char *long_name = "a-name-of-sixteen";
	if (mkdir("one", 0755) || mkdir("two", 0755))
		return;
	make("one/file");
	make("two/old");
	empty();
	SAY(inotify_add_watch(queue, "one", IN_ALL_EVENTS));
	SAY(inotify_add_watch(queue, "two", IN_ALL_EVENTS));
	SAY(inotify_add_watch(queue, "one/file", IN_ALL_EVENTS));
	SAY(inotify_add_watch(queue, "two/old", IN_ALL_EVENTS));
	DO(rename("one/file", "one/moved"));
	DO(rename("one/moved", "one/moved"));
	DO(rename("one/moved", "two/old"));
	int fd = open("two/old", O_WRONLY);
	empty();
	DO(rename("two/old", "one/again"));
	DO(write(fd, "x", 1));
	DO(close(fd));
	make("two/peer");
	empty();
	DO(renameat2(AT_FDCWD, "one/again", AT_FDCWD, "two/peer", RENAME_EXCHANGE));
	DO(mkdir("one/sub", 0755));
	DO(rename("one/sub", "two/sub"));
	DO(mkdir("one/sub", 0755));
	DO(rename("one/sub", "two/sub"));
	DO(rmdir("two/sub"));
	DO(rename("one", "three"));
	DO(unlink("three/again"));
	DO(unlink("two/peer"));
	DO(mkdir(long_name, 0755));
	DO(rmdir(long_name));
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "three/socket"};
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	DO(bind(fd, (void *)&address, sizeof(address)));
	close(fd);
	DO(unlink("three/socket"));
	DO(rmdir("three"));
	DO(rmdir("two"));
}

static void deletion(void)
{
	make("d");
	SAY(inotify_add_watch(queue, "d", IN_ALL_EVENTS));
	int fd = open("d", O_RDWR);
	empty();
	DO(unlink("d"));
	DO(write(fd, "x", 1));
	DO(fchmod(fd, 0600));
	DO(close(fd));
	make("e");
	SAY(inotify_add_watch(queue, "e", IN_DELETE_SELF));
	fd = open("e", O_RDWR);
	int second = dup(fd), more = open("e", O_RDONLY);
	empty();
	DO(unlink("e"));
	DO(close(fd));
	DO(close(more));
	DO(close(second));
	make("f");
	SAY(inotify_add_watch(queue, "f", IN_ALL_EVENTS));
	fd = open("f", O_RDWR);
	(void)!link("f", "g");
	empty();
	DO(unlink("f"));
	DO(write(fd, "x", 1));
	DO(unlink("g"));
	DO(close(fd));
	if (mkdir("h", 0755))
		return;
	SAY(inotify_add_watch(queue, "h", IN_ALL_EVENTS));
	fd = open("h", O_RDONLY);
	empty();
	DO(rmdir("h"));
	DO(close(fd));
}

static void options(void)
{
	make("i");
	if (mkdir("j", 0755))
		return;
	empty();
	SAY(inotify_add_watch(queue, "i", IN_MODIFY | IN_ONESHOT));
	int fd = open("i", O_RDWR);
	empty();
	DO((write(fd, "x", 1), write(fd, "x", 1)));
	int watch = inotify_add_watch(queue, "i", IN_MODIFY);
	SAY(inotify_add_watch(queue, "i", IN_MODIFY | IN_MASK_CREATE));
	SAY(inotify_add_watch(queue, "i", IN_ACCESS | IN_MASK_ADD) == watch);
	char byte;
	DO((write(fd, "x", 1), pread(fd, &byte, 1, 0)));
	SAY(inotify_add_watch(queue, "i", IN_ACCESS) == watch);
	DO((write(fd, "x", 1), pread(fd, &byte, 1, 0)));
	SAY(inotify_add_watch(queue, "i", IN_ACCESS | IN_MASK_ADD | IN_MASK_CREATE));
	SAY(inotify_add_watch(queue, "i", IN_ACCESS | IN_ONLYDIR));
	SAY(inotify_add_watch(queue, "j", IN_ACCESS | IN_ONLYDIR) > watch);
	SAY(inotify_add_watch(queue, "i", 0));
	SAY(inotify_add_watch(queue, "i", IN_ONLYDIR) == watch);
	SAY(inotify_add_watch(queue, "i", IN_ACCESS | 0x100000));
	SAY(inotify_add_watch(queue, "none", IN_ACCESS));
	SAY(inotify_add_watch(-1, "i", IN_ACCESS));
	SAY(inotify_add_watch(fd, "i", IN_ACCESS));
	SAY(inotify_rm_watch(queue, 1000));
	close(fd);
	other = inotify_init1(IN_NONBLOCK);
	SAY(inotify_add_watch(other, ".", IN_ALL_EVENTS | IN_EXCL_UNLINK));
	fd = open("i", O_RDWR);
	empty();
	DO(unlink("i"));
	DO((write(fd, "x", 1), fchmod(fd, 0600), close(fd)));
	drain_from(other, "excluding unlinked");
	close(other);
	DO(rmdir("j"));
}

/* The reader waits in another process, and its buffer may be too short. */
static void waiting(void)
{
	struct inotify_event events[4];
	make("k");
	int blocking = inotify_init1(0);
	SAY(inotify_add_watch(blocking, ".", IN_DELETE));
	pid_t child = fork();
	if (!child) {
		unlink("k");
		_exit(0);
	}
	SAY(read(blocking, events, sizeof(events)));
	printf("%s\n", events[0].name);
	waitpid(child, NULL, 0);
	make("k");
	unlink("k");
	SAY(read(blocking, events, 31));
	SAY(read(blocking, events, 32));
	close(blocking);
	empty();
}

/* A queue that is full drops events, and says so once. */
static void overflow(void)
{
	static char buffer[65536] __attribute__((aligned(8)));
	char name[24];
	int full = inotify_init1(IN_NONBLOCK), count = 0, overflows = 0;
	mkdir("directory", 0755);
	SAY(inotify_add_watch(full, "directory", IN_ATTRIB));
	for (int i = 0; i < 16400; i++) {
		snprintf(name, sizeof(name), "directory%s", i % 2 ? "" : "/file");
		if (i == 0)
			make(name);
		chmod(name, 0700);
	}
	long got;
	while ((got = read(full, buffer, sizeof(buffer))) > 0) {
		for (char *at = buffer; at < buffer + got; count++) {
			const struct inotify_event *event = (void *)at;
			overflows += event->mask == IN_Q_OVERFLOW && event->wd == -1;
			at += sizeof(*event) + event->len;
		}
	}
	printf("%d events, %d overflow\n", count, overflows);
	close(full);
	unlink("directory/file");
	rmdir("directory");
	empty();
}

/* /proc shows the watches, the newest first, and the limits. */
static void shown(void)
{
	char path[64], line[256];
	unsigned watch, mask;
	int fd = inotify_init1(0);
	SAY(inotify_add_watch(fd, "/", IN_ALL_EVENTS | IN_EXCL_UNLINK));
	SAY(inotify_add_watch(fd, ".", IN_OPEN | IN_ONLYDIR | IN_ONESHOT));
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	FILE *info = fopen(path, "r");
	while (fgets(line, sizeof(line), info))
		if (sscanf(line, "inotify wd:%x ino:%*x sdev:%*x mask:%x ignored_mask:0", &watch, &mask) == 2)
			printf("%x %x\n", watch, mask);
	fclose(info);
	close(fd);
	const char *const limits[] = {"max_queued_events", "max_user_instances", "max_user_watches"};
	for (int i = 0; i < 3; i++) {
		long limit = 0;
		snprintf(path, sizeof(path), "/proc/sys/fs/inotify/%s", limits[i]);
		info = fopen(path, "r");
		printf("%s: %s\n", limits[i], info && fscanf(info, "%ld", &limit) == 1 && limit > 0 ? "ok" : "none");
		fclose(info);
	}
}

int main(void)
{
	char directory[] = "/tmp/inotify.XXXXXX";
	if (!mkdtemp(directory) || chdir(directory))
		return 1;
	umask(022);
	queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	SAY(inotify_add_watch(queue, ".", IN_ALL_EVENTS));
	contents();
	attributes();
	names();
	deletion();
	options();
	waiting();
	overflow();
	shown();
	DO(rmdir(directory));
	return 0;
}
