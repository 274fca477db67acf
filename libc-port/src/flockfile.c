/* SPDX-License-Identifier: MIT */
/* flockfile(3): the lock that newlib's stdio takes around each operation, for callers that do several. */
#include <stdio.h>
#include <sys/lock.h>

static int has_lock(const FILE *stream)
{
	return !(stream->_flags & __SSTR);
}

void flockfile(FILE *stream)
{
	if (has_lock(stream))
		__lock_acquire_recursive(stream->_lock);
}

int ftrylockfile(FILE *stream)
{
	return has_lock(stream) ? !__lock_try_acquire_recursive(stream->_lock) : 0;
}

void funlockfile(FILE *stream)
{
	if (has_lock(stream))
		__lock_release_recursive(stream->_lock);
}
