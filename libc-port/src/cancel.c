/* SPDX-License-Identifier: MIT */
/* A thread's cancelability, which newlib's stdio switches off around its locks. Nothing can be cancelled yet. */
#include <errno.h>
#include <pthread.h>

static __thread int state = PTHREAD_CANCEL_ENABLE, type = PTHREAD_CANCEL_DEFERRED;

static int exchange(int *now, int wanted, int *old, int highest)
{
	if (wanted < 0 || wanted > highest)
		return EINVAL;
	if (old)
		*old = *now;
	*now = wanted;
	return 0;
}

int pthread_setcancelstate(int wanted, int *old)
{
	return exchange(&state, wanted, old, PTHREAD_CANCEL_DISABLE);
}

int pthread_setcanceltype(int wanted, int *old)
{
	return exchange(&type, wanted, old, PTHREAD_CANCEL_ASYNCHRONOUS);
}
