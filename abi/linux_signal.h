/* SPDX-License-Identifier: MIT */
/* Signals of Linux x86-64: numbers, codes and the context that a handler sees (signal(7), sigaction(2)). */
#ifndef ABI_LINUX_SIGNAL_H
#define ABI_LINUX_SIGNAL_H

#include <stdint.h>

#include "abi/linux.h"

#define LINUX_NSIG 64

#define LINUX_SIGHUP 1
#define LINUX_SIGINT 2
#define LINUX_SIGQUIT 3
#define LINUX_SIGILL 4
#define LINUX_SIGTRAP 5
#define LINUX_SIGABRT 6
#define LINUX_SIGBUS 7
#define LINUX_SIGFPE 8
#define LINUX_SIGKILL 9
#define LINUX_SIGSEGV 11
#define LINUX_SIGPIPE 13
#define LINUX_SIGALRM 14
#define LINUX_SIGCHLD 17
#define LINUX_SIGCONT 18
#define LINUX_SIGSTOP 19
#define LINUX_SIGTSTP 20
#define LINUX_SIGTTIN 21
#define LINUX_SIGTTOU 22
#define LINUX_SIGURG 23
#define LINUX_SIGXCPU 24
#define LINUX_SIGVTALRM 26
#define LINUX_SIGPROF 27
#define LINUX_SIGWINCH 28
#define LINUX_SIGXFSZ 25
#define LINUX_SIGSYS 31

#define LINUX_SIG_DFL 0
#define LINUX_SIG_IGN 1

#define LINUX_CLD_EXITED 1
#define LINUX_CLD_KILLED 2
#define LINUX_CLD_STOPPED 5
#define LINUX_CLD_CONTINUED 6

#define LINUX_SA_NOCLDSTOP 1UL
#define LINUX_SA_NOCLDWAIT 2UL
#define LINUX_SA_SIGINFO 4UL
#define LINUX_SA_ONSTACK 0x08000000UL
#define LINUX_SA_RESTART 0x10000000UL
#define LINUX_SA_NODEFER 0x40000000UL
#define LINUX_SA_RESETHAND 0x80000000UL
#define LINUX_SA_KNOWN 0xdc000807UL /* these, SA_EXPOSE_TAGBITS and SA_RESTORER */

#define LINUX_SIG_BLOCK 0
#define LINUX_SIG_UNBLOCK 1
#define LINUX_SIG_SETMASK 2

#define LINUX_SS_ONSTACK 1
#define LINUX_SS_DISABLE 2
#define LINUX_SS_AUTODISARM INT32_MIN
#define LINUX_MINSIGSTKSZ 2048

#define LINUX_SI_USER 0
#define LINUX_SI_KERNEL 0x80
#define LINUX_SI_QUEUE (-1)
#define LINUX_SI_TIMER (-2)
#define LINUX_SI_TKILL (-6)
#define LINUX_SIGRTMIN 32 /* the first signal that queues; libraries reserve some */

#define LINUX_SIGEV_SIGNAL 0
#define LINUX_SIGEV_NONE 1
#define LINUX_SIGEV_THREAD_ID 4
#define LINUX_ILL_ILLOPN 2
#define LINUX_FPE_INTDIV 1
#define LINUX_FPE_FLTDIV 3
#define LINUX_FPE_FLTOVF 4
#define LINUX_FPE_FLTUND 5
#define LINUX_FPE_FLTRES 6
#define LINUX_FPE_FLTINV 7
#define LINUX_SEGV_MAPERR 1
#define LINUX_SEGV_ACCERR 2
#define LINUX_BUS_ADRALN 1
#define LINUX_BUS_ADRERR 2
#define LINUX_TRAP_BRKPT 1
#define LINUX_TRAP_TRACE 2

/** struct sigevent as timer_create(2) takes it. */
struct linux_sigevent {
	uint64_t sigev_value;
	int32_t sigev_signo;
	int32_t sigev_notify;
	int32_t sigev_tid; /* LINUX_SIGEV_THREAD_ID */
	int32_t pad[11];
};

_Static_assert(sizeof(struct linux_sigevent) == 64, "struct sigevent");

/** Index of each register in gregs[], sys/ucontext.h. */
enum linux_greg {
	LINUX_REG_R8,
	LINUX_REG_R9,
	LINUX_REG_R10,
	LINUX_REG_R11,
	LINUX_REG_R12,
	LINUX_REG_R13,
	LINUX_REG_R14,
	LINUX_REG_R15,
	LINUX_REG_RDI,
	LINUX_REG_RSI,
	LINUX_REG_RBP,
	LINUX_REG_RBX,
	LINUX_REG_RDX,
	LINUX_REG_RAX,
	LINUX_REG_RCX,
	LINUX_REG_RSP,
	LINUX_REG_RIP,
	LINUX_REG_EFL,
	LINUX_REG_CSGSFS,
	LINUX_REG_ERR,
	LINUX_REG_TRAPNO,
	LINUX_REG_OLDMASK,
	LINUX_REG_CR2,
	LINUX_NGREG
};

/* uc_flags: fpregs is an XSAVE area; gregs has SS, which sigreturn restores. */
#define LINUX_UC_FP_XSTATE 1UL
#define LINUX_UC_SIGCONTEXT_SS 2UL
#define LINUX_UC_STRICT_RESTORE_SS 4UL

/** ucontext_t as the kernel writes it. */
struct linux_ucontext {
	uint64_t uc_flags;
	struct linux_ucontext *uc_link;
	struct linux_stack uc_stack;
	uint64_t gregs[LINUX_NGREG];
	void *fpregs; /* FXSAVE area */
	uint64_t reserved[8];
	uint64_t uc_sigmask;
};

_Static_assert(sizeof(struct linux_ucontext) == 304, "ucontext");

#endif
