/* SPDX-License-Identifier: MIT */
/* Failed assertions. A run is ended by code above this folder, which sets the handler. */
#include "kernel/lib/bug.h"

__attribute__((noreturn)) void (*bug_handler)(const char *file, int line, const char *assertion);

_Noreturn void bug(const char *file, int line, const char *assertion)
{
	if (bug_handler)
		bug_handler(file, line, assertion);
	__builtin_trap();
}
