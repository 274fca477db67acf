/* SPDX-License-Identifier: MIT */
/* The account of a run that --summary gives, as text or JSON (docs/summary.md has the schema). */
#ifndef HYPERVISOR_SUMMARY_H
#define HYPERVISOR_SUMMARY_H

#include <stdio.h>

#include "run/run.h"

/** "exit", "signal", ...: how a run ended, as in the JSON summary's "end". */
const char *summary_end_name(enum run_end end);

/** Name of a system call, "?" for none. */
const char *summary_call_name(unsigned call);

/** Each writes one summary; that in JSON after cjson_load. 0 or a negative errno. */
int summary_text(FILE *to, const struct run_config *config, const struct run_result *result);
int summary_json(FILE *to, const struct run_config *config, const struct run_result *result);

#endif
