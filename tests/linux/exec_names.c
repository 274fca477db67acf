/* SPDX-License-Identifier: MIT */
/* Names that a program is known by: prctl(PR_GET_NAME) and AT_EXECFN of programs and scripts, by path and descriptor.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

/* The names, and those of a program that was executed by nothing but a descriptor as Linux has them since 6.14. */
static int executed(int argc, char **argv)
{
	char name[16];
	struct utsname host;
	int major = 0, minor = 0, by_descriptor = atoi(getenv("BY_DESCRIPTOR"));
	prctl(PR_GET_NAME, name);
	uname(&host);
	sscanf(host.release, "%d.%d", &major, &minor);
	if (by_descriptor && !strstr(host.release, "eremite") && (major < 6 || (major == 6 && minor < 14)))
		strcpy(name, getenv("SINCE_LINUX_6_14"));
	printf("%s, executed as %s, %d arguments, the last %s\n", name, (char *)getauxval(AT_EXECFN), argc,
	       argc > 2 ? argv[argc - 1] : "none");
	return 0;
}

/* `name`: what a program executed by descriptor is known by since Linux 6.14. */
static void execute(int dirfd, const char *path, int flags, const char *name)
{
	char since[40];
	char *const arguments[] = {"zeroth", "x", NULL};
	char *const environment[] = {flags ? "BY_DESCRIPTOR=1" : "BY_DESCRIPTOR=0", since, NULL};
	snprintf(since, sizeof(since), "SINCE_LINUX_6_14=%.15s", name);
	printf("%d \"%s\": ", dirfd, path);
	fflush(stdout);
	if (!fork()) {
		syscall(SYS_execveat, dirfd, path, arguments, environment, flags);
		printf("%s\n", errno_name(errno));
		fflush(stdout);
		_exit(1);
	}
	wait(NULL);
}

static void copy(const char *own, int to)
{
	char buffer[65536];
	int from = open(own, O_RDONLY);
	ssize_t got;
	while ((got = read(from, buffer, sizeof(buffer))) > 0)
		if (write(to, buffer, (size_t)got) != got)
			exit(1);
	close(from);
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"program", "link", "script", "link_to_script", "script_of_script"};
	char own[400], directory[] = "/tmp/names-XXXXXX", path[40];
	if (argc > 1)
		return executed(argc, argv);
	long length = readlink("/proc/self/exe", own, sizeof(own) - 1);
	if (length < 0 || !mkdtemp(directory) || chdir(directory))
		return 1;
	own[length] = 0;
	int program = open("program", O_CREAT | O_WRONLY, 0755);
	copy(own, program);
	close(program);
	int script = open("script", O_CREAT | O_WRONLY, 0755),
	    deeper = open("script_of_script", O_CREAT | O_WRONLY, 0755);
	dprintf(script, "#!./link y\n");
	dprintf(deeper, "#!script z\n");
	close(script);
	close(deeper);
	if (symlink("program", "link") || symlink("script", "link_to_script"))
		return 1;
	dup2(open(".", O_RDONLY | O_DIRECTORY), 20);
	for (int i = 0; i < 5; i++) {
		dup2(open(names[i], O_RDONLY), 21);
		execute(AT_FDCWD, names[i], 0, "");
		execute(20, names[i], 0, "");
		execute(21, "", AT_EMPTY_PATH, "program");
		snprintf(path, sizeof(path), "./%s", names[i]);
		execute(AT_FDCWD, path, 0, "");
	}
	int memory = memfd_create("in_memory_only", 0);
	copy(own, memory);
	dup2(memory, 22);
	close(memory);
	execute(22, "", AT_EMPTY_PATH, "memfd:in_memory_only");
	for (int i = 0; i < 5; i++)
		unlink(names[i]);
	rmdir(directory);
	return 0;
}
