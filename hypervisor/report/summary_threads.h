/* SPDX-License-Identifier: MIT */
/* The part of a run's summary about its threads and their schedule. */
#ifndef HYPERVISOR_SUMMARY_THREADS_H
#define HYPERVISOR_SUMMARY_THREADS_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "run/run.h"

/** Writes a line for the schedule, and one for each thread. */
void summary_threads_text(FILE *to, const struct run_config *config, const struct run_result *result);

/** Adds "sched" and "threads" to the JSON object. */
void summary_threads_json(cJSON *json, const struct run_config *config, const struct run_result *result);

#endif
