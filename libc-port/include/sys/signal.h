/* SPDX-License-Identifier: MIT */
/* Signals with Linux's numbers and siginfo_t (signal(7), sigaction(2)).
 *
 * struct sigaction is the API's: src/signal.c turns it into the kernel's. */
#ifndef _SYS_SIGNAL_H
#define _SYS_SIGNAL_H

#include <sys/cdefs.h>
#include <sys/features.h>
#include <sys/types.h>
#include <sys/_sigset.h>
#include <sys/_timespec.h>

__BEGIN_DECLS

#if !defined(_SIGSET_T_DECLARED)
#define _SIGSET_T_DECLARED
typedef __sigset_t sigset_t; /* signal s is bit s - 1, as in the kernel */
#endif

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT SIGABRT
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTKFLT 16
#define SIGCHLD 17
#define SIGCLD SIGCHLD
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL SIGIO
#define SIGPWR 30
#define SIGSYS 31
#define SIGRTMIN 34
#define SIGRTMAX 64
#define _NSIG 65
#define NSIG _NSIG

#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_RESTORER 0x04000000
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND (int)0x80000000
#define SA_NOMASK SA_NODEFER
#define SA_ONESHOT SA_RESETHAND

#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

#define SS_ONSTACK 1
#define SS_DISABLE 2

#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2
#define SIGEV_THREAD_ID 4

#define SI_USER 0
#define SI_KERNEL 0x80
#define SI_QUEUE (-1)
#define SI_TIMER (-2)
#define SI_MESGQ (-3)
#define SI_ASYNCIO (-4)
#define SI_SIGIO (-5)
#define SI_TKILL (-6)

#define ILL_ILLOPC 1
#define ILL_ILLOPN 2
#define ILL_ILLADR 3
#define ILL_ILLTRP 4
#define ILL_PRVOPC 5
#define ILL_PRVREG 6
#define ILL_COPROC 7
#define ILL_BADSTK 8
#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define FPE_FLTDIV 3
#define FPE_FLTOVF 4
#define FPE_FLTUND 5
#define FPE_FLTRES 6
#define FPE_FLTINV 7
#define FPE_FLTSUB 8
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
#define BUS_ADRALN 1
#define BUS_ADRERR 2
#define BUS_OBJERR 3
#define TRAP_BRKPT 1
#define TRAP_TRACE 2
#define CLD_EXITED 1
#define CLD_KILLED 2
#define CLD_DUMPED 3
#define CLD_TRAPPED 4
#define CLD_STOPPED 5
#define CLD_CONTINUED 6
#define POLL_IN 1
#define POLL_OUT 2
#define POLL_MSG 3
#define POLL_ERR 4
#define POLL_PRI 5
#define POLL_HUP 6

union sigval {
	int sival_int;
	void *sival_ptr;
};

struct sigevent {
	union sigval sigev_value;
	int sigev_signo;
	int sigev_notify;
	void (*sigev_notify_function)(union sigval);
	pthread_attr_t *sigev_notify_attributes;
	int __pad[8];
};

/* 128 bytes; which member of the union counts follows from si_signo and si_code (sigaction(2)). */
typedef struct {
	int si_signo;
	int si_errno;
	int si_code;
	int __pad0;
	union {
		struct {
			pid_t __pid;
			uid_t __uid;
			union {
				union sigval __value;
				struct {
					int __status;
					int __pad;
					clock_t __utime;
					clock_t __stime;
				} __child;
			} __u;
		} __sender;
		struct {
			int __id;
			int __overrun;
			union sigval __value;
		} __timer;
		void *__address;
		struct {
			long __band;
			int __fd;
		} __poll;
		char __size[112];
	} __fields;
} siginfo_t;

#define si_pid __fields.__sender.__pid
#define si_uid __fields.__sender.__uid
#define si_value __fields.__sender.__u.__value
#define si_int __fields.__sender.__u.__value.sival_int
#define si_ptr __fields.__sender.__u.__value.sival_ptr
#define si_status __fields.__sender.__u.__child.__status
#define si_utime __fields.__sender.__u.__child.__utime
#define si_stime __fields.__sender.__u.__child.__stime
#define si_timerid __fields.__timer.__id
#define si_overrun __fields.__timer.__overrun
#define si_addr __fields.__address
#define si_band __fields.__poll.__band
#define si_fd __fields.__poll.__fd

typedef void (*_sig_func_ptr)(int);

struct sigaction {
	union {
		_sig_func_ptr __handler;
		void (*__action)(int, siginfo_t *, void *);
	} __u;
	sigset_t sa_mask;
	int sa_flags;
	void (*sa_restorer)(void);
};

#define sa_handler __u.__handler
#define sa_sigaction __u.__action

typedef struct sigaltstack {
	void *ss_sp;
	int ss_flags;
	size_t ss_size;
} stack_t;

int kill(pid_t __pid, int __sig);
int killpg(pid_t __group, int __sig);
int sigaction(int __sig, const struct sigaction *__restrict __act, struct sigaction *__restrict __old);
int sigprocmask(int __how, const sigset_t *__restrict __set, sigset_t *__restrict __old);
int pthread_sigmask(int __how, const sigset_t *__restrict __set, sigset_t *__restrict __old);
int pthread_kill(pthread_t __tid, int __sig);
int sigaddset(sigset_t *__set, int __sig);
int sigdelset(sigset_t *__set, int __sig);
int sigismember(const sigset_t *__set, int __sig);
int sigfillset(sigset_t *__set);
int sigemptyset(sigset_t *__set);
int sigpending(sigset_t *__set);
int sigsuspend(const sigset_t *__mask);
int sigwait(const sigset_t *__restrict __set, int *__restrict __sig);
int sigwaitinfo(const sigset_t *__restrict __set, siginfo_t *__restrict __info);
int sigtimedwait(const sigset_t *__restrict __set, siginfo_t *__restrict __info,
                 const struct timespec *__restrict __timeout);
int sigqueue(pid_t __pid, int __sig, union sigval __value);
int sigaltstack(const stack_t *__restrict __stack, stack_t *__restrict __old);
int siginterrupt(int __sig, int __flag);
int sigpause(int __sig);
#if __POSIX_VISIBLE >= 200809
void psignal(int __sig, const char *__message);
void psiginfo(const siginfo_t *__info, const char *__message);
#endif
#if __XSI_VISIBLE || __MISC_VISIBLE
_sig_func_ptr sigset(int __sig, _sig_func_ptr __action);
int sighold(int __sig);
int sigrelse(int __sig);
int sigignore(int __sig);
#endif
#define SIG_HOLD ((_sig_func_ptr)2) /* to sigset(3) alone */
#if __GNU_VISIBLE
int pthread_sigqueue(pthread_t __tid, int __sig, const union sigval __value);
int tgkill(pid_t __pid, pid_t __tid, int __sig);
int sigisemptyset(const sigset_t *__set);
int sigandset(sigset_t *__to, const sigset_t *__a, const sigset_t *__b);
int sigorset(sigset_t *__to, const sigset_t *__a, const sigset_t *__b);
#endif

#ifdef _COMPILING_NEWLIB
int _kill(pid_t __pid, int __sig);
#endif

__END_DECLS

#if __BSD_VISIBLE || __XSI_VISIBLE >= 4 || __POSIX_VISIBLE >= 200809
#include <sys/ucontext.h>
#endif

#ifndef _SIGNAL_H_
#include <signal.h> /* as on Linux, <sys/signal.h> is <signal.h> */
#endif

#endif
