/* SPDX-License-Identifier: MIT */
/* Users, groups, capabilities and priorities: what is the same for any user, and, in a child, what root gives up. */
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

static void any_user(void)
{
	uid_t real, effective, saved;
	SAY(getresuid(&real, &effective, &saved));
	printf("same: %d %d %d\n", real == getuid(), effective == geteuid(), saved == geteuid());
	SAY(getresgid(&real, &effective, &saved));
	printf("same: %d %d %d\n", real == getgid(), effective == getegid(), saved == getegid());
	SAY(getresuid((void *)8, &effective, &saved));
	SAY(setresuid(-1, -1, -1));
	SAY(setresgid(-1, -1, -1));
	SAY(setreuid(-1, geteuid()));
	SAY(setregid(getgid(), -1));
	SAY(setuid(getuid()));
	SAY(setgid(getgid()));
	SAY(setuid(-1));
	SAY(setgid(-1));
	printf("%d %d\n", setfsuid(-1) == (int)geteuid(), setfsgid(-1) == (int)getegid());
	SAY(getgroups(-1, NULL));
	printf("groups: %d\n", getgroups(0, NULL) >= 0);
}

static void capabilities(void)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2];
	SAY(syscall(SYS_capget, &header, data));
	printf("subset: %d\n", !(data[0].effective & ~data[0].permitted));
	SAY(syscall(SYS_capset, &header, data));
	header.pid = -1;
	SAY(syscall(SYS_capget, &header, data));
	header = (struct __user_cap_header_struct){1, 0};
	SAY(syscall(SYS_capget, &header, NULL));
	printf("%x\n", header.version);
	header.version = 1;
	SAY(syscall(SYS_capget, &header, data));
	SAY(syscall(SYS_capget, (void *)8, data));
}

static void priorities(void)
{
	SAY(getpriority(3, 0));
	SAY(getpriority(PRIO_PROCESS, 999999));
	SAY(setpriority(PRIO_PROCESS, 0, 5));
	SAY(getpriority(PRIO_PROCESS, 0));
	SAY(nice(3));
	if (!fork()) {
		SAY(getpriority(PRIO_PROCESS, getpid()));
		SAY(setpriority(PRIO_PROCESS, 0, 100));
		SAY(getpriority(PRIO_PROCESS, 0));
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
	SAY(getpriority(PRIO_PROCESS, 0));
	SAY(syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 4));
	SAY(syscall(SYS_ioprio_get, 1, 0));
	SAY(syscall(SYS_ioprio_set, 1, 0, 4 << 13));
	SAY(syscall(SYS_ioprio_set, 4, 0, 2 << 13 | 4));
	SAY(syscall(SYS_ioprio_get, 1, 999999));
}

/* With an argument, which tests/linux/debian.test gives it: natively it needs root. */
/* Whose a new object is. */
static void owner(const char *what, int made, const char *path)
{
	struct stat st;
	if (made >= 0 && !lstat(path, &st))
		printf("%s: %u %u %o\n", what, st.st_uid, st.st_gid, st.st_mode);
	remove(path);
}

/* In a folder of another user's, and in one that hands down its group. */
static void owners(void)
{
	const char *name = "/dev/shm/owners";
	struct sockaddr_un at = {AF_UNIX, "socket"};
	if (mkdir(name, 0777) || chmod(name, 0777) || chdir(name) || mkdir("down", 0777) || chown("down", 3, 4) ||
	    chmod("down", 02777))
		return;
	setfsgid(6);
	setfsuid(5);
	owner("file", open("file", O_CREAT | O_WRONLY, 0640), "file");
	owner("folder", mkdir("folder", 0750), "folder");
	owner("link", symlink("nothing", "link"), "link");
	owner("pipe", mkfifo("pipe", 0600), "pipe");
	owner("socket", bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof(at)), "socket");
	owner("file below", open("down/file", O_CREAT | O_WRONLY, 0640), "down/file");
	owner("folder below", mkdir("down/folder", 0750), "down/folder");
	setfsuid(0);
	setfsgid(0);
	owner("root's", open("file", O_CREAT | O_WRONLY, 0640), "file");
	rmdir("down");
	rmdir(name);
}

/* As many groups as there may be, and one more: they are kept in order, and a child has them. */
static void many_groups(void)
{
	static const int counts[] = {1000, 65535, 65536, 65537};
	static gid_t given[65537], kept[65536];
	for (unsigned i = 0; i < sizeof(given) / sizeof(given[0]); i++)
		given[i] = i * 7919 % 70001;
	for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		unsigned sum = 0;
		printf("%d: ", counts[i]);
		SAY(setgroups(counts[i], given));
		if (!fork()) {
			int count = getgroups(65536, kept);
			for (int j = 0; j < count; j++)
				sum = sum * 31 + kept[j];
			printf("%d: %u to %u, %x\n", count, kept[0], kept[count - 1], sum);
			SAY(setgroups(1, given));
			fflush(stdout);
			_exit(0);
		}
		wait(NULL);
		SAY(getgroups(0, NULL));
		SAY(getgroups(999, kept));
	}
	given[1] = -1;
	SAY(setgroups(2, given));
}

static void root_gives_up(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	owners();
	many_groups();
	gid_t groups[3] = {7, 8, 9};
	SAY(setgroups(3, groups));
	SAY(getgroups(2, groups));
	SAY(getgroups(3, groups));
	SAY(setgroups(-1, groups));
	SAY(setgroups(2, (void *)8));
	SAY(setresgid(20, 21, 22));
	SAY(setegid(22));
	SAY(getegid());
	SAY(setresuid(10, 11, 0));
	SAY(getuid());
	SAY(geteuid());
	SAY(setgroups(0, NULL));
	SAY(setgid(99));
	SAY(setreuid(-1, 0));
	SAY(setfsuid(5));
	SAY(setfsuid(-1));
	SAY(setuid(12));
	SAY(setuid(0));
	SAY(setresuid(0, 0, 0));
	SAY(setgid(20));
	SAY(getuid());
	uid_t real, effective, saved;
	SAY(getresuid(&real, &effective, &saved));
	printf("%u %u %u\n", real, effective, saved);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		root_gives_up();
		return 0;
	}
	any_user();
	capabilities();
	priorities();
	return 0;
}
