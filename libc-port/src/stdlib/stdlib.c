/* SPDX-License-Identifier: MIT */
/* Functions that newlib's <stdlib.h> lacks: posix_memalign, clearenv and others. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

/* Reports the error number itself. */
int posix_memalign(void **memory, size_t alignment, size_t size)
{
	if (alignment < sizeof(void *) || alignment & (alignment - 1))
		return EINVAL;
	void *got = memalign(alignment, size);
	if (!got)
		return ENOMEM;
	*memory = got;
	return 0;
}

int clearenv(void)
{
	static char *none[1];
	environ = none;
	return 0;
}

/* No image runs with more privileges than the user who started it. */
char *secure_getenv(const char *name)
{
	return getenv(name);
}

int getloadavg(double *loads, int count)
{
	if (count > 3)
		count = 3;
	for (int i = 0; i < count; i++)
		loads[i] = 0;
	return count;
}
