/* SPDX-License-Identifier: MIT */
/* Before newlib's <setjmp.h>: the jumps that POSIX adds, sigsetjmp(3) and _setjmp(3). See src/setjmp.S. */
#ifndef EREMITE_SETJMP_H
#define EREMITE_SETJMP_H

#include_next <setjmp.h>

#include <sys/cdefs.h>
#include <sys/features.h>

__BEGIN_DECLS

#if __POSIX_VISIBLE
/** A jmp_buf, whether the signal mask was saved, and the mask. */
typedef long long sigjmp_buf[10];

int sigsetjmp(sigjmp_buf env, int save_mask) __attribute__((__returns_twice__));
void siglongjmp(sigjmp_buf env, int value) __attribute__((__noreturn__));
#endif

#if __MISC_VISIBLE || __XSI_VISIBLE
int _setjmp(jmp_buf env) __attribute__((__returns_twice__));
void _longjmp(jmp_buf env, int value) __attribute__((__noreturn__));
#endif

__END_DECLS

#endif
