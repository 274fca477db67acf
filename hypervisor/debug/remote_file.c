/* SPDX-License-Identifier: MIT */
/* Files of the program's system that gdb reads: its mappings in /proc. Others do not exist for gdb, which otherwise
 * would take those of this host, whose processes have the same numbers. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/remote.h"

#define TEXT_MAX (256 << 10)
#define LINE_MAX_BYTES 128 /* of a mapping; those for which there is no room are left out */
#define DESCRIPTOR 3

static char text[TEXT_MAX];
static size_t text_bytes;

/* gdb has numbers of errors of its own ("Errno Values"); these are the same. */
static void reply_failure(struct debug *debug, int error)
{
	remote_add(debug, "F-1,%x", (unsigned)error);
}

/* Writes the lines of maps of proc(5), without files. */
static void write_mappings(struct debug *debug)
{
	static struct debug_mapping list[DEBUG_DATA_BYTES / sizeof(struct debug_mapping)];
	static uint8_t data[DEBUG_DATA_BYTES];
	const int64_t most = sizeof(list) / sizeof(*list);
	uint64_t from = 0;
	int64_t count;
	text_bytes = 0;
	do {
		struct debug_request what = {.op = DEBUG_MAPPINGS, .address = from};
		count = debug->target->request(debug->target->context, &what, data);
		if (count < 0 || count > most)
			return;
		memcpy(list, data, (size_t)count * sizeof(*list));
		for (int64_t i = 0; i < count && TEXT_MAX - text_bytes > LINE_MAX_BYTES; i++) {
			text_bytes += (size_t)snprintf(text + text_bytes, TEXT_MAX - text_bytes,
			                               "%08" PRIx64 "-%08" PRIx64 " %c%c%cp 00000000 00:00 0 \n",
			                               list[i].start, list[i].end, list[i].rights & 1 ? 'r' : '-',
			                               list[i].rights & 2 ? 'w' : '-', list[i].rights & 4 ? 'x' : '-');
			if (list[i].end <= from) /* no kernel answers that */
				return;
			from = list[i].end;
		}
	} while (count == most && TEXT_MAX - text_bytes > LINE_MAX_BYTES);
}

/* "HEXNAME,FLAGS,MODE" */
static void open_file(struct debug *debug, const char *packet)
{
	static const char *const names[] = {"/proc/1/maps", "/proc/1/task/1/maps"};
	char name[64] = "";
	for (size_t i = 0; i + 1 < sizeof(name) && packet_digit(packet[0]) >= 0 && packet_digit(packet[1]) >= 0; i++) {
		name[i] = (char)(packet_digit(packet[0]) << 4 | packet_digit(packet[1]));
		packet += 2;
	}
	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(name, names[i]))
			continue;
		write_mappings(debug);
		remote_add(debug, "F%x", DESCRIPTOR);
		return;
	}
	reply_failure(debug, ENOENT);
}

/* "DESCRIPTOR,BYTES,OFFSET" */
static void read_file(struct debug *debug, const char *packet)
{
	char *end;
	const uint64_t descriptor = strtoull(packet, &end, 16);
	const uint64_t wanted = *end == ',' ? strtoull(end + 1, &end, 16) : 0;
	const uint64_t offset = *end == ',' ? strtoull(end + 1, &end, 16) : 0;
	uint64_t bytes = offset < text_bytes ? text_bytes - offset : 0;
	if (descriptor != DESCRIPTOR) {
		reply_failure(debug, EBADF);
		return;
	}
	bytes = bytes < wanted ? bytes : wanted;
	bytes = bytes < PACKET_MAX / 2 ? bytes : PACKET_MAX / 2;
	remote_add(debug, "F%" PRIx64 ";", bytes);
	memcpy(debug->reply + debug->reply_bytes, text + (bytes ? offset : 0), bytes);
	debug->reply_bytes += bytes;
}

void remote_file(struct debug *debug)
{
	const char *packet = debug->reader.data + strlen("vFile:");
	if (!strncmp(packet, "open:", 5))
		open_file(debug, packet + 5);
	else if (!strncmp(packet, "pread:", 6))
		read_file(debug, packet + 6);
	else if (!strncmp(packet, "close:", 6) || !strncmp(packet, "setfs:", 6))
		remote_add(debug, "F0");
	else
		reply_failure(debug, ENOSYS);
}
