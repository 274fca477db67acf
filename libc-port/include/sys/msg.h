/* SPDX-License-Identifier: MIT */
/* System V message queues (msgop(2)): all fail with ENOSYS. */
#ifndef _SYS_MSG_H
#define _SYS_MSG_H

#include <sys/ipc.h>
#include <time.h>

__BEGIN_DECLS

#define MSG_NOERROR 010000

typedef unsigned long msgqnum_t;
typedef unsigned long msglen_t;

struct msqid_ds {
	struct ipc_perm msg_perm;
	time_t msg_stime;
	time_t msg_rtime;
	time_t msg_ctime;
	unsigned long __msg_cbytes;
	msgqnum_t msg_qnum;
	msglen_t msg_qbytes;
	pid_t msg_lspid;
	pid_t msg_lrpid;
	unsigned long __reserved[2];
};

int msgget(key_t __key, int __flags);
int msgctl(int __id, int __command, struct msqid_ds *__buf);
int msgsnd(int __id, const void *__message, size_t __size, int __flags);
ssize_t msgrcv(int __id, void *__message, size_t __size, long __type, int __flags);

__END_DECLS

#endif
