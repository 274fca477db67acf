/* SPDX-License-Identifier: MIT */
/* Code that a native image makes at run time, or maps from a file, is not patched. */
#include "kernel/mm/exec.h"

const bool exec_is_settled_late = false;

void exec_check(uint64_t address, uint64_t bytes)
{
	exec_refuse(address, bytes);
}

bool exec_fault(struct trap_frame *frame)
{
	(void)frame;
	return false;
}

void exec_thaw(uint64_t address, uint64_t bytes)
{
	(void)address, (void)bytes;
}
