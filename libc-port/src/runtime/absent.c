/* SPDX-License-Identifier: MIT */
/* Functions that a static image cannot support: shared objects, message catalogues, and others. Each fails as its
 * manual page says. */
#include <dlfcn.h>
#include <fcntl.h>
#include <nl_types.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utmpx.h>

#include "libc-port/src/kernel.h"

static const char *dl_message;

/* dlopen(NULL) is the program itself, in which no symbol can be found by name. */
void *dlopen(const char *file, int)
{
	static char program;
	if (!file)
		return &program;
	dl_message = "dynamic loading is not supported";
	return NULL;
}

void *dlsym(void *restrict, const char *restrict)
{
	dl_message = "symbol not found";
	return NULL;
}

int dlclose(void *)
{
	return 0;
}

char *dlerror(void)
{
	const char *message = dl_message;
	dl_message = NULL;
	return (char *)(unsigned long)message;
}

nl_catd catopen(const char *, int)
{
	return errno = ENOENT, (nl_catd)-1;
}

char *catgets(nl_catd, int, int, const char *text)
{
	return (char *)(unsigned long)text;
}

int catclose(nl_catd)
{
	return kernel_refuse(EBADF);
}

int memfd_create(const char *, unsigned)
{
	return kernel_refuse(ENOSYS);
}

/* There are no pseudo-terminals: /dev/ptmx does not exist, and no descriptor is a pseudo-terminal. */
int posix_openpt(int flags)
{
	return open("/dev/ptmx", flags);
}

static int no_pseudo_terminal(int fd)
{
	return kernel_refuse(kcall_fcntl(fd, F_GETFD, 0) < 0 ? EBADF : EINVAL);
}

int grantpt(int fd)
{
	return no_pseudo_terminal(fd);
}

int unlockpt(int fd)
{
	return no_pseudo_terminal(fd);
}

char *ptsname(int fd)
{
	no_pseudo_terminal(fd);
	return errno = ENOTTY, NULL;
}

/* Nobody is logged in, and there is no record of it. */
void setutxent(void)
{
}

void endutxent(void)
{
}

struct utmpx *getutxent(void)
{
	return kernel_refuse(ENOENT), NULL;
}

struct utmpx *getutxid(const struct utmpx *)
{
	return kernel_refuse(ENOENT), NULL;
}

struct utmpx *getutxline(const struct utmpx *)
{
	return kernel_refuse(ENOENT), NULL;
}

struct utmpx *pututxline(const struct utmpx *)
{
	return kernel_refuse(ENOENT), NULL;
}
