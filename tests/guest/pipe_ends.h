/* SPDX-License-Identifier: MIT */
/* A pipe between threads of a test, and how it tells what a call of another thread came to. */
#ifndef TESTS_GUEST_PIPE_ENDS_H
#define TESTS_GUEST_PIPE_ENDS_H

#include <stdlib.h>
#include <unistd.h>

#include "say.h"

static int in, out; /* the pipe's ends */
static long result; /* of the other thread's call */
static int error;   /* errno after it */

/** Opens a new pipe. The one before is not closed. */
static inline void open_pipe(void)
{
	int fds[2];
	if (pipe(fds))
		abort();
	in = fds[0];
	out = fds[1];
}

/** Prints the result, and errno's name when it is negative. */
static inline void tell(const char *what)
{
	printf("%s: %ld %s\n", what, result, result < 0 ? errno_name(error) : "");
}

#endif
