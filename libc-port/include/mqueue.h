/* SPDX-License-Identifier: MIT */
/* Message queues (mq_overview(7)): declared for programs that ask at run time; all fail with ENOSYS. */
#ifndef _MQUEUE_H
#define _MQUEUE_H

#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <time.h>

__BEGIN_DECLS

typedef int mqd_t;

struct mq_attr {
	long mq_flags;
	long mq_maxmsg;
	long mq_msgsize;
	long mq_curmsgs;
	long __reserved[4];
};

mqd_t mq_open(const char *__name, int __flags, ...);
int mq_close(mqd_t __queue);
int mq_unlink(const char *__name);
int mq_getattr(mqd_t __queue, struct mq_attr *__attr);
int mq_setattr(mqd_t __queue, const struct mq_attr *__restrict __attr, struct mq_attr *__restrict __old);
int mq_notify(mqd_t __queue, const struct sigevent *__event);
int mq_send(mqd_t __queue, const char *__message, size_t __size, unsigned __priority);
int mq_timedsend(mqd_t __queue, const char *__message, size_t __size, unsigned __priority,
                 const struct timespec *__deadline);
ssize_t mq_receive(mqd_t __queue, char *__message, size_t __size, unsigned *__priority);
ssize_t mq_timedreceive(mqd_t __queue, char *__restrict __message, size_t __size, unsigned *__restrict __priority,
                        const struct timespec *__restrict __deadline);

__END_DECLS

#endif
