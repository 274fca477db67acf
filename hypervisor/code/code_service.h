/* SPDX-License-Identifier: MIT */
/* The answer to DOORBELL_CODE: what the kernel has to patch in a file that it maps executable, or in memory. */
#ifndef HYPERVISOR_CODE_SERVICE_H
#define HYPERVISOR_CODE_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "code/code_scan.h"
#include "guest/guest_memory.h"

/**
 * Serves the struct code_request (abi/code.h) at an address, with the decision points that are wanted. Returns how many
 * patches there are, of which as many are written as there is room for; or, for the kernel to act upon, -ENOEXEC: it is
 * no ELF file for x86-64; -EFBIG: it is larger than CODE_SCAN_BYTES_MAX, or hostile. Where error[] is not empty
 * afterwards, the run cannot go on: the request itself is wrong (-EFAULT, -EINVAL), or the host lacks something.
 */
int64_t code_service_answer(const struct guest_memory *memory, gpa_t request, const struct code_points *points,
                            char error[256]);

/** Whether the first analysis of a large file, once a process, is announced on standard error. */
void code_service_say_slow(bool announce);

#endif
