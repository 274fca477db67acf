/* SPDX-License-Identifier: MIT */
/* ucontext_t as the kernel lays it out on a signal frame: Linux x86-64 (getcontext(3)). */
#ifndef _SYS_UCONTEXT_H
#define _SYS_UCONTEXT_H

#include <sys/signal.h>

typedef long long greg_t;
typedef greg_t gregset_t[23];

#define NGREG 23
#if __GNU_VISIBLE
enum {
	REG_R8,
	REG_R9,
	REG_R10,
	REG_R11,
	REG_R12,
	REG_R13,
	REG_R14,
	REG_R15,
	REG_RDI,
	REG_RSI,
	REG_RBP,
	REG_RBX,
	REG_RDX,
	REG_RAX,
	REG_RCX,
	REG_RSP,
	REG_RIP,
	REG_EFL,
	REG_CSGSFS,
	REG_ERR,
	REG_TRAPNO,
	REG_OLDMASK,
	REG_CR2
};
#endif

/* The FXSAVE image (Intel SDM volume 1, 10.5.1). */
struct _libc_fpstate {
	unsigned short cwd, swd, ftw, fop;
	unsigned long rip, rdp;
	unsigned int mxcsr, mxcr_mask;
	unsigned int _st[8][4];
	unsigned int _xmm[16][4];
	unsigned int __reserved[24];
};
typedef struct _libc_fpstate *fpregset_t;

typedef struct {
	gregset_t gregs;
	fpregset_t fpregs;
	unsigned long long __reserved[8];
} mcontext_t;

typedef struct ucontext_t {
	unsigned long uc_flags;
	struct ucontext_t *uc_link;
	stack_t uc_stack;
	mcontext_t uc_mcontext;
	sigset_t uc_sigmask;
	struct _libc_fpstate __fpregs;
} ucontext_t;

#endif
