/* SPDX-License-Identifier: MIT */
/* Asynchronous I/O (aio(7)). Each request is carried out before the call that makes it returns. */
#ifndef _AIO_H
#define _AIO_H

#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <time.h>

__BEGIN_DECLS

struct aiocb {
	int aio_fildes;
	int aio_lio_opcode;
	int aio_reqprio;
	volatile void *aio_buf;
	size_t aio_nbytes;
	struct sigevent aio_sigevent;
	off_t aio_offset;
	int __error;
	ssize_t __result;
};

#define AIO_CANCELED 0
#define AIO_NOTCANCELED 1
#define AIO_ALLDONE 2
#define LIO_READ 0
#define LIO_WRITE 1
#define LIO_NOP 2
#define LIO_WAIT 0
#define LIO_NOWAIT 1

int aio_read(struct aiocb *__request);
int aio_write(struct aiocb *__request);
int aio_fsync(int __operation, struct aiocb *__request);
int aio_error(const struct aiocb *__request);
ssize_t aio_return(struct aiocb *__request);
int aio_suspend(const struct aiocb *const __list[], int __count, const struct timespec *__timeout);
int aio_cancel(int __fd, struct aiocb *__request);
int lio_listio(int __mode, struct aiocb *__restrict const __list[__restrict], int __count,
               struct sigevent *__restrict __event);

__END_DECLS

#endif
