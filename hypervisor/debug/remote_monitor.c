/* SPDX-License-Identifier: MIT */
/* gdb's `monitor` commands. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "debug/remote.h"

static const char help[] = "help   this text\n"
			   "when   where the run is: decision, virtual time, thread\n";

static void say_where(struct debug *debug, char *to, size_t room)
{
	struct debug_position position = {0};
	debug->target->position(debug->target->context, &position);
	snprintf(to, room, "decision %" PRIu64 ", virtual time %" PRIu64 ".%09" PRIu64 " s, thread %u\n",
	         position.decision, position.now_ns / 1000000000, position.now_ns % 1000000000, debug->stop.tid);
}

void remote_monitor(struct debug *debug, const char *digits)
{
	char command[64] = "", text[512];
	for (size_t i = 0; i + 1 < sizeof(command) && packet_digit(digits[0]) >= 0 && packet_digit(digits[1]) >= 0;
	     i++) {
		command[i] = (char)(packet_digit(digits[0]) << 4 | packet_digit(digits[1]));
		digits += 2;
	}
	if (!strcmp(command, "when"))
		say_where(debug, text, sizeof(text));
	else if (!strcmp(command, "help"))
		snprintf(text, sizeof(text), "%s", help);
	else
		snprintf(text, sizeof(text), "there is no command of that name; there are:\n%s", help);
	remote_add_hex(debug, text, strlen(text));
}
