/* SPDX-License-Identifier: MIT */
/* A little of everything that could let the host in: input, environment, time, entropy, files, memory, signals,
 * floating point. Prints what it saw, and leaves a file in /out. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static volatile int alarms;

static void on_alarm(int sig)
{
	(void)sig;
	alarms++;
}

static void show_input(void)
{
	char block[1000];
	ssize_t got;
	unsigned long sum = 0, reads = 0, bytes = 0;
	while ((got = read(0, block, sizeof(block))) > 0) {
		reads++;
		bytes += (unsigned long)got;
		for (ssize_t i = 0; i < got; i++)
			sum = sum * 31 + (unsigned char)block[i];
	}
	printf("input: %lu bytes in %lu reads, sum %016lx\n", bytes, reads, sum);
	for (int fd = 0; fd < 3; fd++) {
		struct stat st;
		fstat(fd, &st);
		printf("fd %d: mode %o, tty %d, size %lld, inode %lu, device %lu, offset %lld\n", fd, st.st_mode,
		       isatty(fd), (long long)st.st_size, (unsigned long)st.st_ino, (unsigned long)st.st_dev,
		       (long long)lseek(fd, 0, SEEK_CUR));
	}
}

static void show_surroundings(int argc, char **argv)
{
	char cwd[200], name[100];
	for (int i = 1; i < argc; i++)
		printf("argument %d: %s\n", i, argv[i]);
	for (char **e = environ; *e; e++)
		printf("environment: %s\n", *e);
	mode_t mask = umask(0);
	umask(mask);
	gethostname(name, sizeof(name));
	printf("cwd %s, umask %o, user %u %u, group %u, process %d of %d, host %s, terminal %s\n",
	       getcwd(cwd, sizeof(cwd)) ? cwd : "?", mask, getuid(), geteuid(), getgid(), getpid(), getppid(), name,
	       ttyname(0) ? ttyname(0) : "none");
	printf("descriptors %ld, processors %ld, pages %ld, stack %p, heap %p\n", sysconf(_SC_OPEN_MAX),
	       sysconf(_SC_NPROCESSORS_ONLN), sysconf(_SC_PHYS_PAGES), (void *)&cwd, malloc(10));
	for (int fd = 0; fd < 50; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			printf("open: %d, flags %o\n", fd, (unsigned)fcntl(fd, F_GETFL));
}

static void show_tree(const char *path, int depth)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	while (dir && (entry = readdir(dir))) {
		char name[512];
		struct stat st;
		if (!strcmp(entry->d_name, "..") || (depth && entry->d_name[0] == '.'))
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (lstat(name, &st))
			continue;
		printf("%s %o %lld, inode %lu, links %u, owner %u, blocks %lld, times %lld %lld %lld\n", name,
		       st.st_mode, (long long)st.st_size, (unsigned long)st.st_ino, (unsigned)st.st_nlink, st.st_uid,
		       (long long)st.st_blocks, (long long)st.st_atime, (long long)st.st_mtime, (long long)st.st_ctime);
		if (S_ISDIR(st.st_mode) && strcmp(entry->d_name, ".") && depth < 4)
			show_tree(name, depth + 1);
	}
	if (dir)
		closedir(dir);
}

static void show_time(void)
{
	struct timespec ts;
	struct sigaction action = {.sa_handler = on_alarm};
	struct itimerval timer = {{0, 700}, {0, 500}};
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	unsigned long calls = 0;
	for (; alarms < 5; calls++)
		getppid();
	memset(&timer, 0, sizeof(timer));
	setitimer(ITIMER_REAL, &timer, NULL);
	usleep(123456);
	for (int clock = 0; clock < 8; clock++)
		if (!clock_gettime(clock, &ts))
			printf("clock %d: %lld.%09ld\n", clock, (long long)ts.tv_sec, ts.tv_nsec);
	time_t now = time(NULL);
	printf("%lu calls, %s", calls, ctime(&now));
}

static void show_entropy(void)
{
	unsigned char bytes[16];
	int fd = open("/dev/urandom", O_RDONLY);
	for (int i = 0; i < 3; i++) {
		if (i == 0)
			getentropy(bytes, sizeof(bytes));
		else if (i == 1)
			getrandom(bytes, sizeof(bytes), 0);
		else if (read(fd, bytes, sizeof(bytes)) < 0)
			return;
		printf("entropy:");
		for (unsigned n = 0; n < sizeof(bytes); n++)
			printf(" %02x", bytes[n]);
		putchar('\n');
	}
	close(fd);
}

/* Memory that was used before and is used again. */
static void churn(void)
{
	void *blocks[64] = {NULL};
	uint64_t state = 1, sum = 0;
	for (int i = 0; i < 3000; i++) {
		state = state * 6364136223846793005UL + 1442695040888963407UL;
		unsigned at = state >> 58;
		size_t bytes = (state >> 32) % 20000;
		free(blocks[at]);
		blocks[at] = malloc(bytes);
		if (blocks[at])
			memset(blocks[at], (int)i, bytes);
		sum = sum * 31 + (uintptr_t)blocks[at];
	}
	double x = 0.5;
	for (int i = 0; i < 1000; i++)
		x = sin(x) + exp(-x) * 1.25;
	printf("addresses %016lx, arithmetic %a\n", (unsigned long)sum, x);
}

int main(int argc, char **argv)
{
	show_input();
	show_surroundings(argc, argv);
	show_tree("", 0);
	show_time();
	show_entropy();
	churn();
	fprintf(stderr, "this goes to standard error\n");
	mkdir("/out", 0755);
	int fd = open("/out/result", O_WRONLY | O_CREAT, 0640);
	if (fd < 0 || write(fd, "left behind\n", 12) != 12)
		return 1;
	return 42;
}
