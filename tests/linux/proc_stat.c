/* SPDX-License-Identifier: MIT */
/* stat(2) of what is in /proc and /sys: kinds, modes, sizes, link counts, owners. Numbers of entries differ between
 * machines, so link counts of directories are compared with their entries. */
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

static int is_guest;

/* Objects that every Linux has. */
static const char *const all[] = {
	"/proc/self",
	"/proc/thread-self",
	"/proc/mounts",
	"/proc/net",
	"/proc/cpuinfo",
	"/proc/meminfo",
	"/proc/vmstat",
	"/proc/uptime",
	"/proc/loadavg",
	"/proc/stat",
	"/proc/version",
	"/proc/filesystems",
	"/proc/swaps",
	"/proc/sys",
	"/proc/sys/kernel",
	"/proc/sys/kernel/ostype",
	"/proc/sys/kernel/osrelease",
	"/proc/sys/kernel/version",
	"/proc/sys/kernel/hostname",
	"/proc/sys/kernel/domainname",
	"/proc/sys/kernel/pid_max",
	"/proc/sys/kernel/threads-max",
	"/proc/sys/kernel/cap_last_cap",
	"/proc/sys/kernel/ngroups_max",
	"/proc/sys/kernel/randomize_va_space",
	"/proc/sys/kernel/core_pattern",
	"/proc/sys/kernel/random",
	"/proc/sys/kernel/random/boot_id",
	"/proc/sys/kernel/random/uuid",
	"/proc/sys/kernel/random/entropy_avail",
	"/proc/sys/kernel/random/poolsize",
	"/proc/sys/vm",
	"/proc/sys/vm/overcommit_memory",
	"/proc/sys/vm/overcommit_ratio",
	"/proc/sys/vm/max_map_count",
	"/proc/sys/vm/mmap_min_addr",
	"/proc/sys/fs",
	"/proc/sys/fs/file-max",
	"/proc/sys/fs/nr_open",
	"/proc/sys/fs/pipe-max-size",
	"/proc/self/",
	"/proc/self/maps",
	"/proc/self/smaps",
	"/proc/self/smaps_rollup",
	"/proc/self/auxv",
	"/proc/self/io",
	"/proc/self/cmdline",
	"/proc/self/environ",
	"/proc/self/comm",
	"/proc/self/stat",
	"/proc/self/statm",
	"/proc/self/status",
	"/proc/self/exe",
	"/proc/self/cwd",
	"/proc/self/root",
	"/proc/self/mounts",
	"/proc/self/mountinfo",
	"/proc/self/oom_score",
	"/proc/self/oom_score_adj",
	"/proc/self/personality",
	"/proc/self/wchan",
	"/proc/self/limits",
	"/proc/self/coredump_filter",
	"/proc/self/mem",
	"/proc/self/fdinfo",
	"/proc/self/fd",
	"/proc/self/fd/0",
	"/proc/self/fd/1",
	"/proc/self/fdinfo/0",
	"/proc/self/ns",
	"/proc/self/ns/mnt",
	"/proc/self/ns/pid_for_children",
	"/proc/self/net",
	"/proc/self/net/dev",
	"/proc/self/net/unix",
	"/proc/self/net/tcp",
	"/proc/self/task",
	"/proc/thread-self/",
	"/proc/thread-self/stat",
	"/proc/thread-self/fd",
	"/sys",
	"/sys/class",
	"/sys/class/net",
	"/sys/class/net/lo",
	"/sys/class/net/lo/",
	"/sys/class/net/lo/address",
	"/sys/class/net/lo/carrier",
	"/sys/class/net/lo/flags",
	"/sys/class/net/lo/mtu",
	"/sys/class/net/lo/operstate",
	"/sys/class/net/lo/tx_queue_len",
	"/sys/class/net/lo/type",
	"/sys/class/net/lo/uevent",
	"/sys/class/net/lo/statistics",
	"/sys/class/net/lo/statistics/rx_bytes",
	"/sys/devices",
	"/sys/devices/system",
	"/sys/devices/system/cpu",
	"/sys/devices/system/cpu/online",
	"/sys/devices/system/cpu/possible",
	"/sys/devices/system/cpu/kernel_max",
	"/sys/devices/system/cpu/cpu0",
	"/sys/devices/system/cpu/cpu0/topology",
	"/sys/devices/system/cpu/cpu0/topology/core_id",
	"/sys/devices/virtual",
	"/sys/devices/virtual/net",
	"/sys/kernel",
};

static unsigned directories_in(const char *path)
{
	unsigned count = 0;
	DIR *dir = opendir(path);
	for (const struct dirent *entry; dir && (entry = readdir(dir));)
		count += entry->d_type == DT_DIR && entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return count;
}

static int is_below(const char *path, const char *directory)
{
	return !strncmp(path, directory, strlen(directory));
}

/* The size of the directory of descriptors is their number, since Linux 6.2. */
static int size_is_right(const char *path, const struct stat *st)
{
	return strcmp(path + strlen(path) - 3, "/fd") ? st->st_size == 0 : !is_guest || st->st_size == 5;
}

