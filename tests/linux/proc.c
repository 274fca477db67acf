/* SPDX-License-Identifier: MIT */
/* /proc (proc(5)): what a process is told of itself, its threads, its children and its descriptors. */
#include <alloca.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

static char buf[65536] __attribute__((aligned(8)));

/* The text of a file, "" when it cannot be read. */
static char *slurp(const char *path)
{
	int fd = open(path, O_RDONLY);
	ssize_t total = 0, got;
	while ((got = read(fd, buf + total, sizeof(buf) - 1 - (size_t)total)) > 0)
		total += got;
	buf[total] = 0;
	if (fd >= 0)
		close(fd);
	return buf;
}

static char *link_of(const char *path)
{
	ssize_t got = readlink(path, buf, sizeof(buf) - 1);
	buf[got < 0 ? 0 : got] = 0;
	return buf;
}

static void identity(void)
{
	char path[64], name[64];
	struct statfs fs;
	printf("self %d\n", atoi(link_of("/proc/self")) == getpid());
	sprintf(name, "%d/task/%d", getpid(), gettid());
	printf("thread-self %d\n", !strcmp(link_of("/proc/thread-self"), name));
	SAY(statfs("/proc", &fs));
	printf("magic %lx\n", (long)fs.f_type);
	printf("exe %s\n", strrchr(link_of("/proc/self/exe"), '/'));
	SAY(chdir("/usr/bin"));
	printf("cwd %s\n", link_of("/proc/self/cwd"));
	sprintf(path, "/proc/%d/root", getpid());
	printf("root %s\n", link_of(path));
	SAY(prctl(PR_SET_NAME, "a name"));
	printf("comm %s", slurp("/proc/self/comm"));
	slurp("/proc/self/cmdline");
	printf("cmdline ends with %s\n", strrchr(buf, '/'));
	char *status = slurp("/proc/self/status");
	printf("%.12s\n", strstr(status, "Name:"));
	printf("pid %d\n", atoi(strstr(status, "\nPid:") + 5) == getpid());
	printf("ppid %d\n", atoi(strstr(status, "\nPPid:") + 6) == getppid());
	printf("%.11s\n", strstr(status, "\nThreads:") + 1);
	printf("stat %d\n", atoi(slurp("/proc/self/stat")) == getpid());
	printf("%.10s\n", strchr(buf, '('));
}

static void maps(void)
{
	char line[32];
	void *at = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(at, 4096, PROT_NONE);
	sprintf(line, "%08lx-%08lx ---p", (unsigned long)at, (unsigned long)at + 4096);
	char *text = slurp("/proc/self/maps");
	printf("mapped %d, program %d, stack %d, heap %d\n", strstr(text, line) != NULL,
	       strstr(text, "/proc\n") != NULL, strstr(text, "[stack]\n") != NULL, strstr(text, "[heap]\n") != NULL);
	munmap(at, 8192);
	printf("unmapped %d\n", strstr(slurp("/proc/self/maps"), line) == NULL);
}

/* A number of kilobytes from what is told of a mapping. */
static int kilobytes(const char *map, const char *name)
{
	const char *at = strstr(map, name);
	return at ? atoi(at + strlen(name)) : -1;
}

static void memory(void)
{
	char line[32];
	char *at = mmap(NULL, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(at, 4096, PROT_NONE);
	memset(at + 4096, 1, 8192);
	sprintf(line, "%08lx-", (unsigned long)at + 4096);
	const char *map = strstr(slurp("/proc/self/smaps"), line);
	if (!map)
		return;
	printf("Rss at least %d, Anonymous %d, KernelPageSize %d, Swap %d\n", kilobytes(map, "Rss:") >= 8,
	       kilobytes(map, "Anonymous:") == kilobytes(map, "Rss:"), kilobytes(map, "KernelPageSize:"),
	       kilobytes(map, "Swap:"));
	printf("%.15s\n", strstr(map, "VmFlags:"));
	munmap(at, 12288);
}

/* What the program was started with. */
static void auxiliary(void)
{
	static const unsigned long known[] = {AT_PAGESZ, AT_PHDR, AT_PHNUM, AT_ENTRY, AT_RANDOM, AT_EXECFN, AT_UID};
	struct stat st;
	slurp("/proc/self/auxv");
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		const unsigned long *pair = (const unsigned long *)(const void *)buf;
		while (pair[0] && pair[0] != known[i])
			pair += 2;
		printf("%lu: %d\n", known[i], pair[0] == known[i] && pair[1] == getauxval(known[i]));
	}
	SAY(stat("/proc/self/auxv", &st));
	printf("%o\n", st.st_mode);
	int values[7],
		found = sscanf(slurp("/proc/self/io"),
	                       "rchar: %d\nwchar: %d\nsyscr: %d\nsyscw: %d\nread_bytes: %d\nwrite_bytes: %d\n"
	                       "cancelled_write_bytes: %d",
	                       &values[0], &values[1], &values[2], &values[3], &values[4], &values[5], &values[6]);
	printf("io: %d values\n", found);
}

