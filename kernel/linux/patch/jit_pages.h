/* SPDX-License-Identifier: MIT */
/* Memory that a program may both write to and execute. Each of its pages is either data or code: data is not
 * executable; code has been scanned, is patched and not writable. A fault turns one into the other. So code that runs
 * has always been scanned, and a program that writes to a page finds what it wrote before. */
#ifndef KERNEL_LINUX_PATCH_JIT_PAGES_H
#define KERNEL_LINUX_PATCH_JIT_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/arch/trap.h"

/** Turns code of a file into data, so that it is scanned when it is executed, except for pages that were scanned. The
 * range is of one mapping, which may be both written to and executed. */
void jit_pages_unsettle(uint64_t address, uint64_t bytes);

/** personality.exec_fault: handles a fault that turns data into code or code into data, and steps of single
 * instructions. Returns whether the access can be repeated. */
bool jit_pages_fault(struct trap_frame *frame);

/** personality.exec_thaw: makes the code in [address, address + bytes) data. */
void jit_pages_thaw(uint64_t address, uint64_t bytes);

#endif
