/* SPDX-License-Identifier: MIT */
#include "code_flow.h"

#include <stdlib.h>

#include "disassembler.h"

/* Goes on from one place until it comes to an end or to what is known, and notes targets of branches. */
static void follow(const uint8_t *bytes, uint64_t count, uint64_t at, uint8_t *begins, uint64_t *waiting,
                   uint64_t *waiting_count)
{
	while (at < count && !begins[at]) {
		struct instruction in;
		unsigned length = disassemble(bytes + at, count - at, at, &in);
		if (!length)
			return;
		begins[at] = 1;
		if ((in.flags & (INSTRUCTION_TARGET | INSTRUCTION_REFERENCE)) == INSTRUCTION_TARGET &&
		    in.target < count)
			waiting[(*waiting_count)++] = in.target;
		if (in.flags & INSTRUCTION_END)
			return;
		at += length;
	}
}

uint8_t *code_flow_from(const uint8_t *bytes, uint64_t count, uint64_t entry)
{
	uint8_t *begins = calloc(1, count + 1);
	uint64_t *waiting = calloc(count + 1, sizeof(*waiting)), waiting_count = 0; /* each begins once */
	if (begins && waiting) {
		waiting[waiting_count++] = entry;
		while (waiting_count) {
			uint64_t at = waiting[--waiting_count];
			follow(bytes, count, at, begins, waiting, &waiting_count);
		}
	} else {
		free(begins);
		begins = NULL;
	}
	free(waiting);
	return begins;
}
