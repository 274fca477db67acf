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

struct __exit_status {
	short e_termination;
	short e_exit;
};

struct utmpx {
	short ut_type;
	pid_t ut_pid;
	char ut_line[32];
	char ut_id[4];
	char ut_user[32];
	char ut_host[256];
	struct __exit_status ut_exit;
	int ut_session;
	struct timeval ut_tv;
	int ut_addr_v6[4];
};

void setutxent(void);
void endutxent(void);
struct utmpx *getutxent(void);
struct utmpx *getutxid(const struct utmpx *__entry);
struct utmpx *getutxline(const struct utmpx *__entry);
struct utmpx *pututxline(const struct utmpx *__entry);

__END_DECLS

#endif
