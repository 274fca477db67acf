/* SPDX-License-Identifier: MIT */
/* The message of a failed assert, with the text of glibc. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

void __assert(const char *file, int line, const char *condition)
{
	__assert_func(file, line, NULL, condition);
}

void __assert_func(const char *file, int line, const char *function, const char *condition)
{
	fflush(stdout);
	fprintf(stderr, "%s%s%s:%d: %s%sAssertion `%s' failed.\n", program_invocation_short_name,
	        program_invocation_short_name[0] ? ": " : "", file, line, function ? function : "",
	        function ? ": " : "", condition);
	abort();
}
