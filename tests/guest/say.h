/* SPDX-License-Identifier: MIT */
/* How guest tests tell what calls do: the call as it is written, its result, and errno by name. */
#ifndef TESTS_GUEST_SAY_H
#define TESTS_GUEST_SAY_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
#define SAY_ERRNO_LIST(X) \
	X(EPERM) X(ENOENT) X(ESRCH) X(EINTR) X(EIO) X(ENXIO) X(E2BIG) X(ENOEXEC) X(EBADF) X(ECHILD) X(EAGAIN) \
	X(ENOMEM) X(EACCES) X(EFAULT) X(EBUSY) X(EEXIST) X(EXDEV) X(ENODEV) X(ENOTDIR) X(EISDIR) X(EINVAL) \
	X(ENFILE) X(EMFILE) X(ENOTTY) X(ETXTBSY) X(EFBIG) X(ENOSPC) X(ESPIPE) X(EROFS) X(EMLINK) X(EPIPE) X(EDOM) \
	X(ERANGE) X(EDEADLK) X(ENAMETOOLONG) X(ENOLCK) X(ENOSYS) X(ENOTEMPTY) X(ELOOP) X(EOVERFLOW) X(EOPNOTSUPP) \
	X(ETIMEDOUT) X(EILSEQ) X(EOWNERDEAD) X(ENOTRECOVERABLE)
/* clang-format on */

/** The name of an error number; "0" for none. */
static inline const char *errno_name(int error)
{
	static char number[16];
	switch (error) {
#define SAY_CASE(name) \
	case name: \
		return #name;
		SAY_ERRNO_LIST(SAY_CASE)
#undef SAY_CASE
	}
	snprintf(number, sizeof(number), "%d", error);
	return number;
}

/** Prints the call, its result and, when that is -1, errno. Yields the result. */
#define SAY(call) say_result(#call, (errno = 0, (long)(call)))

static inline long say_result(const char *what, long result)
{
	if (result == -1)
		printf("%s = -1 %s\n", what, errno_name(errno));
	else
		printf("%s = %ld\n", what, result);
	return result;
}

/** Prints only whether the call worked: for results that are addresses or sizes of the host. */
#define SAY_OK(call) say_ok(#call, (errno = 0, (long)(call)))

static inline long say_ok(const char *what, long result)
{
	if (result == -1)
		printf("%s = -1 %s\n", what, errno_name(errno));
	else
		printf("%s: ok\n", what);
	return result;
}

/** Prints the call and the error number that it returns, by name: for functions of pthread.h. Yields the number. */
#define SAY_ERROR(call) say_error(#call, (call))

static inline int say_error(const char *what, int error)
{
	printf("%s = %s\n", what, errno_name(error));
	return error;
}

/** Prints the expression and its value, true or false. */
#define SAY_TRUE(expression) printf("%s: %s\n", #expression, (expression) ? "true" : "false")

#endif
