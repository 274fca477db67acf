/* SPDX-License-Identifier: MIT */
/* exit(3). newlib's closes the streams, and destroys locks for which other threads may wait. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/lock.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

/* newlib's own. */
void __call_exitprocs(int status, void *image);
int _fwalk_reent(struct _reent *reent, int (*function)(struct _reent *, FILE *));

/* Flushes a stream: writes its buffer, or moves the file's position to what was read. Keeps the lock, so that no other
 * thread uses the stream. Skips an input stream whose lock is taken, because its reader may wait forever. */
static int finish_stream(struct _reent *reent, FILE *stream)
{
	bool reads = (stream->_flags & (__SRD | __SWR)) == __SRD;
	if (!(stream->_flags & __SSTR)) {
		if (!reads)
			__lock_acquire_recursive(stream->_lock);
		else if (!__lock_try_acquire_recursive(stream->_lock))
			return 0;
	}
	return _fflush_r(reent, stream);
}

void exit(int status)
{
	static const struct pthread *ends;
	while (ends && ends != thread_self())
		kcall_pause(); /* another thread already exits */
	ends = thread_self();
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	__call_exitprocs(status, NULL);
	if (_GLOBAL_REENT->__cleanup)
		_fwalk_reent(_GLOBAL_REENT, finish_stream);
	_exit(status);
}
