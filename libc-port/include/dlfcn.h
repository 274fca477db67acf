/* SPDX-License-Identifier: MIT */
/* dlopen(3): an image is one static program, so only dlopen(NULL) succeeds and no symbol is found. */
#ifndef _DLFCN_H
#define _DLFCN_H

#include <sys/cdefs.h>

__BEGIN_DECLS

#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_NOLOAD 4
#define RTLD_LOCAL 0
#define RTLD_GLOBAL 0x100
#define RTLD_NODELETE 0x1000
#define RTLD_DEFAULT ((void *)0)
#define RTLD_NEXT ((void *)-1L)

void *dlopen(const char *__file, int __flags);
void *dlsym(void *__restrict __handle, const char *__restrict __name);
int dlclose(void *__handle);
char *dlerror(void);

__END_DECLS

#endif
