/* SPDX-License-Identifier: MIT */
/* What a static image cannot have, failing as its manual page says: shared objects, message catalogues, raw calls. */
#include <dlfcn.h>
#include <nl_types.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"

static const char *dl_message;

/* dlopen(NULL) is the program itself, in which no symbol can be found by name. */
void *dlopen(const char *file, int flags)
{
	static char program;
	(void)flags;
	if (!file)
		return &program;
	dl_message = "dynamic loading is not supported";
	return NULL;
}

void *dlsym(void *restrict handle, const char *restrict name)
{
	(void)handle, (void)name;
	dl_message = "symbol not found";
	return NULL;
}

int dlclose(void *handle)
{
	(void)handle;
	return 0;
}

char *dlerror(void)
{
	const char *message = dl_message;
	dl_message = NULL;
	return (char *)(unsigned long)message;
}

nl_catd catopen(const char *name, int flag)
{
	(void)name, (void)flag;
	return errno = ENOENT, (nl_catd)-1;
}

char *catgets(nl_catd catalog, int set, int message, const char *text)
{
	(void)catalog, (void)set, (void)message;
	return (char *)(unsigned long)text;
}

int catclose(nl_catd catalog)
{
	(void)catalog;
	return kernel_refuse(EBADF);
}

int memfd_create(const char *name, unsigned flags)
{
	(void)name, (void)flags;
	return kernel_refuse(ENOSYS);
}
