/* SPDX-License-Identifier: MIT */
/* flockfile(3): the lock that newlib's stdio takes around each operation, for callers that do several. */
#include <reent.h>
#include <stdio.h>
#include <sys/lock.h>

#include "kernel/sys/point.h"

/* newlib's own: the standard streams get their locks at the first operation on any. */
void __sinit(struct _reent *reent);

static int has_lock(const FILE *stream)
{
	if (!_REENT->__sdidinit)
		__sinit(_REENT);
	return !(stream->_flags & __SSTR);
}

void flockfile(FILE *stream)
{
	kernel_point(SCHED_OP_libc_lock, stream);
	if (has_lock(stream))
		__lock_acquire_recursive(stream->_lock);
}

int ftrylockfile(FILE *stream)
{
	kernel_point(SCHED_OP_libc_lock, stream);
	return has_lock(stream) ? !__lock_try_acquire_recursive(stream->_lock) : 0;
}

void funlockfile(FILE *stream)
{
	kernel_point(SCHED_OP_libc_lock, stream);
	if (has_lock(stream))
		__lock_release_recursive(stream->_lock);
}
