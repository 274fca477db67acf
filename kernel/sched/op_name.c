/* SPDX-License-Identifier: MIT */
/* Names of operations, from the two lists that number them. They are one string, because a table of pointers is three
 * times as large and every image has it. */
#include "kernel/sched/op_name.h"

#include <stddef.h>
#include <stdint.h>

#include "abi/sched_op.h"
#include "abi/syscalls.h"
#include "kernel/lib/string.h"
#include "kernel/personality.h"

#define SYSCALL_NUMBER(number, name, ...) number,
#define SYSCALL_NAME(number, name, ...) #name "\0"
#define OP_NUMBER(name) SCHED_OP_##name,
#define OP_NAME(name) #name "\0"

#define CALLS(X) SYSCALL_LIST_COMMON(X) SYSCALL_LIST_NATIVE(X)

static const uint16_t numbers[] = {CALLS(SYSCALL_NUMBER) SCHED_OP_LIST(OP_NUMBER)};
static const char names[] = CALLS(SYSCALL_NAME) SCHED_OP_LIST(OP_NAME); /* in the same order */

const char *sched_op_name(unsigned op)
{
	const char *name = names;
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++, name += strlen(name) + 1)
		if (numbers[i] == op)
			return name;
	name = personality.op_name ? personality.op_name(op) : NULL;
	return name ? name : "?";
}
