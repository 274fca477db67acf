/* SPDX-License-Identifier: MIT */
/* Virtual time by process, for the summary: the sums of the accounts of its threads. */
#ifndef HYPERVISOR_SUMMARY_PROCESSES_H
#define HYPERVISOR_SUMMARY_PROCESSES_H

#include <stdio.h>

#include "library/cjson.h"
#include "run/run.h"

/** Writes a line for each process, if there are several. */
void summary_processes_text(FILE *to, const struct run_result *result);

/** Adds an object for each process. Nothing is added if the kernel of the image is older than this. */
void summary_processes_json(cJSON *json, const struct run_result *result);

#endif
