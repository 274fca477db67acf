/* SPDX-License-Identifier: MIT */
/* Names: open's flags, links, renames, directories, and what each refuses. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

static void touch(const char *name)
{
	close(open(name, O_WRONLY | O_CREAT, 0644));
}

static void links_of(const char *name)
{
	struct stat st;
	if (lstat(name, &st))
		printf("%s: %s\n", name, errno_name(errno));
	else
		printf("%s: mode %o, links %u, %lld bytes\n", name, st.st_mode, (unsigned)st.st_nlink,
		       S_ISDIR(st.st_mode) ? 0LL : (long long)st.st_size);
}

static void opening(void)
{
	SAY(open("absent", O_RDONLY));
	SAY(open("", O_RDONLY));
	SAY(open("absent/deeper", O_RDONLY | O_CREAT, 0644));
	int fd = (int)SAY(open("file", O_RDWR | O_CREAT | O_EXCL, 0640));
	SAY(write(fd, "contents", 8));
	SAY(close(fd));
	SAY(open("file", O_RDWR | O_CREAT | O_EXCL, 0640));
	SAY(open("file/", O_RDONLY));
	SAY(open("file/deeper", O_RDONLY));
	SAY(open("file", O_RDONLY | O_DIRECTORY));
	SAY(open(".", O_WRONLY));
	SAY(open(".", O_RDWR));
	SAY(open("newdir/", O_WRONLY | O_CREAT, 0644));
	links_of("file");
	fd = (int)SAY(open("file", O_RDONLY | O_TRUNC));
	links_of("file");
	SAY(write(fd, "x", 1));
	close(fd);
	fd = open("file", O_WRONLY | O_APPEND);
	SAY(write(fd, "abc", 3));
	SAY(lseek(fd, 0, SEEK_SET));
	SAY(write(fd, "def", 3));
	SAY(lseek(fd, 0, SEEK_CUR));
	char byte;
	SAY(read(fd, &byte, 1));
	SAY(fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND));
	close(fd);
	char longest[NAME_MAX + 3];
	memset(longest, 'n', sizeof(longest) - 1);
	longest[NAME_MAX + 1] = 0;
	SAY(open(longest, O_WRONLY | O_CREAT, 0644));
	longest[NAME_MAX] = 0;
	SAY_OK(close(open(longest, O_WRONLY | O_CREAT, 0644)));
	SAY(unlink(longest));
	SAY(close(99));
	SAY(close(-1));
	SAY(unlink("file"));
}

static void linking(void)
{
	char target[100];
	struct stat st;
	touch("one");
	SAY(link("one", "two"));
	SAY(link("one", "two"));
	SAY(link("absent", "three"));
	SAY(link(".", "dirlink"));
	links_of("one");
	SAY(unlink("one"));
	links_of("two");
	SAY(symlink("two", "sym"));
	SAY(symlink("two", "sym"));
	SAY(symlink("", "empty"));
	SAY(symlink("loop-b", "loop-a"));
	SAY(symlink("loop-a", "loop-b"));
	SAY(symlink("nowhere", "dangling"));
	links_of("sym");
	memset(target, '.', sizeof(target));
	SAY(readlink("sym", target, sizeof(target)));
	printf("%.4s\n", target);
	SAY(readlink("sym", target, 2));
	SAY(readlink("two", target, 2));
	SAY(open("loop-a", O_RDONLY));
	SAY(open("loop-a/x", O_RDONLY));
	SAY(stat("loop-a", &st));
	SAY(open("sym", O_RDONLY | O_NOFOLLOW));
	SAY(open("dangling", O_RDONLY));
	SAY(open("dangling", O_WRONLY | O_CREAT | O_EXCL, 0644));
	SAY_OK(close(open("dangling", O_WRONLY | O_CREAT, 0644)));
	links_of("nowhere");
	SAY(link("sym", "sym-hard"));
	links_of("sym-hard");
	SAY(unlink("sym/"));
	SAY(unlink("sym"));
	links_of("two");
	SAY(access("two", R_OK | W_OK));
	SAY(access("absent", F_OK));
	SAY(access("two", 99));
	SAY(chmod("two", 04751));
	links_of("two");
	static const char *const names[] = {"two", "loop-a", "loop-b", "dangling", "nowhere", "sym-hard"};
	for (unsigned i = 0; i < 6; i++)
		unlink(names[i]);
}

static void directories(void)
{
	char path[300];
	SAY(mkdir("dir", 0750));
	SAY(mkdir("dir", 0750));
	SAY(mkdir("absent/dir", 0750));
	SAY(mkdir("dir/sub/", 0700));
	SAY(rmdir("dir"));
	SAY(rmdir("dir/sub/."));
	SAY(rmdir("dir/sub/.."));
	SAY(rmdir("absent"));
	SAY(unlink("dir"));
	touch("dir/file");
	SAY(rmdir("dir/file"));
	SAY(chdir("dir/file"));
	SAY(chdir("dir/sub"));
	SAY_OK((long)getcwd(path, sizeof(path)) ? 0 : -1);
	printf("%s\n", strlen(path) >= 8 ? path + strlen(path) - 8 : path);
	SAY_TRUE(getcwd(path, 3) == NULL && errno == ERANGE);
	SAY(chdir("../.."));
	int fd = open("dir", O_RDONLY | O_DIRECTORY);
	SAY(fchdir(fd));
	SAY(access("file", F_OK));
	SAY(mkdirat(fd, "more", 0700));
	SAY(unlinkat(fd, "more", 0));
	SAY(unlinkat(fd, "more", AT_REMOVEDIR));
	char byte;
	SAY(read(fd, &byte, 1));
	SAY(write(fd, &byte, 1));
	close(fd);
	SAY(chdir(".."));
	SAY(rmdir("dir/sub"));
	SAY(unlink("dir/file"));
	SAY(rmdir("dir"));
}

static void renaming(void)
{
	struct stat a, b;
	touch("a");
	stat("a", &a);
	SAY(rename("a", "b"));
	SAY_TRUE(stat("b", &b) == 0 && a.st_ino == b.st_ino);
	SAY(rename("a", "c"));
	SAY(rename("b", "b"));
	link("b", "b2");
	SAY(rename("b", "b2"));
	SAY(access("b", F_OK));
	mkdir("d", 0755);
	mkdir("e", 0755);
	touch("e/inside");
	SAY(rename("b", "d"));
	SAY(rename("d", "b"));
	SAY(rename("d", "e"));
	SAY(rename("d", "d/below"));
	SAY(rename("e", "d"));
	SAY(access("d/inside", F_OK));
	SAY(rename("b", "d/"));
	SAY(rename("b", "d/inside"));
	SAY(rename("d/inside", "moved"));
	SAY(rename("d/.", "x"));
	SAY(rename("", "x"));
	int fd = open("moved", O_RDWR);
	SAY(unlink("moved"));
	SAY(write(fd, "still", 5));
	SAY(fstat(fd, &a));
	printf("links %u, size %lld\n", (unsigned)a.st_nlink, (long long)a.st_size);
	close(fd);
	unlink("b2");
	SAY(rmdir("d"));
}

static void reading(void)
{
	DIR *dir;
	struct dirent *entry;
	char names[60][20];
	unsigned count = 0;
	mkdir("many", 0755);
	for (int i = 0; i < 50; i++) {
		snprintf(names[0], 20, "many/n%02d", i * 37 % 50);
		touch(names[0]);
	}
	dir = opendir("many");
	long middle = 0;
	char after[20] = "";
	while ((entry = readdir(dir)) && count < 60) {
		snprintf(names[count++], 20, "%.19s", entry->d_name);
		if (count == 20)
			middle = telldir(dir);
		if (count == 21)
			snprintf(after, sizeof(after), "%.19s", entry->d_name);
	}
	printf("%u entries\n", count);
	seekdir(dir, middle);
	entry = readdir(dir);
	SAY_TRUE(entry && !strcmp(entry->d_name, after));
	rewinddir(dir);
	unsigned again = 0;
	while ((entry = readdir(dir)))
		again += strcmp(entry->d_name, names[again]) == 0;
	SAY_TRUE(again == count);
	SAY(closedir(dir));
	qsort(names, count, sizeof(names[0]), (int (*)(const void *, const void *))strcmp);
	printf("%s %s %s ... %s\n", names[0], names[1], names[2], names[count - 1]);
	for (unsigned i = 2; i < count; i++) {
		char path[40];
		snprintf(path, sizeof(path), "many/%s", names[i]);
		unlink(path);
	}
	SAY_TRUE(opendir("absent") == NULL && errno == ENOENT);
	SAY(rmdir("many"));
}

int main(void)
{
	umask(022);
	opening();
	linking();
	directories();
	renaming();
	reading();
	return 0;
}
