/* SPDX-License-Identifier: MIT */
/* Breakpoints and watchpoints: the packets Z and z. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug/remote.h"

#define LENGTH_BYTES 2 /* before a condition, for the guest's kernel */

/* Reads so many bytes of hexadecimal digits. Returns what follows; NULL: there are not so many. */
static const char *read_bytes(const char *digits, uint8_t *to, unsigned long bytes)
{
	for (unsigned long i = 0; i < bytes; i++, digits += 2) {
		const int high = packet_digit(digits[0]), low = high < 0 ? -1 : packet_digit(digits[1]);
		if (low < 0)
			return NULL;
		to[i] = (uint8_t)(high << 4 | low);
	}
	return digits;
}

/* Reads ";XLENGTH,DIGITS..." into conditions for the guest's kernel. Returns their size. If they are too long, returns
 * 0: the guest's kernel then stops at each hit, and the debugger evaluates them. -EINVAL: damaged. */
static int64_t read_conditions(const char *text, uint8_t data[DEBUG_DATA_BYTES])
{
	size_t bytes = 0;
	char *end;
	while (text[0] == ';' && text[1] == 'X') {
		const unsigned long length = strtoul(text + 2, &end, 16);
		if (end == text + 2 || *end != ',')
			return -EINVAL;
		if (bytes + LENGTH_BYTES > DEBUG_DATA_BYTES || length > DEBUG_DATA_BYTES - LENGTH_BYTES - bytes)
			return 0;
		data[bytes] = (uint8_t)length;
		data[bytes + 1] = (uint8_t)(length >> 8);
		bytes += LENGTH_BYTES;
		text = read_bytes(end + 1, data + bytes, length);
		if (!text)
			return -EINVAL;
		bytes += length;
	}
	return *text ? -EINVAL : (int64_t)bytes;
}

/* Watchpoints by the number of their packet. */
static enum debug_watch watch_kind(char type)
{
	return type == '2' ? DEBUG_WATCH_STORES : type == '3' ? DEBUG_WATCH_READS : DEBUG_WATCH_ACCESSES;
}

void remote_breakpoint(struct debug *debug, const char *text, bool inserts)
{
	static const enum debug_op ops[2][2] = {{DEBUG_REMOVE, DEBUG_INSERT}, {DEBUG_UNWATCH, DEBUG_WATCH}};
	struct debug_request what = {0};
	uint8_t data[DEBUG_DATA_BYTES] = {0};
	const bool is_watch = text[0] >= '2' && text[0] <= '4';
	if ((text[0] != '0' && !is_watch) || text[1] != ',')
		return;
	what.op = ops[is_watch][inserts];
	const char *rest = remote_range(text + 2, &what.address, &what.bytes);
	const int64_t conditions = rest ? read_conditions(rest, data) : -EINVAL;
	if (is_watch)
		what.tid = watch_kind(text[0]);
	else
		what.bytes = (uint64_t)conditions;
	int64_t result = conditions < 0 ? conditions : debug->target->request(debug->target->context, &what, data);
	if (!inserts && result == -ENOENT)
		result = 0; /* it was of the run before 'monitor restart' */
	remote_reply_result(debug, result);
}
