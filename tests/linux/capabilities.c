/* SPDX-License-Identifier: MIT */
/* natively: root */
/* What prctl(2) does with capabilities (capabilities(7)): bounding and ambient sets, and the secure bits. Of root's
 * capabilities those are asked for that containers give to it. */
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

#include "in_child.h"

#define INHERITED (1UL << CAP_KILL | 1UL << CAP_SETPCAP)

static struct __user_cap_data_struct data[2];

static int change(void)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	return (int)syscall(SYS_capset, &header, data);
}

static void get(void)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	syscall(SYS_capget, &header, data);
}

/* Of all sets in /proc, what they have of two. */
static void show(const char *when)
{
	char line[256];
	FILE *status = fopen("/proc/self/status", "r");
	printf("%s:", when);
	while (fgets(line, sizeof(line), status)) {
		char name[4];
		unsigned long set;
		if (sscanf(line, "Cap%3s %lx", name, &set) == 2)
			printf(" %s %lx", name, set & INHERITED);
	}
	printf("\n");
	fclose(status);
}

static void last(void)
{
	SAY(prctl(PR_CAPBSET_READ, 0));
	SAY(prctl(PR_CAPBSET_READ, 41));
	SAY(prctl(PR_CAPBSET_READ, -1L));
	int number = -1, read = 0;
	FILE *told = fopen("/proc/sys/kernel/cap_last_cap", "r");
	fscanf(told, "%d", &number);
	fclose(told);
	while (prctl(PR_CAPBSET_READ, read) >= 0)
		read++;
	printf("last: %d %d\n", number, read - 1);
}

static void again(void)
{
	execl("/proc/self/exe", "capabilities", "again", NULL);
}

static void bounding(void)
{
	SAY(prctl(PR_CAPBSET_DROP, 41));
	SAY(prctl(PR_CAPBSET_DROP, CAP_KILL));
	SAY(prctl(PR_CAPBSET_DROP, CAP_KILL));
	SAY(prctl(PR_CAPBSET_READ, CAP_KILL));
	show("dropped");
	get();
	data[0].inheritable |= 1 << CAP_KILL;
	SAY(change());
	in_child(again);
	get();
	data[0].effective &= ~(1U << CAP_SETPCAP);
	SAY(change());
	SAY(prctl(PR_CAPBSET_DROP, 41));
	SAY(prctl(PR_CAPBSET_DROP, CAP_CHOWN));
	SAY(prctl(PR_SET_SECUREBITS, 0));
	SAY(prctl(PR_CAPBSET_READ, CAP_CHOWN));
}

static void ambient(void)
{
	SAY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_KILL, 0, 0));
	SAY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, 41, 0, 0));
	SAY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_KILL, 1, 0));
	SAY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 1, 0, 0));
	SAY(prctl(PR_CAP_AMBIENT, 5, CAP_KILL, 0, 0));
	SAY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_KILL, 0, 0));
	get();
	data[0].inheritable |= INHERITED;
	SAY(change());
	SAY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_KILL, 0, 0));
	SAY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SETPCAP, 0, 0));
	SAY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_KILL, 0, 0));
	show("raised");
	in_child(again);
	SAY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_LOWER, CAP_SETPCAP, 0, 0));
	show("lowered");
	data[0].inheritable &= ~(1U << CAP_KILL);
	SAY(change());
	show("no more inheritable");
	data[0].inheritable |= 1 << CAP_KILL;
	SAY(change());
	SAY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_KILL, 0, 0));
	SAY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0));
	show("cleared");
	SAY(prctl(PR_SET_SECUREBITS, SECBIT_NO_CAP_AMBIENT_RAISE));
	SAY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_KILL, 0, 0));
}

/* A user without root's number keeps what it is given. */
static void other_user(void)
{
	get();
	data[0].inheritable |= INHERITED;
	SAY(change());
	SAY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_KILL, 0, 0));
	SAY(prctl(PR_SET_KEEPCAPS, 1));
	SAY(prctl(PR_GET_SECUREBITS));
	SAY(setresuid(1000, 1000, 1000));
	show("other user");
	SAY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_KILL, 0, 0));
	show("raised");
	again();
}

static void secure(void)
{
	SAY(prctl(PR_GET_SECUREBITS));
	SAY(prctl(PR_SET_SECUREBITS, 1 << 20));
	SAY(prctl(PR_SET_SECUREBITS, SECBIT_NOROOT));
	SAY(prctl(PR_GET_SECUREBITS));
	in_child(again);
	SAY(prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP | SECBIT_KEEP_CAPS_LOCKED));
	SAY(prctl(PR_SET_KEEPCAPS, 1));
	SAY(prctl(PR_SET_KEEPCAPS, 2));
	SAY(prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP));
	SAY(prctl(PR_SET_SECUREBITS, SECBIT_KEEP_CAPS | SECBIT_KEEP_CAPS_LOCKED));
	SAY(prctl(PR_GET_SECUREBITS));
	SAY(setresuid(1000, 1000, 1000));
	show("without fixup");
	again();
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		show("executed");
		SAY(prctl(PR_CAPBSET_READ, CAP_KILL));
		SAY(prctl(PR_GET_SECUREBITS));
		return 0;
	}
	last();
	in_child(bounding);
	in_child(ambient);
	in_child(other_user);
	in_child(secure);
	show("parent");
	return 0;
}
