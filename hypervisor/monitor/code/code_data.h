/* SPDX-License-Identifier: MIT */
/* Detects data among code: constants in the code segment of files that do not mark where code is. */
#ifndef HYPERVISOR_CODE_DATA_H
#define HYPERVISOR_CODE_DATA_H

#include "code/code_function.h"

/** Whether the bytes before an offset of an area, and those after it, both look like data. */
bool code_data_surround(const struct code_area *area, uint64_t offset);

#endif
