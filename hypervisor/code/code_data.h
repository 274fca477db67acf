/* SPDX-License-Identifier: MIT */
/* Data where code is expected: constants in the segment that has the code, of files that do not say where each is. */
#ifndef HYPERVISOR_CODE_DATA_H
#define HYPERVISOR_CODE_DATA_H

#include "code/code_function.h"

/** Whether what stands before an offset of an area and what stands behind it are both no code, by their own looks. */
bool code_data_surround(const struct code_area *area, uint64_t offset);

#endif
