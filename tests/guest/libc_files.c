/* SPDX-License-Identifier: MIT */
/* Files: open, read, write, seek, stat, links, directories, truncation, times, errors. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static void said(const char *what, long result)
{
	if (result < 0)
		printf("%s: %s\n", what, strerror(errno));
	else
		printf("%s: %ld\n", what, result);
}

static void contents(void)
{
	char buf[32] = "";
	int fd = open("a.txt", O_CREAT | O_EXCL | O_RDWR, 0640);
	said("write", write(fd, "hello, world", 12));
	said("again", open("a.txt", O_CREAT | O_EXCL | O_RDWR, 0640));
	said("seek", lseek(fd, 7, SEEK_SET));
	said("read", read(fd, buf, sizeof(buf)));
	printf("%s\n", buf);
	said("pread", pread(fd, buf, 5, 0));
	printf("%.5s\n", buf);
	said("pwrite", pwrite(fd, "W", 1, 7));
	struct iovec parts[2] = {{"one ", 4}, {"two", 3}};
	said("end", lseek(fd, 0, SEEK_END));
	said("writev", writev(fd, parts, 2));
	said("truncate", ftruncate(fd, 17));
	struct stat st;
	said("fstat", fstat(fd, &st));
	printf("size %ld mode %o links %lu regular %d\n", (long)st.st_size, st.st_mode & 0777,
	       (unsigned long)st.st_nlink, S_ISREG(st.st_mode));
	said("bad seek", lseek(fd, -1, SEEK_SET));
	said("close", close(fd));
	said("close again", close(fd));
	said("write closed", write(fd, "x", 1));
}

static void names(void)
{
	char buf[64] = "";
	struct stat st, other;
	said("link", link("a.txt", "b.txt"));
	said("symlink", symlink("b.txt", "c.txt"));
	said("readlink", readlink("c.txt", buf, sizeof(buf)));
	printf("%s\n", buf);
	said("stat", stat("c.txt", &st));
	said("lstat", lstat("c.txt", &other));
	printf("links %lu, %d %d\n", (unsigned long)st.st_nlink, S_ISLNK(st.st_mode), S_ISLNK(other.st_mode));
	said("rename", rename("b.txt", "d.txt"));
	said("dangling", open("c.txt", O_RDONLY));
	said("chmod", chmod("d.txt", 0600));
	said("stat", stat("a.txt", &st));
	printf("mode %o\n", st.st_mode & 07777);
	said("access", access("nothing", F_OK));
	said("unlink", unlink("d.txt"));
	said("remove", remove("c.txt"));
	said("unlink directory", unlink("."));
	said("not a directory", open("a.txt/x", O_RDONLY));
	said("long",
	     open("/012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678"
	          "9"
	          "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
	          "01234567890123456789012345678901234567890123456789012345678901234567890123456789",
	          O_RDONLY));
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void directories(void)
{
	said("mkdir", mkdir("dir", 0755));
	said("mkdir again", mkdir("dir", 0755));
	said("chdir", chdir("dir"));
	for (int i = 9; i >= 0; i--) {
		char name[] = "file0";
		name[4] = (char)('0' + i);
		close(creat(name, 0600));
	}
	mkdir("sub", 0700);
	struct dirent **list;
	int count = scandir(".", &list, visible, alphasort);
	for (int i = 0; i < count; i++) {
		printf("%s%s ", list[i]->d_name, list[i]->d_type == DT_DIR ? "/" : "");
		free(list[i]);
	}
	free(list);
	printf("\n");
	int seen = 0, dots = 0;
	DIR *dir = opendir(".");
	for (struct dirent *entry; (entry = readdir(dir)) != NULL; seen++)
		dots += entry->d_name[0] == '.';
	rewinddir(dir);
	int again = 0;
	while (readdir(dir))
		again++;
	closedir(dir);
	printf("%d entries, %d dots, %d again\n", seen, dots, again);
	said("opendir", opendir("nothing") ? 0 : -1);
	said("chdir", chdir(".."));
	said("rmdir full", rmdir("dir"));
	char *path = realpath("dir/../dir/sub/./../file3", NULL), *cwd = getcwd(NULL, 0);
	printf("%s\n", path && cwd ? path + strlen(cwd) : "no path");
	free(path);
	free(cwd);
	said("realpath", realpath("dir/nothing", NULL) ? 0 : -1);
	rmdir("dir/sub");
	for (int i = 0; i < 10; i++) {
		char name[] = "dir/file0";
		name[8] = (char)('0' + i);
		unlink(name);
	}
	said("rmdir", rmdir("dir"));
}

static void descriptors(void)
{
	int fd = open("a.txt", O_RDWR | O_APPEND), copy = dup(fd);
	char buf[4] = "";
	read(fd, buf, 3);
	said("shared offset", lseek(copy, 0, SEEK_CUR));
	said("dup2", dup2(fd, 20));
	said("flags", (fcntl(20, F_GETFL) & (O_ACCMODE | O_APPEND)) == (O_RDWR | O_APPEND));
	said("cloexec", fcntl(20, F_GETFD));
	said("set", fcntl(20, F_SETFD, FD_CLOEXEC));
	said("cloexec", fcntl(20, F_GETFD));
	int dupfd = fcntl(fd, F_DUPFD, 30);
	said("dupfd", dupfd);
	said("append", write(20, "end", 3));
	struct timespec times[2] = {{1000, 5}, {2000, 7}};
	struct stat st;
	said("times", futimens(fd, times));
	fstat(fd, &st);
	printf("%ld.%09ld %ld.%09ld %ld\n", (long)st.st_atim.tv_sec, st.st_atim.tv_nsec, (long)st.st_mtim.tv_sec,
	       st.st_mtim.tv_nsec, (long)st.st_size);
	int ends[2];
	said("pipe", pipe(ends));
	said("into", write(ends[1], "abc", 3));
	close(ends[1]);
	said("out of", read(ends[0], buf, 4));
	said("end", read(ends[0], buf, 4));
	said("seek a pipe", lseek(ends[0], 0, SEEK_SET));
	said("umask", umask(027));
	said("umask", umask(022));
}

int main(void)
{
	char where[] = "/tmp/eremite-files-XXXXXX";
	umask(022);
	if (!mkdtemp(where) || chdir(where) < 0) {
		perror("mkdtemp");
		return 1;
	}
	contents();
	names();
	directories();
	descriptors();
	unlink("a.txt");
	chdir("/");
	said("gone", rmdir(where));
	return 0;
}