/* Names of a directory that are numbers, as it lists them. */
static int list(const char *path, bool show)
{
	DIR *dir = opendir(path);
	int count = 0, last = -1, number;
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		if (sscanf(entry->d_name, "%d", &number) != 1)
			continue;
		if (show)
			printf(" %d", number);
		printf(number > last ? "" : " unsorted");
		last = number;
		count++;
	}
	if (dir)
		closedir(dir);
	printf(show ? "\n" : "");
	return count;
}

static void descriptors(void)
{
	char name[] = "/tmp/descriptors-XXXXXX"; /* not O_TMPFILE: an overlay has none before Linux 6.6 */
	int fds[2], fd = open("/dev/null", O_RDWR), file = mkstemp(name);
	struct stat st, other;
	unlink(name);
	SAY(pipe(fds));
	list("/proc/self/fd", true);
	printf("%s\n", link_of("/proc/self/fd/3"));
	printf("%.6s\n", link_of("/proc/self/fd/5"));
	printf("%d\n", !strcmp(strcpy(alloca(64), link_of("/dev/fd/5")), link_of("/dev/fd/6")));
	SAY(lstat("/proc/self/fd/5", &st));
	printf("mode %o\n", st.st_mode);
	SAY(stat("/proc/self/fd/4", &st));
	fstat(file, &other);
	printf("same %d\n", st.st_ino == other.st_ino && st.st_dev == other.st_dev);
	SAY(write(file, "text", 4));
	printf("%s\n", slurp("/dev/fd/4"));
	printf("%.20s\n", slurp("/proc/self/fdinfo/4"));
	close(fd);
	SAY(open("/proc/self/fd/3", O_RDONLY));
	SAY(readlink("/proc/self/fd/3", buf, 10));
	SAY(readlink("/proc/self/fd/03", buf, 10));
	SAY(dup2(file, 3));
	list("/proc/self/fd", true);
	for (int i = 3; i < 7; i++)
		close(i);
}

static void *wait_there(void *semaphores)
{
	int *fds = semaphores;
	char c = 0;
	write(fds[1], &c, 1);
	read(fds[2], &c, 1);
	return NULL;
}

static void threads(void)
{
	int there[2], back[2], fds[4];
	pthread_t thread;
	char c = 0;
	pipe(there);
	pipe(back);
	memcpy(fds, there, sizeof(there));
	memcpy(fds + 2, back, sizeof(back));
	pthread_create(&thread, NULL, wait_there, fds);
	read(there[0], &c, 1);
	printf("threads %d\n", list("/proc/self/task", false));
	printf("%.11s\n", strstr(slurp("/proc/self/status"), "\nThreads:") + 1);
	write(back[1], &c, 1);
	pthread_join(thread, NULL);
	for (int i = 0; i < 4; i++)
		close(fds[i]);
}

static void children(void)
{
	char path[64], c = 0;
	int fds[2], fd;
	siginfo_t info;
	pipe(fds);
	pid_t child = fork();
	if (!child) {
		close(fds[1]);
		read(fds[0], &c, 1);
		_exit(0);
	}
	sprintf(path, "/proc/%d/status", child);
	printf("parent %d\n", atoi(strstr(slurp(path), "\nPPid:") + 6) == getpid());
	sprintf(path, "/proc/%d/exe", child);
	printf("exe %s\n", strrchr(link_of(path), '/'));
	sprintf(path, "/proc/%d", child);
	fd = open(path, O_RDONLY | O_DIRECTORY);
	close(fds[1]);
	SAY(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT));
	sprintf(path, "/proc/%d/stat", child);
	printf("%.1s\n", strrchr(slurp(path), ')') + 2);
	sprintf(path, "/proc/%d/maps", child);
	printf("maps %zu\n", strlen(slurp(path)));
	SAY(waitpid(child, NULL, 0) == child);
	SAY(open(path, O_RDONLY));
	SAY(openat(fd, "stat", O_RDONLY) < 0);
	close(fd);
	close(fds[0]);
}

static void the_system(void)
{
	struct stat st;
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY), length;
	SAY(read(fd, buf, 5));
	SAY(read(fd, buf, 100));
	SAY(read(fd, buf, 100));
	SAY(lseek(fd, 36, SEEK_SET));
	SAY(read(fd, buf, 100));
	SAY(close(fd));
	SAY(stat("/proc/meminfo", &st));
	printf("%o %ld\n", st.st_mode, st.st_size);
	SAY(sscanf(slurp("/proc/meminfo"), "MemTotal: %d kB\nMemFree: %d kB", &length, &length));
	SAY(sscanf(slurp("/proc/vmstat"), "nr_free_pages %d", &length));
	printf("%s", slurp("/proc/sys/vm/max_map_count"));
	SAY(stat("/sys/devices/system/cpu/online", &st));
	SAY(open("/proc/nothing", O_RDONLY));
	SAY(open("/proc/0", O_RDONLY));
	SAY(rename("/proc/self/fd", "/proc/self/task") < 0);
	SAY(unlink("/proc/version") < 0);
	SAY(rmdir("/proc/self/task/../fd") < 0);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOFBF, 16384);
	close_range(3, ~0U, 0); /* what the test was started with */
	identity();
	maps();
	memory();
	auxiliary();
	descriptors();
	threads();
	children();
	the_system();
	return 0;
}
