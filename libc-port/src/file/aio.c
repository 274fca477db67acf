/* SPDX-License-Identifier: MIT */
/* Asynchronous I/O (aio(7)). A request is complete when the call that makes it returns, as POSIX allows. */
#include "abi/linux.h" /* before <signal.h> makes si_pid and its like macros */

#include <aio.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/notify.h"
#include "libc-port/src/thread/thread.h"

/* Notifies the program that a request, or a list of requests, is complete. Returns 0 or -1. */
static int notify(const struct sigevent *event)
{
	if (event->sigev_notify == SIGEV_THREAD)
		return notify_call(event);
	if (event->sigev_notify != SIGEV_SIGNAL)
		return 0;
	siginfo_t info = {.si_signo = event->sigev_signo, .si_code = SI_ASYNCIO};
	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value = event->sigev_value;
	return (int)kernel_result(
		kcall_rt_sigqueueinfo(getpid(), event->sigev_signo, (const struct linux_siginfo *)&info));
}

static int finish_request(struct aiocb *request, long result)
{
	request->__error = result < 0 ? (int)-result : 0;
	request->__result = result < 0 ? -1 : result;
	return notify(&request->aio_sigevent);
}

/* Transfers a request's bytes. The offset is ignored for a file without positions, such as a pipe. */
static long transfer(struct aiocb *request, int writing)
{
	int fd = request->aio_fildes;
	void *buf = (void *)request->aio_buf;
	long result = writing ? kcall_pwrite64(fd, buf, request->aio_nbytes, request->aio_offset)
	                      : kcall_pread64(fd, buf, request->aio_nbytes, request->aio_offset);
	if (result != -ESPIPE)
		return result;
	return KERNEL_RESTARTED(writing ? kcall_write(fd, buf, request->aio_nbytes)
	                                : kcall_read(fd, buf, request->aio_nbytes));
}

int aio_read(struct aiocb *request)
{
	return finish_request(request, transfer(request, 0));
}

int aio_write(struct aiocb *request)
{
	return finish_request(request, transfer(request, 1));
}

int aio_fsync(int operation, struct aiocb *request)
{
	if (operation != O_SYNC && operation != O_DSYNC)
		return kernel_refuse(EINVAL);
	long result = kcall_fsync(request->aio_fildes);
	return result == -EBADF ? kernel_refuse(EBADF) : finish_request(request, result);
}

int aio_error(const struct aiocb *request)
{
	return request->__error;
}

ssize_t aio_return(struct aiocb *request)
{
	return request->__result;
}

int aio_suspend(const struct aiocb *const[], int count, const struct timespec *)
{
	thread_testcancel();
	return count < 0 ? kernel_refuse(EINVAL) : 0;
}

int aio_cancel(int fd, struct aiocb *request)
{
	if (kcall_fcntl(fd, F_GETFD, 0) < 0)
		return kernel_refuse(EBADF);
	if (request && request->aio_fildes != fd)
		return kernel_refuse(EINVAL);
	return AIO_ALLDONE;
}

int lio_listio(int mode, struct aiocb *restrict const list[restrict], int count, struct sigevent *restrict event)
{
	int failed = 0;
	if ((mode != LIO_WAIT && mode != LIO_NOWAIT) || count < 0)
		return kernel_refuse(EINVAL);
	for (int i = 0; i < count; i++) {
		if (!list[i] || list[i]->aio_lio_opcode == LIO_NOP)
			continue;
		if (list[i]->aio_lio_opcode != LIO_READ && list[i]->aio_lio_opcode != LIO_WRITE)
			list[i]->__error = EINVAL, list[i]->__result = -1;
		else if (list[i]->aio_lio_opcode == LIO_READ ? aio_read(list[i]) : aio_write(list[i]))
			list[i]->__error = errno, list[i]->__result = -1;
		failed |= list[i]->__error != 0;
	}
	if (mode == LIO_NOWAIT && event && notify(event) < 0)
		return -1;
	return failed ? kernel_refuse(EIO) : 0;
}
