/* SPDX-License-Identifier: MIT */
/* personality(2), with the flags that are kept everywhere: a child has its parent's, and keeps it when it executes. */
#include <sys/personality.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define ASK 0xffffffff

static void show(const char *who)
{
	struct utsname name;
	char line[32] = "";
	FILE *file = fopen("/proc/self/personality", "r");
	fgets(line, sizeof(line), file);
	fclose(file);
	uname(&name);
	printf("%s: %x %s, %s", who, personality(ASK), name.machine, line);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		show("executed");
		return 0;
	}
	personality(0);
	show("plain");
	SAY(personality(ADDR_NO_RANDOMIZE));
	SAY(personality(ADDR_NO_RANDOMIZE | ADDR_COMPAT_LAYOUT | SHORT_INODE | WHOLE_SECONDS));
	SAY(personality(PER_LINUX32 | ADDR_NO_RANDOMIZE));
	show("32");
	if (!fork()) {
		show("child");
		personality(ADDR_NO_RANDOMIZE);
		execv(argv[0], (char *[]){argv[0], "again", NULL});
	}
	wait(NULL);
	show("parent");
	return execv(argv[0], (char *[]){argv[0], "again", NULL});
}
