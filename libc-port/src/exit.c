/* SPDX-License-Identifier: MIT */
/* exit(3): newlib's closes the streams, and with them the locks on which other threads may be waiting. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/lock.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"
#include "libc-port/src/thread.h"

/* newlib's own. */
void __call_exitprocs(int status, void *image);
int _fwalk_reent(struct _reent *reent, int (*function)(struct _reent *, FILE *));

/* Writes a stream's buffer out, or has the file's position follow what was read. The lock is kept, so that nobody uses
 * the stream any more; who reads may have it for as long as nothing comes. */
static int finish(struct _reent *reent, FILE *stream)
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
		kcall_pause(); /* another thread was first */
	ends = thread_self();
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	__call_exitprocs(status, NULL);
	if (_GLOBAL_REENT->__cleanup)
		_fwalk_reent(_GLOBAL_REENT, finish);
	_exit(status);
}
