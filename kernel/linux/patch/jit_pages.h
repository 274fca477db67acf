/* SPDX-License-Identifier: MIT */
/* Memory that a program may write to and execute. A page of it is data or code: data is not executable, and code has
 * been looked at, is patched and not writable. A fault makes one of the other. So code that runs is always code that
 * was looked at, and a program that writes to a page finds there what it has written before. */
#ifndef KERNEL_LINUX_PATCH_JIT_PAGES_H
#define KERNEL_LINUX_PATCH_JIT_PAGES_H

#include "kernel/mm/exec.h"

/** Makes data of what is a file's code in such a range, all of one mapping, and has not been looked at: it is when it
 * is executed. */
void jit_pages_unsettle(uint64_t address, uint64_t bytes);

#endif
