/* SPDX-License-Identifier: MIT */
/* `eremite info DIR`: what a recording holds. */
#ifndef HYPERVISOR_INFO_RECORDING_H
#define HYPERVISOR_INFO_RECORDING_H

#include <stdio.h>

#include "base/error.h"

/** Prints the options, and a line for each record. Returns 0, or a negative errno with one line in *error. */
int info_recording_print(FILE *to, const char *dir, struct error *error);

#endif
