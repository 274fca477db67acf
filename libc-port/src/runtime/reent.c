/* SPDX-License-Identifier: MIT */
/* The calling thread's struct _reent, which holds newlib's errno and all its other state per thread. */
#include <reent.h>

/* Set before the first C code of a thread: by crt0.c for the main one. */
__thread struct _reent *__eremite_reent;

#undef __getreent
struct _reent *__getreent(void);

/* For objects compiled without the macro of <sys/features.h>. */
struct _reent *__getreent(void)
{
	return __eremite_reent;
}
