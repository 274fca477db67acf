/* SPDX-License-Identifier: MIT */
/* Code that a native image makes at run time, or has from a file, is not patched. */
#include "kernel/mm/exec.h"

void exec_check(uint64_t address, uint64_t bytes)
{
	exec_refuse(address, bytes);
}
