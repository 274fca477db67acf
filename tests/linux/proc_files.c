/* SPDX-License-Identifier: MIT */
/* Of /proc/self: ns, mem, coredump_filter, smaps_rollup. */
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define PAGE 4096

static char buf[65536];

static char *slurp(const char *path)
{
	int fd = open(path, O_RDONLY);
	ssize_t got = read(fd, buf, sizeof(buf) - 1);
	buf[got < 0 ? 0 : got] = 0;
	close(fd);
	return buf;
}

static void put(const char *text)
{
	int fd = open("/proc/self/coredump_filter", O_WRONLY);
	errno = 0;
	printf("\"%s\": %ld %s\n", text, (long)write(fd, text, strlen(text)), errno_name(errno));
	close(fd);
	printf("%s", slurp("/proc/self/coredump_filter"));
}

static void filter(void)
{
	printf("%s", slurp("/proc/self/coredump_filter"));
	/* What one descriptor reads from the beginning is new each time, also behind what it has written. */
	char text[64] = "";
	int both = open("/proc/self/coredump_filter", O_RDWR);
	assert(read(both, text, sizeof(text) - 1) == 9 && write(both, "0x7f\n", 5) == 5);
	assert(pread(both, text, sizeof(text) - 1, 0) == 9);
	printf("on one descriptor %s", text);
	assert(pwrite(both, "0x33\n", 5, 0) == 5 && pread(both, text, sizeof(text) - 1, 0) == 9);
	printf("again %s", text);
	close(both);
	put("0x23");
	put("077\n");
	put("12");
	put("0xffffffff");
	put("0");
	put("");
	put("x");
	put("8z");
	put("-1");
	put("0x7");
	fflush(stdout);
	if (!fork()) {
		printf("in a child %s", slurp("/proc/self/coredump_filter"));
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
}

static void name_spaces(void)
{
	struct dirent **names;
	struct stat st, link, other;
	char path[300], text[100];
	int count = scandir("/proc/self/ns", &names, NULL, alphasort);
	for (int i = 0; i < count; i++) {
		if (names[i]->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/self/ns/%s", names[i]->d_name);
		ssize_t length = readlink(path, text, sizeof(text) - 1);
		text[length < 0 ? 0 : length] = 0;
		char *number = strchr(text, '[');
		stat(path, &st);
		lstat(path, &link);
		snprintf(path, sizeof(path), "/proc/thread-self/ns/%s", names[i]->d_name);
		stat(path, &other);
		printf("%s: %.*s, its number %d, a link %d, mode %o, the same of the thread %d\n", names[i]->d_name,
		       number ? (int)(number - text) : 0, text, number && strtoul(number + 1, NULL, 10) == st.st_ino,
		       S_ISLNK(link.st_mode), st.st_mode, st.st_ino == other.st_ino && st.st_dev == other.st_dev);
		free(names[i]);
	}
	free(names);
	int fd = open("/proc/self/ns/net", O_RDONLY);
	SAY_TRUE(fd >= 0);
	SAY(read(fd, buf, 10));
	close(fd);
	SAY(open("/proc/self/ns/nothing", O_RDONLY));
}

static void rollup(void)
{
	char *text = slurp("/proc/self/smaps_rollup");
	char *line = strchr(text, '\n');
	if (!line)
		return;
	printf("%.*s\n", 8, line - 8);
	SAY_TRUE(strstr(text, " ---p 00000000 00:00 0 ") != NULL);
	SAY_TRUE(atoi(strstr(text, "\nRss:") + 5) >= atoi(strstr(text, "\nAnonymous:") + 11));
	SAY_TRUE(atoi(strstr(text, "\nPss_Anon:") + 10) > 0);
	SAY_TRUE(atoi(strstr(text, "\nSwap:") + 6) == 0);
}

static void memory(void)
{
	char *at = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open("/proc/self/mem", O_RDWR), ends[2];
	char path[40], byte;
	munmap(at + 2 * PAGE, PAGE);
	strcpy(at + PAGE - 5, "across pages");
	SAY(pread(fd, buf, 13, (off_t)(at + PAGE - 5)));
	printf("%s\n", buf);
	SAY(pwrite(fd, "written", 8, (off_t)(at + PAGE - 5)));
	printf("%s\n", at + PAGE - 5);
	SAY(pread(fd, buf, 2 * PAGE, (off_t)(at + PAGE + 7)));
	SAY(pread(fd, buf, 10, (off_t)(at + 2 * PAGE)));
	SAY(pwrite(fd, buf, 10, (off_t)(at + 2 * PAGE)));
	SAY(pread(fd, NULL, 10, (off_t)at));
	SAY(pread(fd, buf, 10, 0));
	SAY(lseek(fd, (off_t)at, SEEK_SET) == (off_t)at);
	SAY(lseek(fd, PAGE - 5, SEEK_CUR) == (off_t)(at + PAGE - 5));
	SAY(read(fd, buf, 8));
	SAY(lseek(fd, 0, SEEK_CUR) == (off_t)(at + PAGE + 3));
	SAY(lseek(fd, 0, SEEK_END));
	close(fd);
	pipe(ends);
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		strcpy(at, "the child's");
		write(ends[1], "", 1);
		for (volatile char *first = at; *first != 'T';) /* another process changes it */
			usleep(1000);
		_exit(3);
	}
	read(ends[0], &byte, 1);
	snprintf(path, sizeof(path), "/proc/%d/mem", child);
	fd = open(path, O_RDWR);
	SAY(pread(fd, buf, 12, (off_t)at));
	printf("%s, and here \"%s\"\n", buf, at);
	SAY(pwrite(fd, "T", 1, (off_t)at));
	int status;
	wait(&status);
	printf("status %d\n", WEXITSTATUS(status));
	SAY(pread(fd, buf, 12, (off_t)at));
	close(fd);
}

int main(void)
{
	filter();
	name_spaces();
	rollup();
	memory();
	return 0;
}
