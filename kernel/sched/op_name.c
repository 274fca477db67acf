/* SPDX-License-Identifier: MIT */
/* Names of operations, from the two lists that number them. */
#include "kernel/sched/op_name.h"

#include "abi/sched.h"
#include "abi/syscalls.h"

#define SYSCALL_NAME(number, name, ...) [number] = #name,
#define OP_NAME(name) [SCHED_OP_##name] = #name,

static const char *const names[SCHED_OP_END] = {SYSCALL_LIST(SYSCALL_NAME) SCHED_OP_LIST(OP_NAME)};

const char *sched_op_name(unsigned op)
{
	return op < SCHED_OP_END && names[op] ? names[op] : "?";
}
