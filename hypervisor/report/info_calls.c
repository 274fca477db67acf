/* SPDX-License-Identifier: MIT */
/* How system calls are handled, from the lists that also generate the kernel's code. */
#include "report/info_calls.h"

#include "abi/linux_calls.h"
#include "abi/stats.h"
#include "abi/syscalls.h"

const char *const info_calls_unknown[UNKNOWN_KINDS] = {"probe", "stop", "enosys"};

#define NAME(number, name) [number] = #name,
static const char *const names[LINUX_CALLS] = {LINUX_CALL_LIST(NAME)};
#undef NAME

void info_calls_name(const uint64_t *bits, char *text, size_t bytes)
{
	size_t done = 0;
	text[0] = 0;
	for (unsigned i = 0; i < STATS_CALLS && done < bytes; i++) {
		char number[16];
		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		snprintf(number, sizeof(number), "%u", i);
		done += (size_t)snprintf(text + done, bytes - done, "%s%s", done ? ", " : "",
		                         i < LINUX_CALLS && names[i] ? names[i] : number);
	}
}

void info_calls_print(FILE *to)
{
#define HAVE(number, ...) [number] = "implemented",
#define REFUSED(number, name, error, why) [number] = "refused with " #error ": " why,
#define PROBED(number, name, why) [number] = "fails with ENOSYS: " why,
#define PARTLY(number, name, what) [number] = "implemented, except " what,
	static const char *const have[LINUX_CALLS] = {SYSCALL_LIST_COMMON(HAVE) SYSCALL_LIST_LINUX(HAVE)};
	static const char *const refused[LINUX_CALLS] = {LINUX_REFUSED_LIST(REFUSED)};
	static const char *const partly[LINUX_CALLS] = {LINUX_PARTLY_LIST(PARTLY)};
	static const char *const probed[LINUX_CALLS] = {LINUX_PROBED_LIST(PROBED)};
#undef PARTLY
#undef PROBED
#undef REFUSED
#undef HAVE
	for (unsigned i = 0; i < LINUX_CALLS; i++) {
		const char *state = partly[i]    ? partly[i]
		                    : have[i]    ? have[i]
		                    : refused[i] ? refused[i]
		                    : probed[i]  ? probed[i]
		                                 : "ends the run";
		if (names[i])
			fprintf(to, "%u %s: %s\n", i, names[i], state);
	}
}
