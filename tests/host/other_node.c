/* SPDX-License-Identifier: MIT */
/* Preloaded (ld.so(8)), makes this machine look like one of many: files beneath $SHARED are on NFS, the host name is
 * $NODE. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#define NFS 0x6969

static void show_as_shared(const char *path, struct statfs *fs)
{
	const char *shared = getenv("SHARED");
	if (shared && *shared && !strncmp(path, shared, strlen(shared)))
		fs->f_type = NFS;
}

int statfs(const char *path, struct statfs *fs)
{
	int (*real)(const char *, struct statfs *) = (int (*)(const char *, struct statfs *))dlsym(RTLD_NEXT, "statfs");
	int result = real(path, fs);
	if (!result)
		show_as_shared(path, fs);
	return result;
}

int uname(struct utsname *names)
{
	int (*real)(struct utsname *) = (int (*)(struct utsname *))dlsym(RTLD_NEXT, "uname");
	int result = real(names);
	if (!result && getenv("NODE"))
		snprintf(names->nodename, sizeof(names->nodename), "%s", getenv("NODE"));
	return result;
}
