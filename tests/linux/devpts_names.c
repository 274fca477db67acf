/* SPDX-License-Identifier: MIT */
/* natively: root */
/* No program makes, removes or renames names in /dev/pts: only pseudo-terminals come and go there. The error depends on
 * who asks: EACCES without the right to write to the directory. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char name[64];

static void show(const char *what, long result)
{
	const int error = result < 0 ? errno : 0;
	printf("%s: %s\n", what,
	       error == EACCES || error == EPERM ? "not permitted"
	       : error                           ? strerror(error)
	                                         : "done");
}

#define SHOW(call) show(#call, call)

static void remove_names(void)
{
	SHOW(unlink(name));
	SHOW(unlink("/dev/pts/ptmx"));
	SHOW(unlink("/dev/pts/none"));
	SHOW(rmdir("/dev/pts/none"));
	SHOW(rmdir(name));
}

static void make_names(void)
{
	struct sockaddr_un address = {AF_UNIX, "/dev/pts/socket"};
	int s = socket(AF_UNIX, SOCK_STREAM, 0);
	SHOW(open("/dev/pts/new", O_CREAT | O_WRONLY, 0600));
	SHOW(open(name, O_CREAT | O_EXCL | O_WRONLY, 0600));
	SHOW(mkdir("/dev/pts/new", 0700));
	SHOW(mkdir(name, 0700));
	SHOW(mknod("/dev/pts/new", S_IFIFO | 0600, 0));
	SHOW(mknod("/dev/pts/new", S_IFREG | 0600, 0));
	SHOW(symlink("x", "/dev/pts/new"));
	SHOW(symlink("x", name));
	SHOW(link(name, "/dev/pts/new"));
	SHOW(bind(s, (struct sockaddr *)&address, sizeof(address)));
	SHOW(access("/dev/pts/new", F_OK));
	close(s);
}

static void rename_names(void)
{
	SHOW(rename(name, "/dev/pts/new"));
	SHOW(rename(name, name));
	SHOW(rename(name, "/dev/pts/ptmx"));
	SHOW(rename("/dev/pts/none", "/dev/pts/new"));
	SHOW(renameat2(AT_FDCWD, name, AT_FDCWD, "/dev/pts/ptmx", RENAME_EXCHANGE));
	SHOW(renameat2(AT_FDCWD, name, AT_FDCWD, "/dev/pts/ptmx", RENAME_NOREPLACE));
	SHOW(renameat2(AT_FDCWD, name, AT_FDCWD, "/dev/pts/new", RENAME_NOREPLACE));
}

int main(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	unlockpt(master);
	ptsname_r(master, name, sizeof(name));
	remove_names();
	make_names();
	rename_names();
	SHOW(access(name, F_OK));
	SHOW(open(name, O_RDWR | O_NOCTTY));
	close(master);
	SHOW(access(name, F_OK));
	return 0;
}
