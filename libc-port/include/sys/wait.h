/* SPDX-License-Identifier: MIT */
/* <sys/wait.h> with Linux's numbers (wait(2)). */
#ifndef _SYS_WAIT_H
#define _SYS_WAIT_H

#include <sys/cdefs.h>
#include <sys/types.h>
#include <signal.h>

__BEGIN_DECLS

#define WNOHANG 1
#define WUNTRACED 2
#define WSTOPPED 2
#define WEXITED 4
#define WCONTINUED 8
#define WNOWAIT 0x01000000

#define WEXITSTATUS(s) (((s) >> 8) & 0xff)
#define WTERMSIG(s) ((s)&0x7f)
#define WSTOPSIG(s) WEXITSTATUS(s)
#define WIFEXITED(s) (WTERMSIG(s) == 0)
#define WIFSIGNALED(s) (((signed char)(((s)&0x7f) + 1) >> 1) > 0)
#define WIFSTOPPED(s) (((s)&0xff) == 0x7f)
#define WIFCONTINUED(s) ((s) == 0xffff)
#define WCOREDUMP(s) ((s)&0x80)
#define W_EXITCODE(ret, sig) (((ret) << 8) | (sig))

typedef enum { P_ALL, P_PID, P_PGID, P_PIDFD } idtype_t;

struct rusage;

pid_t wait(int *__status);
pid_t waitpid(pid_t __pid, int *__status, int __options);
int waitid(idtype_t __type, id_t __id, siginfo_t *__info, int __options);
#if __BSD_VISIBLE
pid_t wait3(int *__status, int __options, struct rusage *__usage);
pid_t wait4(pid_t __pid, int *__status, int __options, struct rusage *__usage);
#endif

#ifdef _COMPILING_NEWLIB
pid_t _wait(int *__status);
#endif

__END_DECLS

#endif
