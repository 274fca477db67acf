/* SPDX-License-Identifier: MIT */
/* Users, groups, capabilities and priorities: what is the same for any user, and, in a child, what root gives up. */
#include <grp.h>
#include <linux/capability.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/syscall.h>
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

/* With an argument, which tests/programs/linux.test gives it: natively it needs root. */
static void root_gives_up(void)
{
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