static void tell(const char *path)
{
	struct stat st;
	struct statx stx;
	if (lstat(path, &st)) {
		printf("%s: absent\n", path);
		return;
	}
	printf("%s: %o, ", path, st.st_mode);
	unsigned below = S_ISDIR(st.st_mode) && !is_below(path, "/proc/sys") ? directories_in(path) : 0;
	if (!strcmp(path, "/sys/devices/virtual/net")) /* counted down when a device of another name space goes */
		printf("links: any, ");
	else if (below || is_below(path, "/sys"))
		printf("links: %d, ", st.st_nlink == (S_ISDIR(st.st_mode) ? 2UL : 1UL) + below);
	else if (!strcmp(path, "/proc/self/net"))
		printf("links: %d, ", st.st_nlink >= 2);
	else
		printf("%lu links, ", (unsigned long)st.st_nlink);
	if (S_ISDIR(st.st_mode))
		printf("size: %d, ", size_is_right(path, &st));
	else
		printf("%ld bytes, ", (long)st.st_size);
	printf("block %ld, %ld blocks, rdev %lu, ", (long)st.st_blksize, (long)st.st_blocks, (unsigned long)st.st_rdev);
	assert(!statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &stx));
	printf("statx: %d\n", stx.stx_nlink == st.st_nlink && stx.stx_mode == st.st_mode &&
	                              stx.stx_size == (unsigned long)st.st_size &&
	                              stx.stx_blksize == (unsigned)st.st_blksize);
}

static unsigned long links_of(const char *path)
{
	struct stat st;
	return stat(path, &st) ? 0 : (unsigned long)st.st_nlink;
}

static void *wait_for_end(void *barrier)
{
	pthread_barrier_wait(barrier);
	pthread_barrier_wait(barrier);
	return NULL;
}

static void threads(void)
{
	pthread_barrier_t barrier;
	pthread_t thread[3];
	int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY);
	struct stat st;
	printf("one thread: %lu\n", links_of("/proc/self/task"));
	pthread_barrier_init(&barrier, NULL, 4);
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, wait_for_end, &barrier);
	pthread_barrier_wait(&barrier);
	fstat(fd, &st);
	printf("four: %lu, %lu\n", links_of("/proc/self/task"), (unsigned long)st.st_nlink);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	/* A joined thread may still be ending, and the directory has no listing that would show it. */
	while (links_of("/proc/self/task") != 3)
		usleep(1000);
	printf("one again: %lu\n", links_of("/proc/self/task"));
	close(fd);
}

static void *outlive(void *first)
{
	pthread_join(*(pthread_t *)first, NULL);
	while (links_of("/proc/self/task") < 4) /* the first thread stays, as a zombie */
		usleep(1000);
	printf("after the first thread: %lu\n", links_of("/proc/self/task"));
	fflush(stdout);
	_exit(0);
}

static void first_ends(void)
{
	static pthread_t first;
	pthread_t thread;
	if (!fork()) {
		first = pthread_self();
		pthread_create(&thread, NULL, outlive, &first);
		pthread_exit(NULL);
	}
	wait(NULL);
}

static void processes(void)
{
	char path[64];
	siginfo_t info;
	unsigned long before = links_of("/proc");
	pid_t child = fork();
	if (!child)
		_exit(0);
	waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
	printf("a process more: %d\n", !is_guest || links_of("/proc") == before + 1);
	snprintf(path, sizeof(path), "/proc/%d/task", child);
	printf("zombie: %lu\n", links_of(path));
	waitpid(child, NULL, 0);
	printf("gone: %lu, %d\n", links_of(path), !is_guest || links_of("/proc") == before);
}

static int owned(const char *path, uid_t user)
{
	struct stat st;
	return !lstat(path, &st) && st.st_uid == user;
}

/* What belongs to whom after a change of users. Who may not change does not look. */
static void owners(void)
{
	int status, root = !geteuid();
	printf("mine: %d %d\n", owned("/proc/self/", geteuid()), owned("/proc/self/maps", geteuid()));
	if (!fork()) {
		if (root && setresuid(1234, 1234, 1234))
			root = 0;
		printf("dumpable: %d\n", root ? prctl(PR_GET_DUMPABLE) : 0);
		printf("directories: %d %d\n", !root || owned("/proc/self/", 1234),
		       !root || owned("/proc/self/task", 1234));
		printf("others: %d %d %d\n", !root || owned("/proc/self/maps", 0), !root || owned("/proc/self/fd", 0),
		       !root || owned("/proc/self/net/dev", 0));
		prctl(PR_SET_DUMPABLE, 1);
		printf("dumpable: %d %d\n", !root || owned("/proc/self/maps", 1234),
		       !root || owned("/proc/self/fd", 1234));
		fflush(stdout);
		_exit(0);
	}
	wait(&status);
}

int main(void)
{
	struct utsname name;
	uname(&name);
	is_guest = strstr(name.release, "eremite") != NULL;
	setvbuf(stdout, NULL, _IONBF, 0);
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	dup2(open("/dev/null", O_RDONLY), 0);
	open("/dev/null", O_RDONLY);
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		tell(all[i]);
	threads();
	first_ends();
	processes();
	owners();
	return 0;
}
