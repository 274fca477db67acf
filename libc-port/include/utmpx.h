/* SPDX-License-Identifier: MIT */
/* Logged-in users (getutxent(3)): there are none, and none can be written. */
#ifndef _UTMPX_H
#define _UTMPX_H

#include <sys/cdefs.h>
#include <sys/time.h>
#include <sys/types.h>

__BEGIN_DECLS

#define EMPTY 0
#define RUN_LVL 1
#define BOOT_TIME 2
#define NEW_TIME 3
#define OLD_TIME 4
#define INIT_PROCESS 5
#define LOGIN_PROCESS 6
#define USER_PROCESS 7
#define DEAD_PROCESS 8

struct utmpx {
	short ut_type;
	pid_t ut_pid;
	char ut_line[32];
	char ut_id[4];
	char ut_user[32];
	char ut_host[256];
	struct timeval ut_tv;
};

void setutxent(void);
void endutxent(void);
struct utmpx *getutxent(void);
struct utmpx *getutxid(const struct utmpx *__entry);
struct utmpx *getutxline(const struct utmpx *__entry);
struct utmpx *pututxline(const struct utmpx *__entry);

__END_DECLS

#endif
