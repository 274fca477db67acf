/* SPDX-License-Identifier: MIT */
/* What stops the program beside breakpoints: places of the run, system calls (QCatchSyscalls), signals (QPassSignals).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug/remote.h"
#include "debug/remote_registers.h"

int64_t remote_want(struct debug *debug)
{
	uint8_t data[DEBUG_DATA_BYTES] = {0};
	struct debug_request what = {.op = DEBUG_WANT};
	memcpy(data, &debug->wanted, sizeof(debug->wanted));
	return debug->target->request(debug->target->context, &what, data);
}

/* Whether a stop is at another marker than the one that is wanted. */
static bool is_other_marker(struct debug *debug)
{
	static struct remote_registers registers;
	char name[sizeof(debug->marker)] = "";
	if (debug->wanted.place != DEBUG_PLACE_MARKER || remote_read_registers(debug, debug->stop.tid, &registers))
		return false;
	const int64_t got = debug->target->read(debug->target->context, registers.general.rdi, name, sizeof(name));
	return got <= 0 || strncmp(name, debug->marker, sizeof(name));
}

bool remote_passes_stop(struct debug *debug)
{
	if (debug->stop.reason != DEBUG_AT_PLACE)
		return false;
	if (is_other_marker(debug) && remote_want(debug) >= 0)
		return true;
	debug->wanted.place = DEBUG_PLACE_NONE;
	return false;
}

/* Reads numbers of hexadecimal digits, each after `before`. Returns false if something else is there. */
static bool next_number(const char **text, char before, uint64_t *number)
{
	char *end;
	if (before && *(*text)++ != before)
		return false;
	*number = strtoull(*text, &end, 16);
	if (end == *text)
		return false;
	*text = end;
	return true;
}

/* "0", "1" for all calls, or "1;NUMBER;NUMBER..." */
void remote_catch_calls(struct debug *debug, const char *text)
{
	uint64_t on, number;
	uint64_t calls[DEBUG_CALLS / 64] = {0};
	bool is_good = next_number(&text, 0, &on);
	if (is_good && on && !*text)
		memset(calls, 0xff, sizeof(calls));
	while (is_good && *text) {
		is_good = next_number(&text, ';', &number);
		if (is_good && number < DEBUG_CALLS)
			calls[number / 64] |= 1UL << number % 64;
	}
	if (is_good)
		memcpy(debug->wanted.calls, calls, sizeof(calls));
	remote_reply_result(debug, is_good ? remote_want(debug) : -EINVAL);
}

/* "SIGNAL;SIGNAL...", by gdb's numbers. */
void remote_pass_signals(struct debug *debug, const char *text)
{
	uint64_t number, signals = 0;
	bool is_good = true;
	for (char before = 0; is_good && *text; before = ';') {
		is_good = next_number(&text, before, &number);
		for (unsigned sig = 1; is_good && sig <= 64; sig++)
			if (remote_signal(sig) == number)
				signals |= 1UL << (sig - 1);
	}
	if (is_good)
		debug->wanted.signals = signals;
	remote_reply_result(debug, is_good ? remote_want(debug) : -EINVAL);
}
