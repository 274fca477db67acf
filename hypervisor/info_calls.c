/* SPDX-License-Identifier: MIT */
/* What becomes of system calls, from the lists that the kernel has it from. */
#include "info_calls.h"

#include "abi/linux_calls.h"
#include "abi/syscalls.h"

void info_calls_print(FILE *to)
{
#define NAME(number, name) [number] = #name,
#define HAVE(number, ...) [number] = "implemented",
#define REFUSED(number, name, error, why) [number] = "refused with " #error ": " why,
#define PARTLY(number, name, what) [number] = "implemented, but for " what,
	static const char *const names[LINUX_CALLS] = {LINUX_CALL_LIST(NAME)};
	static const char *const have[LINUX_CALLS] = {SYSCALL_LIST_COMMON(HAVE) SYSCALL_LIST_LINUX(HAVE)};
	static const char *const refused[LINUX_CALLS] = {LINUX_REFUSED_LIST(REFUSED)};
	static const char *const partly[LINUX_CALLS] = {LINUX_PARTLY_LIST(PARTLY)};
#undef PARTLY
#undef REFUSED
#undef HAVE
#undef NAME
	for (unsigned i = 0; i < LINUX_CALLS; i++) {
		const char *state = partly[i]    ? partly[i]
		                    : have[i]    ? have[i]
		                    : refused[i] ? refused[i]
		                                 : "ends the run";
		if (names[i])
			fprintf(to, "%u %s: %s\n", i, names[i], state);
	}
}
