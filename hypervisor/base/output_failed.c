/* SPDX-License-Identifier: MIT */
#include "base/output_failed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"

bool say_if_output_failed(const char *verb)
{
	if (!fflush(stdout) && !ferror(stdout))
		return true;
	say("%s: cannot write the results to standard output: %s", verb, strerror(errno));
	die_was_called = 1;
	return false;
}
